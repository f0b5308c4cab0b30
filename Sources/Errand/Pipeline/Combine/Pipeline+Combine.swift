#if canImport(Combine)
public import Combine

extension Pipeline where Output: Sendable {
    /// A Combine publisher of the pipeline's value.
    ///
    /// Each subscription runs the pipeline once, when its subscriber first requests a value. Cancelling the
    /// subscription cancels the run. The subscriber is called on a thread of Swift's concurrency pool; use
    /// `receive(on:)` for another one.
    public var publisher: AnyPublisher<Output, Failure> {
        TaskPublisher { subscriber, demand in
            guard await demand.takeOne() else { return }
            switch await result {
            case .success(let value):
                subscriber.receive(value, demand)
                subscriber.complete(.finished, demand)
            case .failure(let failure):
                subscriber.complete(.failure(failure), demand)
            }
        }
        .eraseToAnyPublisher()
    }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
    /// A Combine publisher of the elements. The `publisher` properties of this library's sequences return it.
    ///
    /// Each subscription iterates once. It requests an element only after the subscriber has requested one.
    var elementPublisher: AnyPublisher<Element, Failure> {
        TaskPublisher { subscriber, demand in
            do throws(Failure) {
                var iterator = makeAsyncIterator()
                while await demand.takeOne() {
                    guard let element = try await iterator.next(isolation: nil) else {
                        return subscriber.complete(.finished, demand)
                    }
                    subscriber.receive(element, demand)
                }
            } catch {
                subscriber.complete(.failure(error), demand)
            }
        }
        .eraseToAnyPublisher()
    }
}
#endif

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
