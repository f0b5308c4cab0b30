package import Foundation
package import Testing

/// Tries growing time limits until one is long enough, so that a test of the phase in which the limit passes holds on a
/// machine of any speed. Fails the test if 62.5 seconds are not enough.
///
/// - Parameter isLongEnough: Sends a request with a limit in seconds, and returns whether it reached the phase.
package func withGrowingLimit(
    sourceLocation: SourceLocation = #_sourceLocation, _ isLongEnough: (TimeInterval) async throws -> Bool
) async throws {
    for limit in [0.0625, 0.5, 2.5, 12.5, 62.5] where try await isLongEnough(limit) { return }
    Issue.record("no limit was long enough", sourceLocation: sourceLocation)
}
