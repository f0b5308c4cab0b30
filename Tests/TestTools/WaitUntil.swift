package import Testing

/// Waits until a condition holds that no event reports, and fails the test after eight minutes.
///
/// It checks every few milliseconds, and lets other tasks run meanwhile. It may miss a condition that holds only for a
/// moment.
///
/// - Throws: `CancellationError` in a task that is cancelled, for example by the test's time limit.
package func waitUntil(
    sourceLocation: SourceLocation = #_sourceLocation, _ condition: () async throws -> Bool
) async throws {
    // Longer than any slow test needs, and shorter than the hang guard, so that the failure names this place.
    let end = ContinuousClock.now + .seconds(480)
    var pause = Duration.milliseconds(1)
    while try await !condition() {
        try #require(
            ContinuousClock.now < end, "the condition did not hold within eight minutes", sourceLocation: sourceLocation
        )
        try await Task.sleep(for: pause)
        pause = min(pause * 2, .milliseconds(20))
    }
}
