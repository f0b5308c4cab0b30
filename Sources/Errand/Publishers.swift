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
            // `takeOne()` returns `false` if the subscription was cancelled.
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

extension ResponseStream {
    /// A Combine publisher of the pieces of the body.
    ///
    /// Each subscription sends the request once, when its subscriber first requests a piece. The publisher reads a
    /// piece only after the subscriber has requested it, so a slow subscriber slows the server down. Cancelling the
    /// subscription ends the transfer.
    public var publisher: AnyPublisher<Data, any Error> { elementPublisher }
}

extension Pages {
    /// A Combine publisher of the pages.
    ///
    /// Each subscription begins with the first page, and requests a page only after its subscriber has requested one.
    /// The first failure ends the subscription. Cancelling the subscription cancels the request for a page.
    public var publisher: AnyPublisher<Page, any Error> { elementPublisher }
}

extension Pages where Page.Items.Element: Sendable {
    /// A Combine publisher of ``items``; see ``publisher``.
    public var itemPublisher: AnyPublisher<Page.Items.Element, any Error> { items.elementPublisher }
}

extension TransferProgress {
    /// A Combine publisher of the snapshots. It finishes with the transfer, and never fails.
    ///
    /// Each subscription behaves like a loop: it may miss snapshots between two requested ones, but receives the last.
    public var publisher: AnyPublisher<Snapshot, Never> { elementPublisher }
}
#endif
