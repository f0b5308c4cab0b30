/// A run of several pipelines with a limit on concurrent runs, which delivers outcomes as they arrive. It is a thin
/// shell around ``MergeRunState``.
final class MergeRun<Output: Sendable, Failure: Error>: Sendable {
    typealias State = MergeRunState<Output, Failure>
    typealias Outcome = State.Outcome

    private let pipelines: [Pipeline<Output, Failure>]
    /// The state, which guards the runs and the receiver.
    private let state: Locked<State>

    init(_ pipelines: [Pipeline<Output, Failure>], limit: Int) {
        self.pipelines = pipelines
        state = Locked(State(count: pipelines.count, limit: limit))
    }

    /// Waits for the next outcome; returns `nil` after all outcomes were received.
    ///
    /// Cancelling the task cancels all runs. The wait then fails immediately with `cancelled` if `WaitFailure` can
    /// express that. Otherwise, the outcomes of the cancelled runs follow.
    func next<WaitFailure: Error>(failingWith: WaitFailure.Type) async -> Result<Outcome?, WaitFailure> {
        let promise = PipelinePromise<Outcome?, WaitFailure>()
        promise.onCancel { self.cancel(stopping: ErrandError(.cancelled) as? WaitFailure != nil) }
        perform(state.withLock { $0.receive { promise.resolve(with: .success($0)) } })
        return await promise.outcome
    }

    /// Cancels all runs and discards their outcomes.
    func stop() { cancel(stopping: true) }

    private func cancel(stopping: Bool) {
        perform(state.withLock { $0.cancel(stopping: stopping) })
    }

    private func perform(_ actions: State.Actions) {
        let startsCancelled = actions.startsCancelled
        for offset in actions.starts {
            let task = Task { [pipelines, self] in
                if startsCancelled { withUnsafeCurrentTask { $0?.cancel() } }
                let result = await pipelines[offset].result
                perform(state.withLock { $0.finish(offset, result) })
            }
            perform(state.withLock { $0.started(offset, task) })
        }
        for task in actions.cancels { task.cancel() }
        if let (receiver, outcome) = actions.delivery { receiver(outcome) }
    }
}
