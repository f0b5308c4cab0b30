/// What a test puts in the network's place, or in front of it, for every request that its task starts.
///
/// It is asked right in front of the transport, behind all of a request's own interceptors: retries, tokens and caches pass
/// it as they would pass the network. A request that has a stub of its own does not ask it.
package protocol TestNetwork: Interceptor {
    /// The peer of a WebSocket in place of the transport's; nil, and it is opened over the transport.
    ///
    /// - Throws: Whatever the WebSocket is to fail with, such as that nobody expected it.
    func webSocketStub(for request: TransportRequest) throws -> WebSocketStub?
}

/// Where the network of a test is found: with the task, so that tests side by side have one each.
package enum TestNetworkScope {
    /// The network of this task and its children; looked up when a request is started.
    @TaskLocal package static var current: (any TestNetwork)?

    /// What carries a request that is started now: its session, behind the test's network where there is one.
    static func transport(over session: any Transport) -> any Transport {
        current.map { TestedTransport(network: $0, session: session) } ?? session
    }

    /// What opens a WebSocket that is started now; nil for a session that cannot. A session may be a test's network itself.
    static func webSocketTransport(over session: any Transport) -> (any WebSocketTransport)? {
        (current ?? session as? any TestNetwork).map { TestedTransport(network: $0, session: session) }
            ?? session as? any WebSocketTransport
    }

    /// Starts a detached task that keeps the caller's test network and service.
    static func detached(
        priority: TaskPriority? = nil, _ work: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never> {
        let (network, service) = (current, ServiceScope.current)
        return Task.detached(priority: priority) {
            await $current.withValue(network) { await ServiceScope.$current.withValue(service) { await work() } }
        }
    }
}

/// A session with the network of a test in front of it.
private struct TestedTransport: WebSocketTransport {
    let network: any TestNetwork
    let session: any Transport

    func send(_ request: TransportRequest) async throws -> DataResponse {
        try await network.intercept(request, next: Next { try await session.send($0) })
    }

    func openWebSocket(_ request: TransportRequest, _ options: WebSocketOptions) async throws -> WebSocketAnswer {
        guard let transport = try network.webSocketStub(for: request) ?? session as? any WebSocketTransport else {
            throw ErrandError.noWebSockets
        }
        return try await transport.openWebSocket(request, options)
    }
}

extension ErrandError {
    /// A session that cannot open a WebSocket.
    static var noWebSockets: ErrandError {
        ErrandError(.unsupportedByTransport, reason: "the session cannot open a WebSocket")
    }
}
