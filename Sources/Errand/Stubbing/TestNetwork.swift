/// A test's replacement for the network, for all requests that a task starts.
///
/// It comes immediately before the transport, after the request's own interceptors, so that retries, tokens and caches
/// work as over the network. A request with its own stub does not use it.
package protocol TestNetwork: Interceptor, AnyObject {
    /// Returns the transport that opens a WebSocket in place of the session; `nil` to use the session.
    ///
    /// - Throws: The error with which the WebSocket fails, for example because it is unexpected.
    func webSocketStub(for request: TransportRequest) throws -> (any Transport)?
}

extension TestNetwork {
    /// Runs a closure whose requests, including those of child tasks, use this network.
    package func asTestNetwork<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await TestedTransport.$current.withValue(self, operation: body)
    }
}

/// A session with a test network before it.
package struct TestedTransport: Transport {
    /// The test network of the current task. It is read when a request is started.
    @TaskLocal package static var current: (any TestNetwork)?

    package let network: any TestNetwork
    package let session: any Transport

    /// Returns the transport for a request that starts now: its session, with the test network before it if the task
    /// has one.
    static func transport(over session: any Transport) -> any Transport {
        current.map { TestedTransport(network: $0, session: session) } ?? session
    }

    package func send(_ request: TransportRequest) async throws -> DataResponse {
        try await network.intercept(request, next: Next { try await session.send($0) })
    }
}
