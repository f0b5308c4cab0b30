#if canImport(CCurl)
/// A transport that uses libcurl, the default transport on Linux.
///
/// ```swift
/// class CompanyAPI: APIBase {
///     static let transport = {
///         var configuration = CurlConfiguration()
///         configuration.tls.additionalAuthorities = companyAuthority
///         return CurlTransport(configuration)
///     }()
///
///     override init() {
///         super.init()
///         session = Self.transport
///     }
/// }
/// ```
///
/// Make one transport for all requests of an API, not one for each request. Every transport has its own connections and
/// a thread that drives them. Its ``executor`` may have more threads. All threads end when the transport has been
/// released and its last request has ended, or after ``shutdown(cancelsRequests:)``.
///
/// Unread data of a streamed body stays in memory: at most 256 KiB and one read of 64 KiB for each transfer. Over
/// HTTP/2, libcurl can hold more. At the limit, the transport stops reading until the reader has caught up.
public final class CurlTransport: Transport {
    /// The treatment of active requests when a transport is shut down.
    enum Shutdown {
        /// Waits until they finish.
        case finishing
        /// Cancels them.
        case cancelling
    }

    /// The default transport, one for the whole process.
    public static let shared: CurlTransport = {
        var configuration = CurlConfiguration()
        configuration.executorThreads = min(ProcessInfo.processInfo.activeProcessorCount, 8)
        return CurlTransport(configuration)
    }()

    /// The number of unread bytes of a streamed body at which reading stops: 256 KiB.
    package static let bodyBufferSize = 256 << 10

    let engines: CurlEngines

    /// Creates a transport and starts its engine, which has its own connections.
    public init(_ configuration: CurlConfiguration = CurlConfiguration()) {
        engines = CurlEngines(configuration)
    }

    deinit {
        engines.shutDown(.finishing) {}
    }

    /// An executor that runs tasks on the engine's threads, which saves two thread changes for each request, and one
    /// for each message that a WebSocket receives without compression.
    ///
    /// ```swift
    /// let users = try await withTaskExecutorPreference(CurlTransport.shared.executor) {
    ///     try await UsersRequest().start().value
    /// }
    /// ```
    ///
    /// A task stays on one thread as long as it waits only for requests, except for a response with a content coding,
    /// which is decoded on another thread. Its requests use the connections of its thread. All transfers of the thread
    /// wait while the task computes, so use the executor for tasks that do little between requests. The number of
    /// threads is ``CurlConfiguration/executorThreads``; in ``shared``, it is the number of processors, at most 8.
    public var executor: some TaskExecutor { engines }

