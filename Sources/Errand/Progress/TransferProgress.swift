/// How far a body has come, as a sequence of snapshots.
///
/// ```swift
/// let request = ExportRequest()
/// let watching = Task {
///     for await snapshot in request.downloadProgress { print(snapshot.fractionCompleted ?? 0) }
/// }
/// let export = try await request.start().value
/// ```
///
/// Each loop begins with the latest snapshot, may miss some when it is slower than the transfer, sees the last, and ends
/// with the run of the request: attempts of a ``RetryPolicy`` or of `retry(_:)` of a pipeline, and redirects, count from
/// zero again in the same loop. So the closure of a retry must not wait for the end of the progress of a request that was
/// made outside it. A loop that begins before the first run waits for it; one that begins after a run sees how that ended.
/// If nothing was sent, each loop ends with the response of an interceptor, or with the failure. Any number of loops may
/// run at once; none keeps the request alive.
public struct TransferProgress: AsyncSequence, Sendable {
    /// The state of a transfer at one moment.
    public struct Snapshot: Hashable, Sendable {
        /// How many bytes of the body have passed.
        public var completed: Int64
        /// How many bytes it has; nil as long as that is not known.
        public var total: Int64?

        /// So many bytes, of so many.
        public init(completed: Int64, total: Int64?) {
            self.completed = completed
            self.total = total
        }

        /// From 0 to 1; nil as long as the total is not known, 1 for a body without bytes.
        public var fractionCompleted: Double? {
            total.map { $0 == 0 ? 1 : Double(completed) / Double($0) }
        }
    }

    private let counts: TransferCounts
    private let direction: TransferCounts.Direction
    /// The run whose counts pass; 0 for those of a request before its first run.
    private let run: Int

    init(_ counts: TransferCounts = TransferCounts(), _ direction: TransferCounts.Direction = .down, run: Int = 0) {
        self.counts = counts
        self.direction = direction
        self.run = run
    }

    /// The object that the counts of one request have in common.
    var owner: any AnyObject & Sendable { counts }

    /// The latest snapshot; nil before the first byte of a transfer was counted.
    public var latest: Snapshot? { counts.latest(direction) }

    /// Begins to watch.
    public func makeAsyncIterator() -> AsyncStream<Snapshot>.Iterator {
        counts.watch(direction).makeAsyncIterator()
    }

    /// Begins a run of the request, and returns its progress. What earlier runs count or end has no effect any more.
    func beginRun() -> TransferProgress {
        TransferProgress(counts, direction, run: counts.beginRun(direction))
    }

    /// Begins an attempt, which counts from zero unless part of the body is there already.
    func begin(at completed: Int64 = 0, total: Int64?) {
        counts.begin(Snapshot(completed: completed, total: total), direction, run: run)
    }

    /// Tells everyone who watches; for transports to call. It does nothing once the run of the request has ended.
    public func update(_ snapshot: Snapshot) {
        counts.update(snapshot, direction, run: run)
    }

    /// Lets no further attempt of the run begin, while what the last one transfers still counts.
    func close() {
        counts.close(direction, run: run)
    }

    /// Ends every loop, with this as the last that it sees; a later run may begin again.
    func end(at snapshot: Snapshot? = nil) {
        end { _ in snapshot }
    }

    /// Ends every loop, with a last snapshot that depends on the latest.
    func end(last: (Snapshot?) -> Snapshot?) {
        counts.end(direction, run: run, last: last)
    }
}
