#if canImport(CCurl)
import CCurl
import CEvents
import Dispatch

/// The interface to the thread that drives libcurl: a locked inbox and a descriptor that wakes the thread.
///
/// Only that thread uses libcurl's handles, except for a ``CurlConnection``, to which tasks write on their threads.
final class CurlEngine: Sendable {
    /// A command for the thread.
    enum Command: Sendable {
        case start(CurlTransfer)
        case cancel(CurlTransfer)
        /// Continues a response body whose reader has room again.
        case resumeBody(CurlTransfer)
        /// Continues a response after the decision about its redirect: with the chain that follows it, if any.
        case decided(CurlTransfer, Result<RedirectChain?, any Error>)
        /// Continues a request body that has data again.
        case resumeUpload(CurlTransfer)
        /// Rejects a transfer that was submitted after shutdown began.
        case refuse(CurlTransfer)
        /// Opens a separate connection.
        case connect(CurlConnection)
        /// Reads from, writes to or closes a connection.
        case attend(CurlConnection)
        /// Rejects a connection that was submitted after shutdown began.
        case refuseConnection(CurlConnection)
        /// Passes on the result of a name service function for a host.
        case resolved(String, lookup: Int, Result<ResolvedHost, any Error>)
        /// Replaces the client certificate.
        case renew(TLSConfiguration.Identity)
        /// Reports the connection and request counts.
        case count(@Sendable (PoolMetrics) -> Void)

        /// The command that replaces this one after shutdown has begun, when nothing new starts.
        var afterShutdown: Command {
            switch self {
            case .start(let transfer): .refuse(transfer)
            case .connect(let connection): .refuseConnection(connection)
            default: self
            }
        }
    }

    /// A job of a task, with its executor.
    struct Job {
        let job: UnownedJob
        let executor: UnownedTaskExecutor
        /// Whether the job may run the user's code, and not only Errand's.
        let runsUserCode: Bool

        func run() {
            job.runSynchronously(on: executor)
        }
    }

    private let inbox: Locked<CurlInbox>
    /// The descriptor that wakes the thread while it waits for the network.
    private let wakeup: Int32
    /// The group of engines that this engine belongs to.
    let family: CurlFamily

    /// Whether the engine has no thread, for lack of a system resource such as a descriptor: it refuses every request.
    let hasNoThread: Bool

    /// Starts the thread. The thread keeps the engine alive until it ends.
    init(_ configuration: CurlConfiguration, in family: CurlFamily) {
        self.family = family
        let parts = Parts(configuration)
        hasNoThread = parts == nil
        wakeup = parts?.wakeup ?? -1
        inbox = Locked(CurlInbox(isClosed: parts == nil))
        guard let parts else { return }
        let thread = Thread { [self] in
            // libcurl writes to sockets. If a peer has closed one, the write must fail instead of ending the process.
            cevents_block_sigpipe(true)
            // Foundation can name only the current thread, and not on every platform.
            ccurl_name_thread("Errand.Curl")
            cevents_set_thread_value(Unmanaged.passUnretained(self).toOpaque())
            var loop = CurlDriver(
                engine: self, multi: parts.multi, queue: parts.queue, wakeup: wakeup, configuration: configuration)
            loop.run()
        }
        thread.stackSize = 1 << 20
        thread.start()
    }

    /// The system resources of an engine.
    ///
    /// `@unchecked Sendable` is safe because after the initializer, only the engine's thread uses the multi handle.
    private struct Parts: @unchecked Sendable {
        let wakeup: Int32
        let queue: Int32
        /// The multi handle.
        let multi: OpaquePointer

