#if canImport(CCurl)
import CCurl
import CEvents
import Dispatch

/// The thread that drives libcurl, as the rest of the program sees it: a locked inbox, and a bell.
///
/// Only that thread touches curl.
final class CurlEngine: Sendable {
    /// What can be asked of the thread.
    enum Command: Sendable {
        case start(CurlTransfer)
        case cancel(CurlTransfer)
        /// The reader of a streamed body has room again.
        case resumeBody(CurlTransfer)
        /// The body of a request has something to send again.
        case resumeUpload(CurlTransfer)
        /// It came after the engine was told to end.
        case refuse(CurlTransfer)
        /// A connection of its own is to be made.
        case connect(CurlLine)
        /// Something is to be read, written or closed.
        case attend(CurlLine)
        /// It came after the engine was told to end.
        case refuseConnection(CurlLine)
        /// A function has answered for a host.
        case resolved(String, Result<ResolvedHost, any Error>)
        /// The client has another certificate.
        case renew(TLSConfiguration.Identity)
        /// Somebody wants to know what the connections are doing.
        case count(@Sendable (PoolMetrics) -> Void)

        /// What becomes of this once the engine is to end: nothing starts any more.
        var afterShutdown: Command {
            switch self {
            case .start(let transfer): .refuse(transfer)
            case .connect(let line): .refuseConnection(line)
            default: self
            }
        }
    }

    /// A piece of a task, and the executor that it runs on.
    struct Job {
        let job: UnownedJob
        let executor: UnownedTaskExecutor

        func run() {
            job.runSynchronously(on: executor)
        }
    }

    private let inbox: Locked<CurlInbox>
    /// What wakes the thread while it waits for the network.
    private let bell: Int32
    /// Whose engines this one belongs to.
    let family: CurlFamily

    /// Whether there was no descriptor left for it, so that it has no thread and refuses every request.
    let isStillborn: Bool

    /// Starts the thread, which keeps the engine alive until it ends.
    init(_ configuration: CurlConfiguration, in family: CurlFamily) {
        self.family = family
        let parts = Parts(configuration)
        isStillborn = parts == nil
        bell = parts?.bell ?? -1
        inbox = Locked(CurlInbox(isClosed: parts == nil))
        guard let parts else { return }
        let thread = Thread { [self] in
            // Foundation names no thread but the current one, and not always that.
            ccurl_name_thread("Errand.Curl")
            cevents_hold_broken_pipe(true)
            cevents_set_thread_value(Unmanaged.passUnretained(self).toOpaque())
            var loop = CurlLoop(
                engine: self, multi: parts.multi, queue: parts.queue, bell: bell, configuration: configuration)
            loop.run()
        }
        thread.stackSize = 1 << 20
        thread.start()
    }

    /// What an engine needs of the system.
    private struct Parts: @unchecked Sendable {
        let bell: Int32
        let queue: Int32
        /// Handed to the engine's thread before anybody has used it, which is all that `Sendable` is needed for.
        let multi: OpaquePointer

        /// Nil where the process has no descriptor left.
        init?(_ configuration: CurlConfiguration) {
            bell = cevents_make_bell()
            queue = cevents_make_queue()
            guard Self.libraryIsReady, bell >= 0, queue >= 0, cevents_watch_bell(queue, bell),
                let multi = ccurl_multi_init()
            else {
                for descriptor in [bell, queue] where descriptor >= 0 { _ = cevents_close(descriptor) }
                return nil
            }
            self.multi = multi
            // A limit below 1 is a fault of the configuration, with which every request fails.
            let limits = [
                CCURLMOPT_MAX_HOST_CONNECTIONS: configuration.maximumConnectionsPerHost,
                CCURLMOPT_MAX_TOTAL_CONNECTIONS: configuration.maximumConnections,
                CCURLMOPT_MAXCONNECTS: configuration.maximumConnections,
            ].mapValues { max($0, 1) }
            // All versions that Errand works with take these.
            guard limits.allSatisfy({ ccurl_multi_set_long(multi, Int32($0.key), $0.value) == CCURLM_OK }) else {
                return nil
            }
        }

        /// Prepares the library, once.
        private static let libraryIsReady = ccurl_global_init() == CCURLE_OK
    }

    /// The engine whose thread this is.
    static var current: CurlEngine? {
        cevents_thread_value().map { Unmanaged<CurlEngine>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Hands a command over, in order.
    func submit(_ command: Command) {
        let isClosed = take { $0.add(command) }
        guard isClosed else { return }
        let refusal: URLError.Code = isStillborn ? .resourceUnavailable : .cancelled
        switch command {
        case .start(let transfer): transfer.refuse(refusal)
        case .connect(let line): line.end(.failure(URLError(refusal)))
        case .count(let report): report(PoolMetrics())
        default: break
        }
    }

    /// Runs a job on the thread; once that has ended, on a thread of the system's.
    func run(_ job: Job) {
        let isClosed = take { $0.add(job) }
        if isClosed { DispatchQueue.global().async { job.run() } }
    }

    /// Ends the thread, and calls back from it when it has closed everything.
    func shutDown(_ mode: CurlTransport.Shutdown, _ whenDone: @escaping @Sendable () -> Void) {
        let isClosed = take { $0.shutDown(mode, whenDone) }
        if isClosed { whenDone() }
    }

    /// Takes what has come in; for the thread.
    func takeBatch(reusing empty: CurlInbox.Batch) -> CurlInbox.Batch {
        inbox.withLock { $0.takeBatch(reusing: empty) }
    }

    /// Says that the thread will wait for the network; false when there is something to do first.
    ///
    /// - Parameter shutdown: What the thread knows of its end.
    func fallAsleep(knowing shutdown: CurlTransport.Shutdown?) -> Bool {
        inbox.withLock { $0.fallAsleep(knowing: shutdown) }
    }

    /// Says that the thread is awake again.
    func wakeUp() {
        inbox.withLock { $0.wakeUp() }
    }

    /// Closes the inbox for good, unless something came in since.
    func close() -> Bool {
        inbox.withLock { inbox in
            guard inbox.close() else { return false }
            _ = cevents_close(bell)
            return true
        }
    }

    /// Tells those who wait for the end; the last thing the thread does.
    func announceEnd() {
        for handler in inbox.withLock({ $0.takeShutdownHandlers() }) { handler() }
    }

    /// Puts something into the inbox, and wakes the thread for it: under the lock, since the thread closes the bell behind
    /// itself.
    ///
    /// - Returns: Whether the inbox is closed, and nothing was put in.
    private func take(_ put: (inout CurlInbox) -> CurlInbox.Receipt) -> Bool {
        inbox.withLock { inbox in
            let receipt = put(&inbox)
            if receipt == .takenAsleep { cevents_ring(bell) }
            return receipt == .refused
        }
    }
}
#endif
