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
    /// The report of the runs; `nil` for a pipeline that was not started as a request.
    let report: RunReport?

    /// - Parameters:
    ///   - upload: The progress of the request body.
    ///   - download: The progress of the response body.
    ///   - report: The report of the runs.
    ///   - mapError: A closure that converts a failure. It is called for each waiting task.
    init<Cause: Error>(
        _ pipeline: Pipeline<Output, Cause>, upload: TransferProgress, download: TransferProgress,
        report: RunReport?, mapError: @escaping @Sendable (Cause) -> Failure
    ) {
        uploadProgress = upload
        downloadProgress = download
        self.report = report
        self.pipeline = pipeline.share().mapError(mapError)
    }

    /// Creates the response to any pipeline, which runs once for all tasks that wait; see ``Pipeline/share()``. Its
    /// progress ends immediately.
    public init(_ pipeline: Pipeline<Output, Failure>) {
        self.init(pipeline, upload: .ended, download: .ended, report: nil) { $0 }
    }

    /// The value, for which the caller waits; see the `value` of ``Pipeline``.
    public var value: Output {
        get async throws(Failure) { try await pipeline.value }
    }

    /// The value or the failure, for which the caller waits; see ``Pipeline/result``.
    public var result: Result<Output, Failure> {
        get async { await pipeline.result }
    }

    /// The head of the response to the request that was started: status, header fields and metrics. A task that waits
    /// for it counts as a waiting task, and waits for the outcome. To receive a head before its body, use
    /// ``APIBase/sendStream()``.
    ///
    /// It is available for every response, even if its status is rejected or its body cannot be decoded; after retries,
    /// for the response to the last attempt. It is `nil` for a pipeline that was not started as a request.
    ///
    /// - Throws: The failure of the request if there was no such response, or the error for the cancellation of the
    ///   waiting task.
    public var head: ResponseHead? {
        get async throws(Failure) {
            let outcome = await pipeline.result
            if let head = report?.head { return head }
            _ = try outcome.get()
            return nil
        }
    }
}

extension ScheduledRequest where Failure == Never {
    /// The value of a request that cannot fail; see the `value` of ``Pipeline``.
    public var value: Output {
        get async { await pipeline.value }
    }
}
