/// A place for one outcome, filled from any thread and awaited by one task.
///
/// It is handed to the closure of ``Pipeline/callback(_:)``. The first outcome counts; later ones are ignored.
public struct PipelinePromise<Output: Sendable, Failure: Error>: Sendable {
    private let state = Locked(PromiseState<Output, Failure>())

    init() {}

    /// Settles the promise, unless it is settled already.
    public func resolve(with outcome: Result<Output, Failure>) {
        perform(state.withLock { $0.resolve(outcome) })
    }

    /// Has `handler` called when the awaiting task is cancelled before the promise is resolved.
    ///
    /// It is called at most once, at once where the task is cancelled already, on the thread that cancels. A second
    /// handler takes the place of the first.
    public func onCancel(_ handler: @escaping @Sendable () -> Void) {
        perform(state.withLock { $0.setCancelHandler(handler) })
    }

    /// Waits for the value; to be awaited once.
    var value: Output {
        get async throws(Failure) { try await outcome.get() }
    }

    /// Waits for the outcome; to be awaited once.
    var outcome: Result<Output, Failure> {
        get async {
            await withCancellationHandler {
                await withCheckedContinuation { continuation in
                    perform(state.withLock { $0.wait(continuation) })
                }
            } onCancel: {
                let failure = ErrandError(.cancelled) as? Failure
                perform(state.withLock { $0.cancel(failure: failure) })
            }
        }
    }

    private func perform(_ action: PromiseState<Output, Failure>.Action) {
        action.cancelHandler?()
        if let (waiter, outcome) = action.resume {
            waiter.resume(returning: outcome)
        }
    }
}

/// The state machine of ``PipelinePromise``: every event returns what is to be done once the lock is released.
struct PromiseState<Output: Sendable, Failure: Error>: Sendable {
    typealias Outcome = Result<Output, Failure>
    typealias Waiter = CheckedContinuation<Outcome, Never>

    struct Action {
        var cancelHandler: (@Sendable () -> Void)?
        var resume: (Waiter, Outcome)?
        /// What is not needed any more: what it captured may call back as it goes, so not under the lock.
        var released: (@Sendable () -> Void)?
    }

    private var outcome: Outcome?
    private var waiter: Waiter?
    private var isCancelled = false
    private var cancelHandler: (@Sendable () -> Void)?

    mutating func resolve(_ newOutcome: Outcome) -> Action {
        guard outcome == nil else { return Action() }
        outcome = newOutcome
        defer {
            waiter = nil
            cancelHandler = nil
        }
        return Action(resume: waiter.map { ($0, newOutcome) }, released: cancelHandler)
    }

    mutating func wait(_ newWaiter: Waiter) -> Action {
        if let outcome { return Action(resume: (newWaiter, outcome)) }
        waiter = newWaiter
        return Action()
    }

    mutating func setCancelHandler(_ handler: @escaping @Sendable () -> Void) -> Action {
        if isCancelled { return Action(cancelHandler: handler) }
        guard outcome == nil else { return Action() }
        defer { cancelHandler = handler }
        return Action(released: cancelHandler)
    }

    /// - Parameter failure: What the waiter fails with now; nil leaves it waiting for an outcome.
    mutating func cancel(failure: Failure?) -> Action {
        guard outcome == nil else { return Action() }
        isCancelled = true
        let handler = cancelHandler
        cancelHandler = nil
        var action = failure.map { resolve(.failure($0)) } ?? Action()
        action.cancelHandler = handler
        return action
    }
}
