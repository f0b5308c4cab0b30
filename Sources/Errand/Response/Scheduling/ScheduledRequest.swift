/// The response to a scheduled request, which is sent once for all tasks that wait for it.
///
/// ```swift
/// let response = UsersRequest().schedule()
/// async let names = response.value.map(\.name)
/// async let count = response.value.count
/// ```
///
/// Nothing is sent until a task waits. Tasks that wait later receive the stored outcome. Cancelling a waiting task does
/// not affect the others. Cancelling the last one cancels the request; a task that waits after that sends the request
/// again.
public struct ScheduledRequest<Output: Sendable, Failure: Error>: Sendable {
    /// The shared run as a pipeline, for operators. Operators on it run for each waiting task, but the request is sent
    /// once.
    public let pipeline: Pipeline<Output, Failure>
    /// The progress of the request body, as ``APIBase/uploadProgress``.
    ///
    /// ```swift
    /// let response = CoverUpload(image).schedule(with: library)
    /// let watching = Task { for await sent in response.uploadProgress { print(sent.completed) } }
    /// let cover = try await response.value
    /// ```
    public let uploadProgress: TransferProgress
    /// The progress of the response body, as ``APIBase/downloadProgress``.
    public let downloadProgress: TransferProgress
    private let observer: HeadObserver
    /// Joins the shared run immediately; see ``SharedPipeline/join()``.
    private let join: @Sendable () -> (outcome: Pipeline<Output, Failure>, run: Int?)
    /// Returns the number of tasks that currently wait.
    let waiterCount: @Sendable () -> Int

    /// - Parameters:
    ///   - upload: The progress of the request body.
    ///   - download: The progress of the response body.
    ///   - mapError: A closure that converts a failure. It is called for each waiting task.
    init<Cause: Error>(
        _ pipeline: Pipeline<Output, Cause>, upload: TransferProgress, download: TransferProgress,
        mapError: @escaping @Sendable (Cause) -> Failure
    ) {
        uploadProgress = upload
        downloadProgress = download
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

    /// Creates the response to any pipeline, which runs once for all tasks that wait; see ``Pipeline/share()``. Its
    /// progress ends immediately.
    public init(_ pipeline: Pipeline<Output, Failure>) {
        self.init(pipeline, upload: .ended, download: .ended) { $0 }
    }

    /// The value, for which the caller waits; see the `value` of ``Pipeline``.
    public var value: Output {
        get async throws(Failure) { try await pipeline.value }
    }

    /// The value or the failure, for which the caller waits; see ``Pipeline/result``.
    public var result: Result<Output, Failure> {
        get async { await pipeline.result }
    }

    /// The head of the response: status, header fields and metrics. A task that waits for it counts as a waiting task.
    ///
    /// It is available together with the response: after the whole body arrived and all interceptors have finished, but
    /// before validation and decoding. These continue without the task that waited only for the head. To receive a head
    /// before its body, use ``APIBase/sendStream()``.
    ///
    /// After `retry(_:)` of a pipeline, which may reject a response late, it is available when the retry has ended. For
    /// a pipeline that sends several requests in sequence, it is the head of the last response at that time.
    ///
    /// It is available for every response, even if its status is rejected or its body cannot be decoded. It is `nil`
    /// only if the value was created without a response.
    ///
    /// - Throws: The failure of the request if there was no response, or the error for the cancellation of the waiting
    ///   task.
    public var head: ResponseHead? {
        get async throws(Failure) {
            // A task that is already cancelled must not send anything.
            if Task.isCancelled {
                _ = try await pipeline.value
                return observer.latest
            }
            // It joins before it looks for a head, because an existing head may belong to a run that all other tasks
            // have left. It waits until the run is over: if the last task left with only the head, it would cancel the
            // rest of the run.
            let (outcome, run) = join()
            let promise = PipelinePromise<ResponseHead?, Failure>()
            let ticket = observer.awaitResponse(in: run) { promise.resolve(with: .success($0)) }
            let waiting = Task {
                let result = await outcome.result
                observer.forget(ticket)
                promise.resolve(with: head(after: result, isCancelled: Task.isCancelled))
            }
            promise.onCancel { waiting.cancel() }
            return try await promise.value
        }
    }

    /// - Parameter isCancelled: Whether the outcome may be that of a waiting task that left, while the run continues.
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
    /// The value of a request that cannot fail; see the `value` of ``Pipeline``.
    public var value: Output {
        get async { await pipeline.value }
    }
}
