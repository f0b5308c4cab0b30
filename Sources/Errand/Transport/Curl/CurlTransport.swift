#if canImport(CCurl)
/// libcurl as a transport: what requests use on Linux unless they are given another.
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
/// Make one transport for all requests of an API, not one for each request: every transport has its own connections, and a
/// thread that drives them. Its ``executor`` may have more threads. Unread data of a streamed body is kept in memory, at most
/// ``bodyBufferSize`` bytes for each transfer; then the socket is not read until the reader has caught up. The thread ends
/// when the transport has been released and its last request has ended, or with ``shutdown(_:)``.
public final class CurlTransport: Transport {
    /// What becomes of the requests in flight when a transport is shut down.
    public enum Shutdown: Sendable {
        /// They finish first.
        case finishing
        /// They are cancelled.
        case cancelling
    }

    /// The transport that requests use unless they are given another: one for the whole process.
    public static let shared: CurlTransport = {
        var configuration = CurlConfiguration()
        configuration.executorThreads = min(ProcessInfo.processInfo.activeProcessorCount, 8)
        return CurlTransport(configuration)
    }()

    /// The most bytes of a streamed body that wait to be read: 256 KiB, and what one read of the socket
    /// brings, at most 64 KiB more.
    public static let bodyBufferSize = 256 << 10

    let engines: CurlEngines

    /// Starts an engine, with connections of its own.
    public init(_ configuration: CurlConfiguration = CurlConfiguration()) {
        engines = CurlEngines(configuration)
    }

    deinit {
        engines.shutDown(.finishing) {}
    }

    /// Runs tasks on the engine's own threads, which saves them two changes of thread for each request.
    ///
    /// ```swift
    /// let users = try await withTaskExecutorPreference(CurlTransport.shared.executor) {
    ///     try await UsersRequest().start().value
    /// }
    /// ```
    ///
    /// A task stays on one thread as long as it waits for nothing but requests, and sends over that thread's connections.
    /// All transfers there wait while it computes, so it is for tasks that do little between requests. There are
    /// ``CurlConfiguration/executorThreads`` of these: in ``shared``, one for each processor, at most 8.
    public var executor: some TaskExecutor { engines }

    /// Sends a request, follows its redirects and waits for the response, or for its head when the body is streamed.
    ///
    /// - Throws: A ``TransportFailure``; an ``ErrandError`` with `cancelled` when the calling task is cancelled, or for
    ///   a body that cannot be sent.
    public func send(_ request: TransportRequest) async throws -> DataResponse {
        let transfer = try CurlTransfer(
            (request.bodyStream?.count ?? 1) > 0 ? request : try await request.withStreamRead())
        let engine = engines.here
        defer { transfer.tellSanitizerOfTakeOver() }
        // Not ``withCancellationHandler(isolation:_:onCancel:)``, whose comment says what that would cost.
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
        let answer = try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                transfer.delivery = .collected(continuation)
                engine.submit(.start(transfer))
            }
        } onCancel: {
            engine.submit(.cancel(transfer))
        }
        return answer.body.contentEncoding == nil ? answer.response : try await decoded(answer)
    }

    /// The answer without its content coding.
    private func decoded(_ answer: CurlTransfer.CollectedAnswer) async throws -> DataResponse {
        var response = answer.response
        do {
            response.body = ResponseBody(try await answer.body.decoded(isOnLoop: CurlEngine.current != nil))
        } catch let error as URLError {
            throw TransportFailure(error, metrics: response.metrics)
        }
        return response
    }

    /// Opens connections before they are needed, so that later requests find them.
    ///
    /// Sends one `HEAD` request for each connection, all at the same time, and discards the responses. Over HTTP/2, all requests
    /// share one connection. A task that runs on ``executor`` opens
    /// connections that only tasks on the same thread of ``executor`` use.
    ///
    /// - Parameters:
    ///   - url: The URL of the requests. Choose a path that is cheap for the server.
    ///   - connections: How many connections; 1 by default.
    /// - Throws: If all requests fail, the error of one of them, as ``send(_:)`` throws it.
    public func warmUp(_ url: URL, connections: Int = 1) async throws {
        var request = URLRequest(url: url)
        request.httpMethod = "HEAD"
        let transportRequest = TransportRequest(request)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<connections { group.addTask { _ = try await self.send(transportRequest) } }
            var answers = 0
            var failure: (any Error)?
            while let result = await group.nextResult() {
                switch result {
                case .success: answers += 1
                case .failure(let error): failure = error
                }
            }
            if answers == 0, let failure { throw failure }
        }
    }

    /// Replaces the client certificate, for example before it expires.
    ///
    /// Requests that have started continue. Later requests use connections that were made with the new certificate. If the new
    /// certificate has the same file names as the old one, existing connections are still used, and only new connections read
    /// the files again.
    public func renewIdentity(_ identity: TLSConfiguration.Identity) {
        engines.renew(identity)
    }

    /// Returns the current number of connections and requests, by origin and state.
    ///
    /// With several threads, the counts of each thread are taken one after the other.
    public func poolMetrics() async -> PoolMetrics {
        await engines.poolMetrics
    }

    /// Ends the engine and waits until its thread has closed every connection.
    ///
    /// Requests that come later fail with `cancelled`. Shutting down again only waits, but `cancelling` also cancels
    /// what an earlier call let finish.
    public func shutdown(_ mode: Shutdown = .finishing) async {
        await withCheckedContinuation { continuation in
            engines.shutDown(mode) { continuation.resume() }
        }
    }
}

extension Transport where Self == CurlTransport {
    /// libcurl, shared by the whole process.
    public static var curl: CurlTransport { .shared }
}
#endif
