import Synchronization

/// A test's replacement for the network, for all requests that a task starts.
///
/// It comes immediately before the transport, after the request's own interceptors, so that retries, tokens and caches
/// work as over the network. A request with its own stub does not use it.
package protocol TestNetwork: Interceptor, AnyObject {
    /// Who responds to a request; by default a stub.
    var peer: Peer { get }
    /// Returns the transport that opens a WebSocket in place of the session; `nil` to use the session.
    ///
    /// - Throws: The error with which the WebSocket fails, for example because it is unexpected.
    func webSocketStub(for request: TransportRequest) throws -> (any Transport)?
}

extension TestNetwork {
    package var peer: Peer { .stub }

    /// Runs a closure whose requests, including those of child tasks, use this network.
    package func asTestNetwork<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await TestedTransport.$current.withValue(self, operation: body)
    }
}

/// A transport that reaches the network. Others are mostly made for tests.
protocol NetworkTransport: Transport {}

extension CurlTransport: NetworkTransport {}
extension URLSessionTransport: NetworkTransport {}

/// A session with a test network before it.
package struct TestedTransport: Transport {
    /// The test network of the current task.
    @TaskLocal package static var current: (any TestNetwork)?

    /// The test network of a request that starts now: that of the task, or that of the process before a session that
    /// reaches the network.
    static func network(before session: any Transport) -> (any TestNetwork)? {
        if let current { return current }
        guard hasFallback.load(ordering: .acquiring), session is any NetworkTransport else { return nil }
        return fallback.withLock { $0.network }
    }

    /// The test network of tasks without one, and the number of its users.
    private static let fallback = Locked((network: nil as (any TestNetwork)?, users: 0))
    /// Whether `fallback` has a network. If it has not, a request takes no lock.
    private static let hasFallback = Atomic(false)

    /// Makes a network that of all tasks without one. The network of the first user remains until the last one ends.
    package static func beginFallback(_ network: any TestNetwork) {
        fallback.withLock { fallback in
            fallback.network = fallback.network ?? network
            fallback.users += 1
            hasFallback.store(true, ordering: .releasing)
        }
    }

    /// Ends a use of that network.
    package static func endFallback() {
        fallback.withLock { fallback in
            fallback.users -= 1
            guard fallback.users == 0 else { return }
            fallback.network = nil
            hasFallback.store(false, ordering: .releasing)
        }
    }

    package let network: any TestNetwork
    package let session: any Transport

    /// Returns the transport for a request that starts now: its session, with the test network before it if the task
    /// has one.
    static func transport(over session: any Transport) -> any Transport {
        network(before: session).map { TestedTransport(network: $0, session: session) } ?? session
    }

    package func send(_ request: TransportRequest) async throws -> DataResponse {
        try await network.intercept(request, next: Next { try await session.send($0) })
    }
}
