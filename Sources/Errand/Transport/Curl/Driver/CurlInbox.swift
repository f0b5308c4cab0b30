#if canImport(CCurl)
/// The commands and jobs for an engine's thread, and whether that thread waits for the network.
///
/// A pure value; the engine locks it, and wakes the thread when the receipt says so.
struct CurlInbox {
    /// The commands and jobs that have arrived since the last batch was taken.
    struct Batch {
        var commands: [CurlEngine.Command] = []
        var jobs: [CurlEngine.Job] = []
        /// The shutdown mode. Unlike the rest, it stays after a batch is taken.
        var shutdown: CurlTransport.Shutdown?

        var isEmpty: Bool { commands.isEmpty && jobs.isEmpty }
    }

    /// The result of adding something.
    enum Receipt {
        case taken
        /// The item was added, and the caller must wake the thread.
        case takenAsleep
        /// The inbox is closed, and nothing was added.
        case refused
    }

    private var batch = Batch()
    private var isAsleep = false
    private var isClosed: Bool
    /// The handlers that wait for the end of the thread; `nil` once it has ended.
    private var shutdownHandlers: [@Sendable () -> Void]?

    init(isClosed: Bool = false) {
        self.isClosed = isClosed
        shutdownHandlers = isClosed ? nil : []
    }

    mutating func add(_ command: CurlEngine.Command) -> Receipt {
        put { $0.batch.commands.append($0.batch.shutdown == nil ? command : command.afterShutdown) }
    }

    mutating func add(_ job: CurlEngine.Job) -> Receipt {
        put { $0.batch.jobs.append(job) }
    }

    mutating func shutDown(_ mode: CurlTransport.Shutdown, _ whenDone: @escaping @Sendable () -> Void) -> Receipt {
        guard shutdownHandlers?.append(whenDone) != nil else { return .refused }
        // A closed inbox only adds the handler: its thread closes the connections already.
        let receipt = put { if $0.batch.shutdown != .cancelling { $0.batch.shutdown = mode } }
        return receipt == .refused ? .taken : receipt
    }

    private mutating func put(_ change: (inout CurlInbox) -> Void) -> Receipt {
        if isClosed { return .refused }
        change(&self)
        defer { isAsleep = false }
        return isAsleep ? .takenAsleep : .taken
    }

    /// Returns the current batch, in exchange for an empty one.
    mutating func takeBatch(reusing empty: Batch) -> Batch {
        var next = empty
        next.shutdown = batch.shutdown
        swap(&batch, &next)
        return next
    }

    /// Marks the thread as asleep if it has no work.
    ///
    /// - Parameter shutdown: The shutdown mode that the thread knows; if it has changed, the thread stays awake.
    /// - Returns: Whether the thread is asleep.
    mutating func fallAsleep(knowing shutdown: CurlTransport.Shutdown?) -> Bool {
        isAsleep = batch.isEmpty && batch.shutdown == shutdown
        return isAsleep
    }

    mutating func wakeUp() {
        isAsleep = false
    }

    /// Closes the inbox permanently. Returns `false` if something has arrived.
    mutating func close() -> Bool {
        isClosed = batch.isEmpty
        return isClosed
    }

    /// Returns and removes the handlers that wait for the end of the thread.
    mutating func takeShutdownHandlers() -> [@Sendable () -> Void] {
        defer { shutdownHandlers = nil }
        return shutdownHandlers ?? []
    }
}
#endif
