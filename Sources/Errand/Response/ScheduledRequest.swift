/// The response to a scheduled request: sent once, however many wait for it.
///
/// ```swift
/// let response = UsersRequest().schedule()
/// async let names = response.value.map(\.name)
/// async let count = response.value.count
/// ```
///
/// Nothing is sent until a task waits. Tasks that wait later receive the stored outcome. A waiting task that is cancelled
/// does not affect the others. When the last one is cancelled, so is the request; a task that waits after that sends the
/// request again.
public struct ScheduledRequest<Output: Sendable, Failure: Error>: Sendable {
    /// The shared run as a pipeline, for operators: what is attached runs for each waiter, the request does not.
    public let pipeline: Pipeline<Output, Failure>
    private let observer: HeadObserver
    /// Joins the shared run at once; see ``SharedPipeline/join()``.
    private let join: @Sendable () -> (outcome: Pipeline<Output, Failure>, run: Int?)
    /// How many tasks wait now.
    let waiterCount: @Sendable () -> Int

    /// - Parameter mapError: What becomes of a failure; called for each waiter.
    init<Cause: Error>(
        _ pipeline: Pipeline<Output, Cause>, mapError: @escaping @Sendable (Cause) -> Failure
    ) {
        let observer = HeadObserver()
        let shared = SharedPipeline { run in
            Pipeline<Output, Cause> { () async throws(Cause) in
                let told = observer.beginRun(run, telling: HeadObserver.current)
                return try await withTaskCancellationHandler {
                    await TaskContext.$current.withValue(TaskContext.current.with(told)) { await pipeline.result }
                } onCancel: {
                    told.abandonRun()
                }.get()
            }
        }
        self.pipeline = shared.pipeline.mapError(mapError)
        join = {
            let (outcome, run) = shared.join()
            return (outcome.mapError(mapError), run)
        }
        waiterCount = { shared.waiterCount }
        self.observer = observer
    }

    /// The response to any pipeline, which runs once for all tasks that wait; see ``Pipeline/share()``.
    public init(_ pipeline: Pipeline<Output, Failure>) {
        self.init(pipeline) { $0 }
    }

    /// Waits for the value; see the `value` of ``Pipeline``.
    public var value: Output {
        get async throws(Failure) { try await pipeline.value }
    }

    /// Waits for the value or the failure; see ``Pipeline/result``.
    public var result: Result<Output, Failure> {
        get async { await pipeline.result }
    }

    /// Waits for the head of the answer alone: status, header fields, metrics. Whoever waits for it is a waiter like any
    /// other.
    ///
    /// It is there once the answer is: with its whole body, when all interceptors are done with it, and before it is
    /// validated and decoded, which goes on without whoever waited for the head alone. It is not there earlier: to have a
    /// head before its body, use ``APIBase/sendStream()``. Behind `retry(_:)` of a pipeline, which may refuse an answer
    /// late, it is there when that has ended. Of a pipeline that sends one request after the other, it is the head of the
    /// last that has been answered by then.
    ///
    /// It is there for every answer, also where its status is refused or its body cannot be decoded; nil only where the
    /// value came without one.
    ///
    /// - Throws: What the request failed with when no answer came; what says that the waiting task was cancelled.
    public var head: ResponseHead? {
        get async throws(Failure) {
            // A task that is cancelled before it asks must not send anything.
            if Task.isCancelled {
                _ = try await pipeline.value
                return observer.latest
            }
            // It joins before it looks for a head: one that is there belongs to a run that others may have left. And it waits
            // until the run is over: with the head alone, the last to wait must not cancel what is left of it.
            let (outcome, run) = join()
            let promise = PipelinePromise<ResponseHead?, Failure>()
            let ticket = observer.whenAnswered(in: run) { promise.resolve(with: .success($0)) }
            let waiting = Task {
                let result = await outcome.result
                observer.forget(ticket)
                promise.resolve(with: head(after: result, isCancelled: Task.isCancelled))
            }
            promise.onCancel { waiting.cancel() }
            return try await promise.value
        }
    }

    /// - Parameter isCancelled: Whether the outcome may be that of a waiter who left, while the run goes on.
    private func head(
        after outcome: Result<Output, Failure>, isCancelled: Bool
    ) -> Result<ResponseHead?, Failure> {
        switch outcome {
        case .failure where isCancelled || observer.latest == nil: outcome.map { _ in nil }
        default: .success(observer.latest)
        }
    }
}

extension ScheduledRequest where Failure == Never {
    /// Waits for the value of a request that cannot fail; see the `value` of ``Pipeline``.
    public var value: Output {
        get async { await pipeline.value }
    }
}
