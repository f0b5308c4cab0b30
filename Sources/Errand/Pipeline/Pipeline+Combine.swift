#if canImport(Combine)
public import Combine

// Not yet run: this machine-independent bridge compiles only where Combine exists.
extension Pipeline where Output: Sendable {
    /// The pipeline as a Combine publisher: each subscription is a run, and cancelling it cancels the run.
    public var publisher: AnyPublisher<Output, Failure> {
        Deferred {
            let run = Locked<Errand.Cancellable?>(nil)
            return Future { promise in
                // Combine lets a promise be called from any thread, and this one is called once.
                nonisolated(unsafe) let promise = promise
                let token = sink { completion in
                    if case .failure(let failure) = completion { promise(.failure(failure)) }
                } receiveValue: { value in
                    promise(.success(value))
                }
                run.withLock { $0 = token }
            }
            .handleEvents(receiveCancel: { run.withLock { $0 }?.cancel() })
        }
        .eraseToAnyPublisher()
    }
}
#endif
