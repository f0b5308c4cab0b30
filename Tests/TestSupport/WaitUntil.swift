package import Testing

/// Lets other tasks run until something is the case that nothing tells of, and fails the test when that takes more than
/// half a minute. A state that passes may be missed; one that stays is seen.
///
/// - Throws: `CancellationError` in a task that is cancelled, by the test's time limit for example.
package func waitUntil(
    sourceLocation: SourceLocation = #_sourceLocation, _ isTheCase: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + .seconds(30)
    while try await !isTheCase() {
        try Task.checkCancellation()
        try #require(ContinuousClock.now < end, "it never came to be", sourceLocation: sourceLocation)
        await Task.yield()
    }
}
