import Errand
import Testing

/// One httpbin for a suite and the suites in it, as long as they run.
struct SharedHTTPBin: SuiteTrait, TestScoping {
    @TaskLocal fileprivate static var current: HTTPBin?

    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let server = try await HTTPBin()
        // Tasks that a test has not awaited may hold it until the process ends.
        defer { server.stop() }
        try await Self.$current.withValue(server) { try await function() }
    }
}

extension Trait where Self == SharedHTTPBin {
    /// Starts an httpbin, which the tests use as `HTTPBin.shared`.
    static var sharedHTTPBin: Self { SharedHTTPBin() }
}

extension HTTPBin {
    /// The suite's httpbin did not start.
    struct NotShared: Error {}

    /// The httpbin of the suite.
    static var shared: HTTPBin {
        get throws {
            guard let server = SharedHTTPBin.current else { throw NotShared() }
            return server
        }
    }
}
