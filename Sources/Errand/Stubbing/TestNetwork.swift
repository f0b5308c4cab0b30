/// What a test puts in the network's place, or in front of it, for every request that its task starts.
///
/// It is asked right in front of the transport, behind all of a request's own interceptors: retries, tokens and caches pass
/// it as they would pass the network. A request that has a stub of its own does not ask it.
package protocol TestNetwork: Interceptor, AnyObject {
    /// What opens a WebSocket in place of the session; `nil`, and the session does.
    ///
    /// - Throws: Whatever the WebSocket is to fail with, such as that nobody expected it.
    func webSocketStub(for request: TransportRequest) throws -> (any Transport)?
}

extension TestNetwork {
    /// Runs something whose requests ask this network: those of the task and of its children.
    package func asTestNetwork<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await TaskContext.$current.withValue(
            TaskContext.current.inheriting(self, as: (any TestNetwork).self), operation: body)
    }
}

extension TaskContext {
    /// The network of a test; looked up when a request is started.
    package var testNetwork: (any TestNetwork)? { self[(any TestNetwork).self] }
}

/// A session with the network of a test in front of it.
struct TestedTransport: TransportWrapper {
    let network: any TestNetwork
    let session: any Transport
    var inner: any Transport { session }

    /// The transport for a request that starts now: its session, with the test's network in front of it if the task has one.
    static func transport(over session: any Transport) -> any Transport {
        TaskContext.current.testNetwork.map { TestedTransport(network: $0, session: session) } ?? session
    }

    static func == (one: TestedTransport, other: TestedTransport) -> Bool {
        one.network === other.network && TransportIdentity(one.session) == TransportIdentity(other.session)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(network))
        hasher.combine(TransportIdentity(session))
    }

    func send(_ request: TransportRequest) async throws -> DataResponse {
        try await network.intercept(request, next: Next { try await session.send($0) })
    }
}
