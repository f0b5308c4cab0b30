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
    /// What a request fails with that comes when the inbox is closed.
    private let refusal: URLError.Code

    /// Whose engines this one belongs to.
    let family: CurlFamily

    /// Starts the thread, which keeps the engine alive until it ends.
    ///
    /// Where the process has no descriptor left there is no thread, and every request is refused.
    init(_ configuration: CurlConfiguration, in family: CurlFamily) {
        self.family = family
        let bell = cevents_make_bell()
        let queue = cevents_make_queue()
        self.bell = bell
        let canWait = bell >= 0 && queue >= 0 && cevents_watch_bell(queue, bell)
        inbox = Locked(CurlInbox(isClosed: !canWait))
        refusal = canWait ? .cancelled : .resourceUnavailable
        guard canWait else {
            for descriptor in [bell, queue] where descriptor >= 0 { _ = cevents_close(descriptor) }
            return
        }
        let thread = Thread { [self] in
            // Foundation names no thread but the current one, and not always that.
            ccurl_name_thread("Errand.Curl")
            cevents_set_thread_value(Unmanaged.passUnretained(self).toOpaque())
            var loop = CurlLoop(engine: self, queue: queue, bell: bell, configuration: configuration)
            loop.run()
        }
        thread.stackSize = 1 << 20
        thread.start()
    }

    /// The engine whose thread this is.
    static var current: CurlEngine? {
        cevents_thread_value().map { Unmanaged<CurlEngine>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Hands a command over, in order.
    func submit(_ command: Command) {
        let isClosed = take { $0.add(command) }
        guard isClosed else { return }
        switch command {
        case .start(let transfer): transfer.refuse(refusal)
        case .connect(let line): line.end(.failure(URLError(refusal)))
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
