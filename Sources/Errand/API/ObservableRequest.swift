public import Observation

/// The runs of a request as observable properties, for SwiftUI: the value, the failure, whether it runs, and how far it is.
///
/// ```swift
/// struct BooksView: View {
///     @State private var books = ObservableRequest { BooksRequest(author: "Le Guin") }
///
///     var body: some View {
///         List(books.value ?? []) { Text($0.title) }
///             .overlay { if books.isRunning { ProgressView(value: books.fractionCompleted) } }
///             .task { await books.run() }
///             .refreshable { await books.run() }
///     }
/// }
/// ```
///
/// It has one run at a time: a new one cancels the run before, whose result is dropped. Releasing the object does not cancel
/// a run that a task waits for; cancelling that task does, as SwiftUI does when a view with `.task` disappears.
@MainActor @Observable
public final class ObservableRequest<Output: Sendable, Failure: Error> {
    /// The value of the last run that succeeded; it stays while the next one runs, and if that fails.
    public private(set) var value: Output?
    /// The failure of the last run; `nil` while one runs, after one that succeeded, and after one that was cancelled.
    public private(set) var failure: Failure?
    /// Whether the request is running.
    public private(set) var isRunning = false
    /// How far the body of the request is; `nil` before its first byte was sent.
    public private(set) var uploadProgress: TransferProgress.Snapshot?
    /// How far the body of the response is; `nil` before its first byte arrived.
    public private(set) var downloadProgress: TransferProgress.Snapshot?
    @ObservationIgnored private var task: Task<Void, Never>?
    @ObservationIgnored private var latestRun = 0
    @ObservationIgnored private let prepare: @MainActor () -> Run

    /// A request that was built and not sent.
    private struct Run {
        var pipeline: Pipeline<Output, Failure>
        var uploadProgress: TransferProgress
        var downloadProgress: TransferProgress
    }

    /// Nothing is sent before ``run()``.
    ///
    /// - Parameter makeRequest: Makes the request for each run, so that it can depend on what the user has chosen.
    public init<Leaf: Request>(
        _ makeRequest: @escaping @MainActor () -> Leaf
    ) where Leaf.Output == Output, Leaf.Failure == Failure {
        prepare = {
            let request = makeRequest()
            let base = request as? APIBase
            return Run(
                pipeline: request.start(), uploadProgress: base?.uploadProgress ?? TransferProgress(),
                downloadProgress: base?.downloadProgress ?? TransferProgress())
        }
    }

    /// From 0 to 1, by the bytes of the response; `nil` as long as their number is not known.
    public var fractionCompleted: Double? { downloadProgress?.fractionCompleted }

    /// Sends the request, and returns when it has ended. A run in progress is cancelled before.
    ///
    /// If the calling task is cancelled, so is the request; ``value`` and ``failure`` stay as they are.
    public func run() async {
        task?.cancel()
        latestRun += 1
        let number = latestRun
        let run = prepare()
        isRunning = true
        failure = nil
        uploadProgress = nil
        downloadProgress = nil
        let task = Task {
            // Both end with this scope, also if nothing was sent.
            async let _ = watch(run.uploadProgress, of: number) { $0.uploadProgress = $1 }
            async let _ = watch(run.downloadProgress, of: number) { $0.downloadProgress = $1 }
            end(run, number, with: await run.pipeline.result)
        }
        self.task = task
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Cancels the run in progress, if there is one.
    public func cancel() {
        task?.cancel()
    }

    private func watch(
        _ progress: TransferProgress, of number: Int,
        _ set: @MainActor (ObservableRequest, TransferProgress.Snapshot) -> Void
    ) async {
        for await snapshot in progress where number == latestRun { set(self, snapshot) }
    }

    /// Keeps the result, unless a later run has begun.
    private func end(_ run: Run, _ number: Int, with result: Result<Output, Failure>) {
        guard number == latestRun else { return }
        isRunning = false
        uploadProgress = run.uploadProgress.latest
        downloadProgress = run.downloadProgress.latest
        task = nil
        switch result {
        case .success(let value): self.value = value
        case .failure(let error) where error.isCancellation: break
        case .failure(let error): failure = error
        }
    }
}
