/// The state machine of ``SharedRuns``. Each event returns an action, which the caller performs after it has released
/// the lock.
struct SharedRunsState<Key: Hashable & Sendable, Output: Sendable, Failure: Error>: Sendable {
    typealias Outcome = Result<Output, Failure>
    typealias Waiter = PipelinePromise<Output, Failure>

    /// The behavior that differs between the uses of this machine.
    struct Policy: Sendable {
        /// Whether a run is cancelled when its last waiter leaves; otherwise it continues.
        var cancelsWhenLeft = true
        /// Whether an outcome is kept for later tasks. The outcome of a cancelled run is never kept.
        var keepsOutcome = false
    }

    enum Action: Sendable {
        case none
        /// Start the run with this number.
        case start(Int)
        case cancel([Task<Void, Never>])
        /// Resolve these waiters, the earliest first.
        case resolve([Waiter], Outcome)
    }

    private struct Run: Sendable {
        let key: Key
        let rank: Int
        /// The task; `nil` until the run has started.
        var task: Task<Void, Never>?
        var waiters: [Int: Waiter] = [:]
        /// Cancelled waiters whose failure type cannot express cancellation. They receive the outcome.
        var departed: [Waiter] = []
        /// Whether the run was cancelled because its last waiter left.
        var isAbandoned = false
    }

    private let policy: Policy
    private var runs: [Int: Run] = [:]
    /// The run that the next task with this key joins.
    private var openRuns: [Key: Int] = [:]
    /// The run of each waiter, by the waiter's ticket.
    private var places: [Int: Int] = [:]
    private var outcomes: [Key: Outcome] = [:]
    private var numbers = 0

    init(_ policy: Policy = Policy()) {
        self.policy = policy
    }

    /// The number of runs, including those that can no longer be joined.
    var count: Int { runs.count }
    /// The number of tasks that wait for a run.
    var waiterCount: Int { places.count }

    /// Joins the open run for a key, or starts one.
    ///
    /// - Parameter rank: The rank of the waiter. Only waiters of the same or a lower rank can join a run. A waiter of a
    ///   higher rank starts its own run, which later waiters join.
    mutating func join(_ key: Key, rank: Int = 0, _ waiter: Waiter) -> (ticket: Int, action: Action) {
        numbers += 1
        let ticket = numbers
        if let outcome = outcomes[key] { return (ticket, .resolve([waiter], outcome)) }
        if let number = openRuns[key], let run = runs[number], run.rank >= rank {
            runs[number]?.waiters[ticket] = waiter
            places[ticket] = number
            return (ticket, .none)
        }
        let number = begin(key, rank: rank)
        runs[number]?.waiters[ticket] = waiter
        places[ticket] = number
        return (ticket, .start(number))
    }

    /// Stores the task of a run that was started.
    mutating func started(_ number: Int, _ task: Task<Void, Never>) -> Action {
        guard let run = runs[number] else { return .none }
        runs[number]?.task = task
        return run.isAbandoned ? .cancel([task]) : .none
    }

    /// Removes a waiter whose task was cancelled.
    ///
    /// - Parameter awaitsOutcome: Whether the waiter still has to receive the outcome of the run.
    mutating func leave(_ ticket: Int, awaitsOutcome: Bool = false) -> Action {
        guard let number = places.removeValue(forKey: ticket) else { return .none }
        let waiter = runs[number]?.waiters.removeValue(forKey: ticket)
        if awaitsOutcome, let waiter { runs[number]?.departed.append(waiter) }
        return abandonIfLeft(number)
    }

    /// Removes a run that has ended, and resolves its waiters.
    mutating func finish(_ number: Int, _ outcome: Outcome) -> Action {
        guard let run = runs.removeValue(forKey: number) else { return .none }
        if openRuns[run.key] == number {
            openRuns[run.key] = nil
            if policy.keepsOutcome { outcomes[run.key] = outcome }
        }
        for ticket in run.waiters.keys { places[ticket] = nil }
        let waiters = run.waiters.sorted { $0.key < $1.key }.map(\.value)
        return .resolve(waiters + run.departed, outcome)
    }

    private mutating func begin(_ key: Key, rank: Int) -> Int {
        numbers += 1
        runs[numbers] = Run(key: key, rank: rank)
        openRuns[key] = numbers
        return numbers
    }

    private mutating func abandonIfLeft(_ number: Int) -> Action {
        guard let run = runs[number], run.waiters.isEmpty, policy.cancelsWhenLeft
        else { return .none }
        return .cancel(abandon(number))
    }

    /// Closes a run. A later task must not join it, since it would receive `cancelled`.
    private mutating func abandon(_ number: Int) -> [Task<Void, Never>] {
        guard let run = runs[number] else { return [] }
        runs[number]?.isAbandoned = true
        if openRuns[run.key] == number { openRuns[run.key] = nil }
        return run.task.map { [$0] } ?? []
    }
}
