import Errand
import TestSupport
import Testing

/// The program of the suite.
private let program = ProcessInfo.processInfo.environment["ERRAND_SSE_CONTRACT_TESTS"]

/// The contract tests for server-sent events of LaunchDarkly, against ``EventSource``. `.ci/deep-steps/event-source`
/// builds their program.
///
/// The program is the server of the streams. It tells a test service which streams to read, and the service reports
/// what it receives.
@Suite(.enabled(if: program != nil), .timeLimit(.minutes(10))) struct `Public suite: sse-contract-tests` {
    @Test func `all tests of sse-contract-tests pass`() async throws {
        let service = try EventSourceService()
        let harness = try ChildProcess(
            URL(fileURLWithPath: try #require(program)),
            [
                "-url", service.url.absoluteString, "-host", "127.0.0.1", "-port", "\(try Loopback.freePort())",
            ])
        let (end, output, errors) = try await harness.result()
        let lines = output.split(separator: "\n")
        let skipped = lines.count { $0.contains("SKIPPED: ") }
        print("sse-contract-tests: \(lines.count { $0.hasPrefix("[") }) tests and groups, \(skipped) skipped")
        #expect(end == .exit(0), "\(output)\(errors)")
        #expect(service.streams > 100)
    }
}
