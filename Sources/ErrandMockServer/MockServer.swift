public import Errand
public import ErrandTesting

/// An HTTP/1.1 server on the loopback interface, for tests of HTTP clients.
///
/// ```swift
/// let server = try MockServer()
/// server.on(.get, "/users/:id") { request in
///     try .json(encodable: ["id": request.parameters["id"]])
/// }
/// server.on(.get, "/broken") { _ in .text("0123456789").with(fault: .closeInBody(after: 4)) }
///
/// let (data, _) = try await URLSession.shared.data(from: server.url.appendingPathComponent("users/7"))
/// let request = try await server.takeRequest()      // request.headers["Accept"], request.connection …
/// ```
///
/// The server speaks HTTP, optionally over ``MockTLS``. It keeps connections alive (RFC 9112), and responds to
/// pipelined requests in order. A head may have 64 KiB; a larger one gets status 431, and a malformed one 400. Neither
/// is recorded in ``requests``. If a client closes its side, even if only for sending, its connection is closed
/// immediately, and its running handler is cancelled.
///
/// It does not support HTTP/2, whose framing, flow control and header compression make most of the faults here
/// meaningless. Test HTTP/2 against `nghttpd` or nginx. As a proxy, it records the requests that it receives, and opens
/// tunnels with ``ErrandTesting/MockResponse/tunnel(toPort:)``.
///
/// It serves all connections on one thread, and runs handlers as tasks. It ends with ``stop()``, or when its last
/// reference is released. A handler that captures the server strongly keeps it alive until it is stopped.
public final class MockServer: Sendable {
    /// The URL of the server without a path: `http://127.0.0.1:PORT`, or according to its host and TLS.
    public let url: URL
    /// The certificate, as PEM, that a client must trust for TLS; `nil` without TLS.
    public let certificateAuthority: Data?
    let router = Router()
    let faults = FaultTable()
    let journal = Journal()
    private let thread: LoopThread

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - port: The port; 0, the default, for any free port.
    ///   - host: The address on which it listens; 127.0.0.1 by default.
    ///   - tls: The TLS settings; `nil`, the default, for a server without TLS.
    ///   - maximumBodySize: The maximum number of bytes of a request's body; 256 MiB by default. A larger body gets
    ///     status 413.
    /// - Throws: ``MockServerError/system(operation:errno:)``, for example if the port is in use;
    ///   ``MockServerError/unixSocketPath(_:)``, ``MockServerError/tlsUnavailable(_:)`` and
    ///   ``MockServerError/tls(_:)``.
    public init(
        port: UInt16 = 0, host: Host = .ipv4, tls: MockTLS? = nil, maximumBodySize: Int = 256 << 20
    ) throws(MockServerError) {
        let tls = try tls.map { (tls) throws(MockServerError) in try TLSContext(tls) }
        let address = host.address(port: port)
        let listener = try Socket(boundTo: address)
        try listener.startListening()
        url = address.url(scheme: tls == nil ? "http" : "https", port: listener.port)
        certificateAuthority = tls?.authority
        thread = try LoopThread(
            listener: listener, tls: tls, journal: journal, router: router, faults: faults,
            maximumBodySize: maximumBodySize)
    }

    deinit {
        stop()
    }

    /// Adds a route: a handler for requests with this method whose path matches a pattern. If several routes match, the
    /// last added one is used.
    ///
    /// - Parameters:
    ///   - method: The method. A route for GET does not match HEAD.
    ///   - pattern: Segments separated by slashes. `:name` matches any single segment that is not empty. `*` as the
    ///     last segment matches one or more segments; anywhere else it is a programming error. The values of both are
    ///     in ``/ErrandTesting/MockRequest/parameters``.
    ///   - handler: Called for each matching request, concurrently for different connections.
    public func on(_ method: RequestMethod, _ pattern: String, handler: @escaping MockHandler) {
        router.add(Route(method, pattern, handler: handler))
    }

    /// Adds a route that always returns the same response.
    ///
    /// ```swift
    /// server.on(.put, "/books/:id", .json(["id": 7]))
    /// ```
    ///
    /// For the other parameters, see ``on(_:_:handler:)``.
    public func on(_ method: RequestMethod, _ pattern: String, _ response: MockResponse) {
        on(method, pattern) { _ in response }
    }

    /// Sets the handler for requests that no route matches. Without it, the response is a 404 that names the method and
    /// the path. Responses of ``enqueue(_:)-(MockResponse...)`` are used first.
    public func onAny(handler: @escaping MockHandler) {
        router.setFallback(handler)
    }

    /// Closes the listener and all connections, and ends the thread.
    ///
    /// All this is complete when the call returns. It waits only for the server's thread, which never runs code of the
    /// caller. Running handlers are cancelled but not awaited, and all handlers are released. Further calls do nothing.
    public func stop() {
        thread.stop()
        router.removeAll()
        faults.removeAll()
    }
}

extension MockServer {
    /// The counts of a server so far.
    public struct Activity: Hashable, Sendable {
        /// The number of received requests.
        public let requests: Int
        /// The number of accepted connections.
        public let acceptedConnections: Int
        /// The number of open connections.
        public let openConnections: Int
    }

    /// The received requests, in order of arrival.
    ///
    /// A request is added when it is complete, before its handler runs. It is kept for the lifetime of the server,
    /// unless ``keptRequests`` is set.
    public var requests: [MockRequest] { journal.requests }

    /// The number of latest requests that are kept; by default all.
    ///
    /// Set it to a small number in a test with very many requests, to save memory. ``takeRequest(within:clock:)`` skips
    /// requests that were discarded before, and ``Activity/requests`` still counts them. Setting the number discards
    /// surplus requests immediately. A negative number counts as zero.
    public var keptRequests: Int {
        get { journal.keptRequests }
        set { journal.keptRequests = newValue }
    }

    /// The number of accepted connections.
    public var acceptedConnections: Int { journal.counts.acceptedConnections }

    /// The number of open connections. It decreases as soon as a client closes one, even while a handler runs.
    public var openConnections: Int { journal.counts.openConnections }

    /// Takes the next request that has not been taken, in order of arrival. Waits if there is none.
    ///
    /// If several tasks call this concurrently, each request is returned to one of them.
    ///
    /// - Parameters:
    ///   - limit: The longest wait; 60 seconds by default. A request that has already arrived is taken with any limit.
    ///   - clock: The clock for the wait; real time by default.
    /// - Throws: ``/ErrandTesting/MockMismatch``, which lists the requests so far, if none comes in time;
    ///   `CancellationError` if the task is cancelled, and no request is taken; ``MockServerError/stopped`` if the
    ///   server has stopped and all requests are taken.
    public func takeRequest(
        within limit: Duration = .seconds(60), clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> MockRequest {
        try await journal.takeRequest(within: limit, clock: clock)
    }

    /// Waits until the counts of the server meet a condition, which is checked now and after each change.
    ///
    /// - Throws: `CancellationError` if the task is cancelled; ``MockServerError/stopped`` if the server stops before.
    public func waitUntil(_ condition: (Activity) -> Bool) async throws {
        while true {
            let counts = journal.counts
            let activity = Activity(
                requests: counts.requests, acceptedConnections: counts.acceptedConnections,
                openConnections: counts.openConnections)
            if condition(activity) { return }
            try await journal.change(after: counts.version)
        }
    }

    /// Waits until exactly this many connections are open.
    ///
    /// - Throws: As ``waitUntil(_:)``.
    public func waitUntil(openConnections count: Int) async throws {
        try await waitUntil { $0.openConnections == count }
    }
}
