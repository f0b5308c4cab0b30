/// The state machine of ``MergeRun``. Each event returns actions, which the caller performs after it has released the
/// lock.
///
/// An outcome counts toward the limit until it is received, so a slow receiver delays the start of further runs.
struct MergeRunState<Output: Sendable, Failure: Error>: Sendable {
    typealias Outcome = (offset: Int, result: Result<Output, Failure>)
    typealias Receiver = @Sendable (Outcome?) -> Void

    struct Actions {
        /// The offsets of the runs to start.
        var starts: Range<Int> = 0..<0
        /// Whether the runs to start are cancelled from the beginning.
        var startsCancelled = false
        var cancels: [Task<Void, Never>] = []
        var delivery: (receiver: Receiver, outcome: Outcome?)?
    }

    private let count: Int
    private let limit: Int
    /// The offset of the run that starts next.
    private var next = 0
    /// The runs that have not ended, with their tasks once these exist.
    private var running: [Int: Task<Void, Never>?] = [:]
    /// The outcomes that were not received yet. Those in `late` come first, in reverse order, and then those in
    /// `early`.
    private var early: [Outcome] = []
    private var late: [Outcome] = []
    private var receiver: Receiver?
    private var isCancelled = false
    private var isStopped = false

    init(count: Int, limit: Int) {
        self.count = count
        self.limit = max(limit, 1)
    }

    /// The number of runs that have not ended.
    var runningCount: Int { running.count }

    /// Registers a receiver for the next outcome. It receives `nil` after all outcomes were received.
    mutating func receive(_ newReceiver: @escaping Receiver) -> Actions {
        if isStopped { return Actions(delivery: (newReceiver, nil)) }
        if let outcome = takeOutcome() {
            return Actions(starts: starts(), startsCancelled: isCancelled, delivery: (newReceiver, outcome))
        }
        let starts = starts()
        guard !running.isEmpty else { return Actions(delivery: (newReceiver, nil)) }
        receiver = newReceiver
        return Actions(starts: starts, startsCancelled: isCancelled)
    }

    /// Stores the task of a run that was started.
    mutating func started(_ offset: Int, _ task: Task<Void, Never>) -> Actions {
        if isCancelled { return Actions(cancels: [task]) }
        guard running[offset] != nil else { return Actions() }
        running[offset] = .some(task)
        return Actions()
    }

    /// Stores or delivers the outcome of a run that has ended.
    mutating func finish(_ offset: Int, _ result: Result<Output, Failure>) -> Actions {
        running[offset] = nil
        guard !isStopped else { return Actions() }
        guard let receiver else {
            early.append((offset, result))
            return Actions()
        }
        self.receiver = nil
        let delivery = (receiver, Outcome?.some((offset, result)))
        // After a failure, the receiver decides whether others start: it stops, or requests the next outcome.
        guard case .success = result else { return Actions(delivery: delivery) }
        return Actions(starts: starts(), startsCancelled: isCancelled, delivery: delivery)
    }

    /// Cancels all runs, including those that start later. With `stopping`, no other run starts and no outcome is
    /// delivered.
    mutating func cancel(stopping: Bool) -> Actions {
        isCancelled = true
        guard stopping else { return Actions(cancels: running.values.compactMap(\.self)) }
        isStopped = true
        next = count
        early = []
        late = []
        let abandoned = receiver
        receiver = nil
        return Actions(cancels: running.values.compactMap(\.self), delivery: abandoned.map { ($0, nil) })
    }

    private mutating func takeOutcome() -> Outcome? {
        if late.isEmpty {
            late = early.reversed()
            early = []
        }
        return late.popLast()
    }

    private mutating func starts() -> Range<Int> {
        let free = limit - running.count - early.count - late.count
        let first = next
        next += min(max(free, 0), count - next)
        for offset in first..<next { running[offset] = .some(nil) }
        return first..<next
    }
}
