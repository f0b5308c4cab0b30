public import Observation

/// The runs of a request as observable properties for SwiftUI: value, failure, running state and progress.
///
/// ```swift
/// struct BooksView: View {
///     @State private var books = ObservableRequest { BooksRequest(author: "Le Guin").schedule() }
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
/// Only one run is active at a time. A new run cancels the previous one and discards its result. Releasing the object
/// does not cancel a run for which a task waits. Cancelling that task does; SwiftUI cancels it when a view with `.task`
/// disappears.
@MainActor @Observable
public final class ObservableRequest<Output: Sendable, Failure: Error> {
    /// The value of the last successful run. It is kept while the next run is active, and if that run fails.
    public private(set) var value: Output?
    /// The failure of the last run. `nil` while a run is active, after a successful run, and after a cancelled one.
    public private(set) var failure: Failure?
    /// Whether the request is running.
    public private(set) var isRunning = false
    /// The progress of the request body; `nil` until the request is sent.
    public private(set) var uploadProgress: TransferProgress.Snapshot?
    /// The progress of the response body; `nil` until the request is sent.
    public private(set) var downloadProgress: TransferProgress.Snapshot?
    @ObservationIgnored private var task: Task<Void, Never>?
    /// The number of the latest run. Reports and results of earlier runs are ignored.
    @ObservationIgnored private var latestRun = 0
    @ObservationIgnored private let schedule: @MainActor () -> ScheduledRequest<Output, Failure>

    /// Creates the object without sending a request; see ``run()``.
    ///
    /// - Parameter schedule: A closure that builds the request for each run, so that it can depend on the user's
    ///   choices: a leaf, an endpoint or a struct, with a service or without.
    public init(_ schedule: @escaping @MainActor () -> ScheduledRequest<Output, Failure>) {
        self.schedule = schedule
    }

    /// The received fraction of the response body, from 0 to 1; `nil` while the size of the body is unknown.
    public var fractionCompleted: Double? { downloadProgress?.fractionCompleted }

    /// Cancels a run in progress, sends the request, and returns when it has ended.
    ///
    /// Cancelling the calling task cancels the request. ``value`` then remains unchanged, and ``failure`` is `nil`.
    public func run() async {
        task?.cancel()
        latestRun += 1
        let number = latestRun
        let run = schedule()
        isRunning = true
        failure = nil
        uploadProgress = nil
        downloadProgress = nil
        let task = Task {
            // The end of this scope cancels both loops. If the request was never sent, they would not end otherwise.
            async let _ = watch(run.uploadProgress, of: number) { $0.uploadProgress = $1 }
            async let _ = watch(run.downloadProgress, of: number) { $0.downloadProgress = $1 }
            end(run, number, with: await run.result)
        }
        self.task = task
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Cancels the run in progress, if any.
    public func cancel() {
        task?.cancel()
    }

    private func watch(
        _ progress: TransferProgress, of number: Int,
        _ set: @MainActor (ObservableRequest, TransferProgress.Snapshot) -> Void
    ) async {
        for await snapshot in progress where number == latestRun { set(self, snapshot) }
    }

    /// Stores the result, unless a later run has begun. Called in the task of the run. The result of a cancelled run is
    /// not stored, even if the API has converted the cancellation into its own error, or into a value.
    private func end(_ run: ScheduledRequest<Output, Failure>, _ number: Int, with result: Result<Output, Failure>) {
        guard number == latestRun else { return }
        isRunning = false
        uploadProgress = run.uploadProgress.latest
        downloadProgress = run.downloadProgress.latest
        task = nil
        switch result {
        case _ where Task.isCancelled: break
        case .success(let value): self.value = value
        case .failure(let error) where error.isCancellation: break
        case .failure(let error): failure = error
        }
    }
}
