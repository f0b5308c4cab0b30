package import Foundation
package import Testing

/// Tries a time limit that grows until it is long enough, so that a test of a phase that the limit passes in holds on a
/// machine of any speed. Fails the test when 62.5 seconds are not enough.
///
/// - Parameter isLongEnough: Sends a request with a limit in seconds, and returns whether it came as far as it must.
package func withGrowingLimit(
    sourceLocation: SourceLocation = #_sourceLocation, _ isLongEnough: (TimeInterval) async throws -> Bool
) async throws {
    for limit in [0.0625, 0.5, 2.5, 12.5, 62.5] where try await isLongEnough(limit) { return }
    Issue.record("no limit was long enough", sourceLocation: sourceLocation)
}
