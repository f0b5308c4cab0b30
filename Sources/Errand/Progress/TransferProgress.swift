/// The progress of a body's transfer, as a sequence of snapshots.
///
/// ```swift
/// let request = ExportRequest()
/// let watching = Task {
///     for await snapshot in request.downloadProgress { print(snapshot.fractionCompleted ?? 0) }
/// }
/// let export = try await request.start().value
/// ```
///
/// Each loop begins with the latest snapshot and ends with the run of the request. It includes the last snapshot, but
/// may miss others if it is slower than the transfer. Attempts of a ``RetryPolicy`` and redirects count from zero again
/// in the same loop, which ends only after the last attempt. Each try of a pipeline's `retry(_:)` is a run. A loop that
/// begins before the first run waits for it. A loop that begins after a run receives its last snapshot. If nothing was
/// sent, each loop ends with the response of an interceptor, or with the failure. Any number of loops may run at once,
/// and none of them keeps the request alive.
public struct TransferProgress: AsyncSequence, Sendable {
    /// The state of a transfer at one moment.
    public struct Snapshot: Hashable, Sendable {
        /// The number of transferred bytes of the body.
        public var completed: Int64
        /// The total number of bytes; `nil` while it is unknown.
        public var total: Int64?

        /// Creates a snapshot.
        public init(completed: Int64, total: Int64?) {
            self.completed = completed
            self.total = total
        }

        /// The fraction from 0 to 1; `nil` while the total is unknown, and 1 for an empty body.
        public var fractionCompleted: Double? {
            total.map { $0 == 0 ? 1 : Double(completed) / Double($0) }
        }
    }

    private let counts: TransferCounts
    private let direction: TransferCounts.Direction
    /// The run whose counts are reported; 0 for the progress of a request before its first run.
    private let run: Int

    init(_ counts: TransferCounts = TransferCounts(), _ direction: TransferCounts.Direction = .down, run: Int = 0) {
        self.counts = counts
        self.direction = direction
        self.run = run
    }

    /// The latest snapshot; `nil` before the first attempt, which begins with a snapshot of zero bytes. A response
    /// without an attempt, such as one from a cache, also has a snapshot.
    public var latest: Snapshot? { counts.latest(direction) }

    /// Creates an iterator over the snapshots.
    public func makeAsyncIterator() -> AsyncStream<Snapshot>.Iterator {
        counts.watch(direction).makeAsyncIterator()
    }

    /// The progress of a value without a transfer. Each loop ends immediately.
    static var ended: TransferProgress {
        let progress = TransferProgress()
        progress.end()
        return progress
    }

    /// Begins a run of the request, and returns its progress. Reports of earlier runs have no further effect.
    func beginRun() -> TransferProgress {
        TransferProgress(counts, direction, run: counts.beginRun(direction))
    }

    /// Begins an attempt. It counts from zero, unless a part of the body was already received.
    func begin(at completed: Int64 = 0, total: Int64?) {
        counts.begin(Snapshot(completed: completed, total: total), direction, run: run)
    }

    /// Reports a snapshot to all observers. Transports call it; after the run of the request has ended, it has no
    /// effect.
    public func update(_ snapshot: Snapshot) {
        counts.update(snapshot, direction, run: run)
    }

    /// Prevents further attempts of the run. The bytes of the last attempt still count.
    func close() {
        counts.close(direction, run: run)
    }

    /// Ends every loop, with the given last snapshot. A later run may begin again.
    func end(at snapshot: Snapshot? = nil) {
        end { _ in snapshot }
    }

    /// Ends every loop, with a last snapshot that depends on the latest one.
    func end(last: (Snapshot?) -> Snapshot?) {
        counts.end(direction, run: run, last: last)
    }
}
