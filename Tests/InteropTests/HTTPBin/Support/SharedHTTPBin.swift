import Errand
import Testing

/// One httpbin for a suite and all that is in it, for as long as that runs.
struct SharedHTTPBin: SuiteTrait, TestScoping {
    @TaskLocal fileprivate static var current: HTTPBin?

    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let server = try await HTTPBin()
        // Tasks that a test has left behind may hold it for as long as the process lives.
        defer { server.stop() }
        try await Self.$current.withValue(server) { try await function() }
    }
}

extension Trait where Self == SharedHTTPBin {
    /// Starts an httpbin, which the tests have as `HTTPBin.shared`.
    static var sharedHTTPBin: Self { SharedHTTPBin() }
}

extension HTTPBin {
    /// The suite's own did not start.
    struct NotShared: Error {}

    /// That of the suite.
    static var shared: HTTPBin {
        get throws {
            guard let server = SharedHTTPBin.current else { throw NotShared() }
            return server
        }
    }
}
