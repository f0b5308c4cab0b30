#if canImport(Combine)
import Combine

/// A publisher with one task for each subscription, which calls the subscriber.
struct TaskPublisher<Output: Sendable, Failure: Error>: Publisher {
    typealias Body = @Sendable (SerialSubscriber<Output, Failure>, Demand) async -> Void

    private let body: Body

    /// - Parameter body: The work of a subscription. It waits for demand before each value, and ends when the wait
    ///   returns `false`.
    init(_ body: @escaping Body) {
        self.body = body
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let demand = Demand()
        let subscriber = SerialSubscriber(AnySubscriber(subscriber))
        subscriber.receive(TaskSubscription(demand))
        // The task starts after this call, since the subscriber must receive the subscription before every value.
        let task = Task { [body] in await body(subscriber, demand) }
        demand.onCancel { task.cancel() }
    }
}

/// The subscription of a ``TaskPublisher``.
private final class TaskSubscription: Subscription {
    private let demand: Demand

    init(_ demand: Demand) {
        self.demand = demand
    }

    func request(_ count: Subscribers.Demand) { demand.add(count.max) }

    func cancel() { demand.cancel() }
}

/// A subscriber that a single task calls.
///
/// `@unchecked Sendable` is safe because the subscriber receives its subscription before the task starts. After that,
/// only the task calls it, one call after the other.
struct SerialSubscriber<Value: Sendable, Failure: Error>: @unchecked Sendable {
    private let subscriber: AnySubscriber<Value, Failure>

    init(_ subscriber: AnySubscriber<Value, Failure>) {
        self.subscriber = subscriber
    }

    func receive(_ subscription: some Subscription) {
        subscriber.receive(subscription: subscription)
    }

    /// Delivers a value, unless the subscription was cancelled, and adds the demand that the subscriber returns.
    func receive(_ value: Value, _ demand: Demand) {
        guard !demand.isCancelled else { return }
        demand.add(subscriber.receive(value).max)
    }

    /// Delivers the end, unless the subscription was cancelled.
    func complete(_ completion: Subscribers.Completion<Failure>, _ demand: Demand) {
        guard !demand.isCancelled else { return }
        demand.end()
        subscriber.receive(completion: completion)
    }
}

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
    /// A call of ``Demand/takeOne()``, which returns when the promise is resolved.
    typealias Taker = PipelinePromise<Bool, Never>

    struct Action {
        var cancelHandler: (@Sendable () -> Void)?
        /// A call of `takeOne` that no longer waits, and its result.
        var resume: (Taker, Bool)?
        /// A handler that is no longer needed. Releasing it may run other code, so it happens outside the lock.
        var released: (@Sendable () -> Void)?
    }

    private(set) var isCancelled = false
    private var hasEnded = false
    /// The number of values that the subscriber still accepts; `Int.max` without a limit.
    private var count = 0
    private var waitingTaker: Taker?
    private var cancelHandler: (@Sendable () -> Void)?

    mutating func add(_ number: Int?) -> Action {
        let (sum, hasOverflowed) = count.addingReportingOverflow(number ?? .max)
        count = hasOverflowed ? .max : sum
        guard let taker = waitingTaker else { return Action() }
        waitingTaker = nil
        return takeOne(taker)
    }

    mutating func takeOne(_ taker: Taker) -> Action {
        if isCancelled { return Action(resume: (taker, false)) }
        guard count > 0 else {
            waitingTaker = taker
            return Action()
        }
        if count < .max { count -= 1 }
        return Action(resume: (taker, true))
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
            waitingTaker = nil
        }
        return Action(cancelHandler: cancelHandler, resume: waitingTaker.map { ($0, false) })
    }

    mutating func end() -> Action {
        hasEnded = true
        defer { cancelHandler = nil }
        return Action(released: cancelHandler)
    }
}
#endif
