extension Pipeline where Output: Sendable {
    /// Returns a pipeline that runs two pipelines at once and pairs their values.
    ///
    /// The first failure cancels the other run and is the failure of the whole, after both runs have ended.
    public func zip<Second: Sendable>(_ second: Pipeline<Second, Failure>) -> Pipeline<(Output, Second), Failure> {
        [map(Part<Output, Second, Never>.first), second.map(Part.second)].concurrently(2).map { parts in
            guard case (.first(let first), .second(let second)) = (parts[0], parts[1]) else {
                preconditionFailure("the values have the order of the pipelines")
            }
            return (first, second)
        }
    }

    /// Returns a pipeline that runs three pipelines at once and groups their values.
    ///
    /// The first failure cancels the other runs and is the failure of the whole, after all runs have ended.
    public func zip<Second: Sendable, Third: Sendable>(
        _ second: Pipeline<Second, Failure>, _ third: Pipeline<Third, Failure>
    ) -> Pipeline<(Output, Second, Third), Failure> {
        let runs = [map(Part<Output, Second, Third>.first), second.map(Part.second), third.map(Part.third)]
        return runs.concurrently(3).map { parts in
            guard case (.first(let first), .second(let second), .third(let third)) = (parts[0], parts[1], parts[2])
            else { preconditionFailure("the values have the order of the pipelines") }
            return (first, second, third)
        }
    }
}

/// A value of one of two or three concurrent runs.
private enum Part<First: Sendable, Second: Sendable, Third: Sendable>: Sendable {
    case first(First)
    case second(Second)
    case third(Third)
}

extension Pipeline where Output: Sendable {
    /// Returns a pipeline that runs once for all tasks that await it, and keeps its outcome.
    ///
    /// The first waiting task starts the run. Later tasks join the run, or receive its outcome after it has ended.
    ///
    /// Cancelling a waiting task does not affect the others. If `Failure` is `any Error` or ``ErrandError``, the
    /// cancelled task fails immediately with ``ErrandError/Code-swift.struct/cancelled``. Otherwise, it waits for the
    /// outcome. When all waiting tasks are cancelled, the run is cancelled and its outcome is not kept. The next task
    /// that awaits the pipeline starts a new run.
    public func share() -> Pipeline {
        SharedPipeline(source: self).pipeline
    }
}

/// A pipeline that runs once for all tasks that join, and keeps its outcome.
struct SharedPipeline<Output: Sendable, Failure: Error>: Sendable {
    /// The only key: ``SharedRuns`` has one run for each key, and all tasks join the same run.
    private struct Key: Hashable {}

    let source: Pipeline<Output, Failure>
    private let runs = SharedRuns<Key, Output, Failure>(keepsOutcome: true)

    /// The pipeline whose awaiting tasks join the run.
    var pipeline: Pipeline<Output, Failure> {
        Pipeline { () async throws(Failure) in
            // A task that was cancelled before must not send anything.
            if Task.isCancelled, let failure = ErrandError(.cancelled) as? Failure { throw failure }
            return try await runs.join(Key(), run: run)
        }
    }

    /// Runs the pipeline once, outside the retry of the first waiting task. Its requests do not count for that retry,
    /// which does not send them again: it receives the kept outcome.
    private func run() async -> Result<Output, Failure> {
        guard RetryFacts.current != nil else { return await source.result }
        return await RetryFacts.$current.withValue(nil) { await source.result }
    }
}

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
