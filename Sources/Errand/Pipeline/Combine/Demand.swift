#if canImport(Combine)
/// The number of values that a subscriber has requested and not received: a thin shell around ``DemandState``.
final class Demand: Sendable {
    private let state = Locked(DemandState())

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Adds values to the demand; `nil` for an unlimited number.
    func add(_ count: Int?) {
        perform(state.withLock { $0.add(count) })
    }

    /// Waits until the subscriber has requested a value, and subtracts one from the demand.
    ///
    /// - Returns: `false` if the subscription was cancelled.
    func takeOne() async -> Bool {
        let promise = PipelinePromise<Bool, Never>()
        perform(state.withLock { $0.takeOne(promise) })
        switch await promise.outcome {
        case .success(let hasDemand): return hasDemand
        }
    }

    /// Calls `handler` when the subscription is cancelled, or immediately if it was cancelled before.
    func onCancel(_ handler: @escaping @Sendable () -> Void) {
        perform(state.withLock { $0.setCancelHandler(handler) })
    }

    func cancel() {
        perform(state.withLock { $0.cancel() })
    }

    /// Releases the cancellation handler after the end.
    func end() {
        perform(state.withLock { $0.end() })
    }

    private func perform(_ action: DemandState.Action) {
        action.cancelHandler?()
        if let (taker, hasDemand) = action.resume { taker.resolve(with: .success(hasDemand)) }
    }
}

/// The state machine of ``Demand``. Each event returns an action, which the caller performs after it has released the
/// lock.
struct DemandState: Sendable {
    typealias Taker = PipelinePromise<Bool, Never>

    struct Action {
        var cancelHandler: (@Sendable () -> Void)?
        var resume: (Taker, Bool)?
        /// A handler that is no longer needed. Releasing it may run other code, so it happens outside the lock.
        var released: (@Sendable () -> Void)?
    }

    private(set) var isCancelled = false
    private var hasEnded = false
    private var count = 0
    private var isUnlimited = false
    private var taker: Taker?
    private var cancelHandler: (@Sendable () -> Void)?

    mutating func add(_ number: Int?) -> Action {
        if let number {
            count = count.addingReportingOverflow(number).overflow ? .max : count + number
        } else {
            isUnlimited = true
        }
        guard let waiting = taker else { return Action() }
        taker = nil
        return takeOne(waiting)
    }

    mutating func takeOne(_ newTaker: Taker) -> Action {
        if isCancelled { return Action(resume: (newTaker, false)) }
        if isUnlimited { return Action(resume: (newTaker, true)) }
        guard count > 0 else {
            taker = newTaker
            return Action()
        }
        count -= 1
        return Action(resume: (newTaker, true))
    }

    mutating func setCancelHandler(_ handler: @escaping @Sendable () -> Void) -> Action {
        if isCancelled { return Action(cancelHandler: handler) }
        if hasEnded { return Action(released: handler) }
        cancelHandler = handler
        return Action()
    }

    mutating func cancel() -> Action {
        guard !isCancelled else { return Action() }
        isCancelled = true
        defer {
            cancelHandler = nil
            taker = nil
        }
        return Action(cancelHandler: cancelHandler, resume: taker.map { ($0, false) })
    }

    mutating func end() -> Action {
        hasEnded = true
        defer { cancelHandler = nil }
        return Action(released: cancelHandler)
    }
}
#endif
