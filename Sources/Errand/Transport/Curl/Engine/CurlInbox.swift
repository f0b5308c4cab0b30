#if canImport(CCurl)
/// What has come in for an engine's thread, and whether that waits for the network.
///
/// A pure value; the engine locks it, and rings where it is told to.
struct CurlInbox {
    /// What has come in since the thread last looked.
    struct Batch {
        var commands: [CurlEngine.Command] = []
        var jobs: [CurlEngine.Job] = []
        /// Known to the thread or not: it stays, unlike the rest.
        var shutdown: CurlTransport.Shutdown?

        var isEmpty: Bool { commands.isEmpty && jobs.isEmpty }
    }

    /// What became of something that was put in.
    enum Receipt {
        case taken
        /// Somebody has to wake the thread, which did not know yet that there is something.
        case takenAsleep
        /// The inbox is closed.
        case refused
    }

    private var batch = Batch()
    private var isAsleep = false
    private var isClosed: Bool
    private var shutdownHandlers: [@Sendable () -> Void] = []

    init(isClosed: Bool = false) {
        self.isClosed = isClosed
    }

    mutating func add(_ command: CurlEngine.Command) -> Receipt {
        put { $0.batch.commands.append($0.batch.shutdown == nil ? command : command.afterShutdown) }
    }

    mutating func add(_ job: CurlEngine.Job) -> Receipt {
        put { $0.batch.jobs.append(job) }
    }

    mutating func shutDown(_ mode: CurlTransport.Shutdown, _ whenDone: @escaping @Sendable () -> Void) -> Receipt {
        put { inbox in
            inbox.shutdownHandlers.append(whenDone)
            if inbox.batch.shutdown != .cancelling { inbox.batch.shutdown = mode }
        }
    }

    private mutating func put(_ change: (inout CurlInbox) -> Void) -> Receipt {
        if isClosed { return .refused }
        change(&self)
        defer { isAsleep = false }
        return isAsleep ? .takenAsleep : .taken
    }

    /// Gives what has come in, in exchange for an empty batch.
    mutating func takeBatch(reusing empty: Batch) -> Batch {
        var next = empty
        next.shutdown = batch.shutdown
        swap(&batch, &next)
        return next
    }

    /// - Parameter shutdown: What the thread knows of its end; when there is news of that, it stays awake.
    /// - Returns: Whether nothing is left to do.
    mutating func fallAsleep(knowing shutdown: CurlTransport.Shutdown?) -> Bool {
        isAsleep = batch.isEmpty && batch.shutdown == shutdown
        return isAsleep
    }

    mutating func wakeUp() {
        isAsleep = false
    }

    /// Closes it for good, unless something has come in.
    mutating func close() -> Bool {
        isClosed = batch.isEmpty
        return isClosed
    }

    /// Who waits for the end.
    mutating func takeShutdownHandlers() -> [@Sendable () -> Void] {
        defer { shutdownHandlers = [] }
        return shutdownHandlers
    }
}
#endif
