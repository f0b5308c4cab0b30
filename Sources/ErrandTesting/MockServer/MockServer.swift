public import Errand

/// An HTTP/1.1 server on the loopback, for testing what talks HTTP.
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
/// It speaks HTTP, over ``MockTLS`` if asked to, keeps connections alive as RFC 9112 says and answers pipelined requests in order.
/// A head may have 64 KiB (more is answered 431); one that is malformed is answered 400, and neither is among
/// ``requests``. A client that closes its side, even for sending only, counts as gone: its connection is closed at once,
/// and the handler that was running for it is cancelled.
///
/// It speaks HTTP/1.1 and no HTTP/2, which is another protocol on the wire: frames, streams with flow control, and header
/// fields compressed with a state that both sides share. None of the faults here would mean anything in it. Test HTTP/2
/// against `nghttpd` or nginx. As a proxy it records what it is asked to forward, and opens tunnels with
/// ``MockResponse/tunnel(toPort:)``.
///
/// It serves from one thread of its own, and runs handlers as tasks. ``stop()`` ends it, and so does letting go of the
/// last reference; a handler that captures the server strongly keeps it alive until it is stopped.
public final class MockServer: Sendable {
    /// What answers a request; throwing answers 500 with the error's description.
    public typealias Handler = @Sendable (MockRequest) async throws -> MockResponse

    /// Where the server is: `http://127.0.0.1:PORT`, or as its host and its TLS have it, without a path.
    public let url: URL
    /// Whom a client has to trust to speak TLS with it, as PEM; nil when it does not speak TLS.
    public let certificateAuthority: Data?
    let router = Router()
    let faults = FaultTable()
    let journal = Journal()
    private let thread: LoopThread

    /// Binds, listens and serves from here on.
    ///
    /// - Parameters:
    ///   - port: The port, or 0 for any that is free.
    ///   - host: Where it listens; on 127.0.0.1 by default.
    ///   - tls: How it speaks TLS; nil when it does not.
    ///   - maximumBodySize: The bytes a request's body may have; more is answered 413.
    /// - Throws: ``MockServerError/system(operation:errno:)``, for example when the port is taken;
    ///   ``MockServerError/tlsUnavailable(_:)`` and ``MockServerError/tls(_:)``.
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

    /// Answers requests of a method whose path matches a pattern; of several routes that match, the latest is taken.
    ///
    /// - Parameters:
    ///   - method: The method; HEAD is not answered by a route for GET.
    ///   - pattern: Segments between slashes. `:name` matches any one segment that is not empty; `*`, as the last,
    ///     matches one or more, and anywhere else is a programmer's error. Both are found in
    ///     ``MockRequest/parameters``.
    ///   - handler: Called for every such request, of different connections at once.
    public func on(_ method: RequestMethod, _ pattern: String, handler: @escaping Handler) {
        router.add(Route(method, pattern, handler: handler))
    }

    /// Answers requests of a method whose path matches a pattern with one response, each time.
    ///
    /// ```swift
    /// server.on(.put, "/books/:id", .json(["id": 7]))
    /// ```
    ///
    /// The other parameters are those of ``on(_:_:handler:)``.
    public func on(_ method: RequestMethod, _ pattern: String, _ response: MockResponse) {
        on(method, pattern) { _ in response }
    }

    /// Answers what no route matches, in place of the 404 that names the method and the path. Responses of
    /// ``enqueue(_:)-(MockResponse...)`` are used first.
    public func onAny(handler: @escaping Handler) {
        router.setFallback(handler)
    }

    /// Closes the listener and every connection, and ends the thread.
    ///
    /// All that has happened when it returns: it waits for the thread to finish what it is doing, which never includes
    /// anything of the caller's. Handlers that are running are cancelled but not waited for, and all are let go of.
    /// To stop again does nothing.
    public func stop() {
        thread.stop()
        router.removeAll()
        faults.removeAll()
    }
}

extension MockServer {
    /// What a server has seen so far.
    public struct Activity: Hashable, Sendable {
        /// The number of requests that have come.
        public let requests: Int
        /// The number of connections ever accepted.
        public let acceptedConnections: Int
        /// The number of connections open now.
        public let openConnections: Int
    }

    /// Every request so far, in order of arrival.
    ///
    /// One is added when all of it has come, before its handler runs, and kept for as long as the server lives, unless
    /// ``keptRequests`` says otherwise.
    public var requests: [MockRequest] { journal.requests }

    /// How many of the latest requests are kept, from 0 up; all of them by default.
    ///
    /// A test of a million requests sets it to a few, so that what they hold is let go of. Those that are let go of before
    /// ``takeRequest(within:clock:)`` came to them are passed over there, and counted on by ``Activity/requests``. Setting it lets go of
    /// what is too much at once; less than zero counts as zero.
    public var keptRequests: Int {
        get { journal.keptRequests }
        set { journal.keptRequests = newValue }
    }

    /// The number of connections ever accepted.
    public var acceptedConnections: Int { journal.counts.acceptedConnections }

    /// The number of connections open now; it falls as soon as a client closes one, whatever the server is doing.
    public var openConnections: Int { journal.counts.openConnections }

    /// Takes the next request that has not been taken yet, in order of arrival; waits if no request is left.
    ///
    /// Several tasks may take at once: each request is given to one of them.
    ///
    /// - Parameters:
    ///   - limit: How long it is waited for; 60 seconds by default. A request that has already come is taken at any limit.
    ///   - clock: The clock that measures this; real time by default.
    /// - Throws: ``Mismatch``, which lists what has come so far, when none comes in time; `CancellationError` when the task is
    ///   cancelled, which takes nothing; ``MockServerError/stopped`` when the server has been stopped and all requests are
    ///   taken.
    public func takeRequest(
        within limit: Duration = .seconds(60), clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> MockRequest {
        guard let request = try await journal.takeRequest(within: limit, clock: clock) else {
            throw Mismatch("no request to be taken came within \(limit)\n\(journey)")
        }
        return request
    }

    /// Waits until what the server has seen meets a condition, which is asked now and after changes.
    ///
    /// - Throws: `CancellationError` when the task is cancelled; ``MockServerError/stopped`` when the server has been
    ///   stopped without meeting it.
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
    /// - Throws: As ``waitUntil(_:)`` does.
    public func waitUntil(openConnections count: Int) async throws {
        try await waitUntil { $0.openConnections == count }
    }
}
