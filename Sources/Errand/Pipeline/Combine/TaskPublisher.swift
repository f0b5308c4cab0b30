#if canImport(Combine)
import Combine

/// A publisher that calls each subscriber from its own task.
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
        // The task starts after the subscriber has received the subscription, which must come before every value.
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
#endif
