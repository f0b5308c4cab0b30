extension Pipeline where Output: Sendable {
    /// Returns a pipeline that fails with ``ErrandError/Code-swift.struct/timedOut`` if a run takes longer than
    /// `duration`.
    ///
    /// The run is then cancelled, and its end is not awaited. The time is measured from the start of the run. After
    /// `retry(_:)`, the operator limits all attempts together; before `retry(_:)`, it limits each attempt. The error
    /// names no request, because a run may send any number of them.
    ///
    /// - Parameters:
    ///   - duration: The maximum duration of a run; with zero or less, it fails immediately.
    ///   - clock: The clock that measures the time.
    public func timeout(
        _ duration: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) -> Pipeline<Output, any Error> {
        let failure = ErrandError(.timedOut, reason: "the pipeline took longer than \(duration.secondsText)")
        return mapError { $0 as any Error }.timeout(duration, clock: clock, failure: failure)
    }

    /// Returns a pipeline that fails with the given failure if a run takes longer than `duration`.
    ///
    /// - Parameters:
    ///   - duration: The maximum duration of a run; with zero or less, it fails immediately.
    ///   - clock: The clock that measures the time.
    ///   - failure: The failure of a run that took too long.
    public func timeout(
        _ duration: Duration, clock: any Clock<Duration> = ContinuousClock(), failure: Failure
    ) -> Pipeline {
        Pipeline { () async throws(Failure) in
            guard duration > .zero else { throw failure }
            // If the task is already cancelled, new tasks would start their work before they are cancelled.
            if Task.isCancelled { return try await value }
            // Unstructured, since a task group would wait for work that ignores its cancellation.
            let promise = PipelinePromise<Output, Failure>()
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
