extension Pipeline where Output: Sendable {
    /// Fails with ``ErrandError/Code-swift.struct/timedOut`` when the run takes longer than `duration`.
    ///
    /// The run is cancelled then, and not waited for. It counts from the start of the run, so put after a
    /// `retry(_:)` it bounds all tries together, and put before it, each of them.
    ///
    /// - Parameters:
    ///   - duration: How long a run may take; zero or less fails at once.
    ///   - clock: Who tells the time.
    public func timeout(
        _ duration: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) -> Pipeline<Output, any Error> {
        mapError { $0 as any Error }.timeout(duration, clock: clock, failure: ErrandError(.timedOut))
    }

    /// Fails with a failure of the caller's when the run takes longer than `duration`.
    ///
    /// - Parameters:
    ///   - duration: How long a run may take; zero or less fails at once.
    ///   - clock: Who tells the time.
    ///   - failure: What a run that took too long fails with.
    public func timeout(
        _ duration: Duration, clock: any Clock<Duration> = ContinuousClock(), failure: Failure
    ) -> Pipeline {
        Pipeline { () async throws(Failure) in
            guard duration > .zero else { throw failure }
            // A task that is cancelled before it asks must not start work that nobody cancels in time.
            if Task.isCancelled { return try await value }
            // Unstructured, since a task group would wait for work that does not heed its cancellation.
            let promise = Promise<Output, Failure>()
            let work = Task { promise.resolve(with: await result) }
            let timer = Task {
                guard (try? await clock.sleep(for: duration.bounded)) != nil else { return }
                promise.resolve(with: .failure(failure))
            }
            promise.onCancel { work.cancel() }
            defer {
                work.cancel()
                timer.cancel()
            }
            return try await promise.value
        }
    }
}
