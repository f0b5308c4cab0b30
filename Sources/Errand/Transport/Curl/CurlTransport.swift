#if canImport(CCurl)
/// libcurl as a transport: what requests use on Linux unless they are given another.
///
/// ```swift
/// var configuration = CurlConfiguration()
/// configuration.tls.additionalAuthorities = try Data(contentsOf: companyAuthority)
/// request.session = CurlTransport(configuration)
/// ```
///
/// Each transport is an engine: connections of its own, and one thread that drives them; tasks that run on its
/// ``executor`` may have more of these. What is not read of a streamed
/// body waits in at most ``bodyBufferSize`` bytes of memory for each transfer; then the socket is not read until the
/// reader has caught up. An engine ends when the transport is let go of and nothing is in flight any more, or with
/// ``shutdown(_:)``.
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
        let transfer = try CurlTransfer(request)
        let engine = engines.here
        defer { transfer.tellSanitizerOfTakeOver() }
        // Not ``withCancellationHandler(isolation:_:onCancel:)``, whose comment says what that would cost.
        return try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                transfer.delivery =
                    request.streamsResponse
                    ? .streamed(continuation, CurlBody(transfer, of: engine, keeping: self)) : .buffered(continuation)
                engine.submit(.start(transfer))
            }
        } onCancel: {
            engine.submit(.cancel(transfer))
        }
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