        /// Returns `nil` if a system resource is missing, usually a descriptor.
        init?(_ configuration: CurlConfiguration) {
            wakeup = cevents_make_wakeup()
            queue = cevents_make_queue()
            guard Self.libraryIsReady, wakeup >= 0, queue >= 0, cevents_watch_wakeup(queue, wakeup),
                let multi = ccurl_multi_init()
            else {
                Self.close([wakeup, queue])
                return nil
            }
            self.multi = multi
            // A limit below 1 is invalid and makes every request fail, so libcurl may get any valid number instead.
            let limits = [
                CCURLMOPT_MAX_HOST_CONNECTIONS: configuration.maximumConnectionsPerHost,
                CCURLMOPT_MAX_TOTAL_CONNECTIONS: configuration.maximumConnections,
                CCURLMOPT_MAXCONNECTS: configuration.maximumConnections,
            ].mapValues { max($0, 1) }
            // All supported versions accept these options.
            guard limits.allSatisfy({ ccurl_multi_set_long(multi, Int32($0.key), $0.value) == CCURLM_OK }) else {
                ccurl_multi_cleanup(multi)
                Self.close([wakeup, queue])
                return nil
            }
        }

        private static func close(_ descriptors: [Int32]) {
            for descriptor in descriptors where descriptor >= 0 { _ = cevents_close(descriptor) }
        }

        /// Whether libcurl was initialized, which happens once.
        private static let libraryIsReady = ccurl_global_init() == CCURLE_OK
    }

    /// The engine of the current thread; `nil` on other threads.
    static var current: CurlEngine? {
        cevents_thread_value().map { Unmanaged<CurlEngine>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Submits a command; commands keep their order. If the thread has ended or could not start, responds only to
    /// callers that wait.
    func submit(_ command: Command) {
        let isClosed = put { $0.add(command) }
        guard isClosed else { return }
        let refusal: URLError.Code = hasNoThread ? .resourceUnavailable : .cancelled
        switch command {
        case .start(let transfer): transfer.refuse(refusal)
        case .connect(let connection): connection.end(.failure(URLError(refusal)))
        case .count(let report): report(PoolMetrics())
        default: break
        }
    }

    /// Runs a job on the thread, or on a global dispatch queue if the thread has ended or could not start.
    func run(_ job: Job) {
        let isClosed = put { $0.add(job) }
        if isClosed { DispatchQueue.global().async { job.run() } }
    }

    /// Shuts the thread down. The thread calls `whenDone` after it has closed everything. If it has ended, this method
    /// calls it immediately.
    func shutDown(_ mode: CurlTransport.Shutdown, _ whenDone: @escaping @Sendable () -> Void) {
        let isClosed = put { $0.shutDown(mode, whenDone) }
        if isClosed { whenDone() }
    }

    /// Returns the received commands and jobs. Only the engine's thread calls it.
    func takeBatch(reusing empty: CurlInbox.Batch) -> CurlInbox.Batch {
        inbox.withLock { $0.takeBatch(reusing: empty) }
    }

    /// Announces that the thread will wait for the network. Returns `false` if there is work to do first.
    ///
    /// - Parameter shutdown: The shutdown mode that the thread knows.
    func fallAsleep(knowing shutdown: CurlTransport.Shutdown?) -> Bool {
        inbox.withLock { $0.fallAsleep(knowing: shutdown) }
    }

    /// Announces that the thread is awake again.
    func wakeUp() {
        inbox.withLock { $0.wakeUp() }
    }

    /// Closes the inbox and the wake-up descriptor. Returns `false` and closes neither if something has arrived.
    func close() -> Bool {
        inbox.withLock { inbox in
            guard inbox.close() else { return false }
            _ = cevents_close(wakeup)
            return true
        }
    }

    /// Calls the shutdown handlers. This is the last action of the thread.
    func announceEnd() {
        for handler in inbox.withLock({ $0.takeShutdownHandlers() }) { handler() }
    }

    /// Adds something to the inbox and wakes the thread if necessary. Both happen under the lock, because the thread
    /// closes the descriptor when it ends.
    ///
    /// - Returns: Whether the inbox is closed, in which case nothing was added.
    private func put(_ add: (inout CurlInbox) -> CurlInbox.Receipt) -> Bool {
        inbox.withLock { inbox in
            let receipt = add(&inbox)
            if receipt == .takenAsleep { cevents_wake(wakeup) }
            return receipt == .refused
        }
    }
}

// The executor of Errand's tasks that use the connections of this engine.
extension CurlEngine: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        run(Job(job: UnownedJob(job), executor: asUnownedTaskExecutor(), runsUserCode: false))
    }
}
#endif
