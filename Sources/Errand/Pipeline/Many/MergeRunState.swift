/// The state machine of ``MergeRun``. Each event returns actions, which the caller performs after it has released the lock.
///
/// An outcome that was not received yet counts toward the limit, so a slow receiver stops the start of further runs.
struct MergeRunState<Output: Sendable, Failure: Error>: Sendable {
    typealias Outcome = (offset: Int, result: Result<Output, Failure>)
    typealias Receiver = @Sendable (Outcome?) -> Void

    struct Actions {
        /// The runs to start, by their offset.
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
    /// Outcomes to be received: the first of `early` first, then `late` from its end.
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

    /// The receiver waits for the next outcome. It receives nil when all outcomes have been received.
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

    /// The task of a run exists.
    mutating func started(_ offset: Int, _ task: Task<Void, Never>) -> Actions {
        if isCancelled { return Actions(cancels: [task]) }
        guard running[offset] != nil else { return Actions() }
        running[offset] = .some(task)
        return Actions()
    }

    /// A run has ended.
    mutating func finish(_ offset: Int, _ result: Result<Output, Failure>) -> Actions {
        running[offset] = nil
        guard !isStopped else { return Actions() }
        guard let receiver else {
            early.append((offset, result))
            return Actions()
        }
        self.receiver = nil
        let delivery = (receiver, Outcome?.some((offset, result)))
        // After a failure, the receiver decides whether others start: it stops, or asks for the next outcome.
        guard case .success = result else { return Actions(delivery: delivery) }
        return Actions(starts: starts(), startsCancelled: isCancelled, delivery: delivery)
    }

    /// Cancels all runs, also those that start later. With `stopping`, no other run starts and nothing is delivered.
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