    /// Sends a request, follows redirects and returns the response. If the body is streamed, returns as soon as the
    /// head has arrived.
    ///
    /// - Throws: A ``TransportFailure``, with the code `cancelled` if the calling task is cancelled; an ``ErrandError``
    ///   for an invalid setting or a request that cannot be sent; the error of a body stream.
    public func send(_ request: TransportRequest) async throws -> DataResponse {
        // libcurl would not read a stream with the declared size 0, so it is read here, which checks the size.
        let isEmptyStream = request.bodyStream.map { $0.count == 0 } ?? false
        let transfer = isEmptyStream ? try await CurlTransfer(request.withStreamRead()) : try CurlTransfer(request)
        // The engine on whose thread this task runs; the first engine for other tasks.
        let engine = engines.ofCurrentThread
        // Tells the thread sanitizer that this task goes on after the loop has written to the transfer.
        defer { transfer.acquireForSanitizer() }
        // The transfer resumes its continuation exactly once, when it ends or when a streamed body begins.
        // The standard library's function costs about 1,000 instructions less than Errand's
        // ``withCancellationHandler(isolation:_:onCancel:)``.
        if request.streamsResponse {
            return try await withTaskCancellationHandler {
                try await withUnsafeThrowingContinuation { continuation in
                    transfer.delivery = .streamed(continuation, StreamedBody(transfer, of: engine, keeping: self))
                    engine.submit(.start(transfer))
                }
            } onCancel: {
                engine.submit(.cancel(transfer))
            }
        }
        let collected = try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                transfer.delivery = .collected(continuation)
                engine.submit(.start(transfer))
            }
        } onCancel: {
            engine.submit(.cancel(transfer))
        }
        return collected.body.codings.isEmpty ? collected.response : try await decoded(collected)
    }

    /// Returns the response after undoing its content codings.
    private func decoded(_ collected: CurlTransfer.CollectedResponse) async throws -> DataResponse {
        var response = collected.response
        do {
            response.body = ResponseBody(try await collected.body.decoded(isOnLoop: CurlEngine.current != nil))
        } catch let error as URLError {
            throw TransportFailure(error, metrics: response.metrics)
        }
        return response
    }

    /// Opens connections in advance, so that later requests can use them.
    ///
    /// Sends one `HEAD` request for each connection, all at the same time, and discards the responses. Over HTTP/2, all
    /// requests share one connection. If the calling task runs on ``executor``, only tasks on the same thread of
    /// ``executor`` use the connections.
    ///
    /// - Parameters:
    ///   - url: The URL of the requests. Choose a path that is cheap for the server.
    ///   - connections: The number of connections; 1 by default. A negative number counts as 0.
    /// - Throws: If all requests fail, the error of one of them, as described for ``send(_:)``.
    public func warmUp(_ url: URL, connections: Int = 1) async throws {
        var request = URLRequest(url: url)
        request.httpMethod = "HEAD"
        let transportRequest = TransportRequest(request)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<max(connections, 0) { group.addTask { _ = try await self.send(transportRequest) } }
            var successes = 0
            var failure: (any Error)?
            while let result = await group.nextResult() {
                switch result {
                case .success: successes += 1
                case .failure(let error): failure = error
                }
            }
            if successes == 0, let failure { throw failure }
        }
    }

    /// Replaces the client certificate, for example before it expires.
    ///
    /// Started requests continue. Later requests use connections that were made with the new certificate. If the new
    /// certificate has the same file names as the old one, existing connections stay in use. Then only new connections
    /// read the files again.
    public func renewIdentity(_ identity: TLSConfiguration.Identity) {
        engines.renew(identity)
    }

    /// Returns the current number of connections and requests, in total and for each origin.
    ///
    /// With several threads, the threads are counted one after another, not at the same moment.
    public func poolMetrics() async -> PoolMetrics {
        await engines.poolMetrics
    }

    /// Shuts the engines down and waits until their threads have closed every connection.
    ///
    /// Later requests fail with `cancelled`. A second call waits for the first. With `cancelsRequests`, it also cancels
    /// the requests that the first call allowed to finish.
    ///
    /// - Parameter cancelsRequests: Whether active requests are cancelled. By default, they may finish.
    public func shutdown(cancelsRequests: Bool = false) async {
        await withCheckedContinuation { continuation in
            engines.shutDown(cancelsRequests ? .cancelling : .finishing) { continuation.resume() }
        }
    }
}

extension Transport where Self == CurlTransport {
    /// The shared libcurl transport of the process.
    public static var curl: CurlTransport { .shared }
}

/// The current number of connections and requests of a ``CurlTransport``, see ``CurlTransport/poolMetrics()``.
public struct PoolMetrics: Sendable, Hashable {
    /// The connections that are open or being opened, including those of WebSockets.
    public internal(set) var connections = 0
    /// The connections that no request uses.
    public internal(set) var idleConnections = 0
    /// The requests that have not ended, including those that wait.
    public internal(set) var requests = 0
    /// The requests that wait for a connection.
    public internal(set) var waiting = 0
    /// The requests that wait for the addresses of their host.
    public internal(set) var lookups = 0
    /// The requests that wait for a TLS handshake.
    public internal(set) var handshakes = 0
    /// The same numbers for each origin with a connection or a request, such as `https://api.example.com:443`.
    public internal(set) var origins: [String: PoolMetrics] = [:]

    /// Adds the numbers of an origin, or of another part of the pool.
    mutating func add(_ other: PoolMetrics) {
        connections += other.connections
        idleConnections += other.idleConnections
        requests += other.requests
        waiting += other.waiting
        lookups += other.lookups
        handshakes += other.handshakes
        for (origin, metrics) in other.origins { origins[origin, default: PoolMetrics()].add(metrics) }
    }

    /// Counts a request according to its current phase.
    mutating func count(_ phase: TimeoutReason.Phase) {
        requests += 1
        switch phase {
        case .connectionLimit: waiting += 1
        case .nameLookup: lookups += 1
        case .handshake: handshakes += 1
        case .connection, .response, .head, .body, .requestBody: break
        }
    }
}

extension CurlTransport: Confidential {
    /// The name of the type, without its configuration or its requests.
    public var description: String { "CurlTransport" }
}
#endif
