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
