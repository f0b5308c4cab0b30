import Synchronization

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
/// Each loop begins with the latest snapshot and ends with the run of the request, or with its streamed body. It
/// includes the last snapshot, but may miss others if it is slower than the transfer. Attempts of a ``RetryPolicy`` and
/// redirects count from zero again in the same loop, which ends only after the last attempt. Each try of a pipeline's
/// `retry(_:)` is a run. A loop that begins before the first run waits for it. A loop that begins after a run receives
/// its last snapshot. If nothing was sent, each loop ends with the response of an interceptor, or with the failure. Any
/// number of loops may run at once, and none of them keeps the request alive.
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
    /// The run to which reports of this value belong; 0 for the progress of the request itself, whose reports count
    /// only before the first run.
    private let run: Int

    init(_ counts: TransferCounts = TransferCounts(), _ direction: TransferCounts.Direction = .down, run: Int = 0) {
        self.counts = counts
        self.direction = direction
        self.run = run
    }

    /// The latest snapshot; `nil` before the first attempt, which begins with one. A response without an attempt, such
    /// as one from a cache, also has a snapshot.
    public var latest: Snapshot? { counts.latest(direction) }

    /// Creates an iterator over the snapshots.
    public func makeAsyncIterator() -> AsyncStream<Snapshot>.Iterator { snapshots.makeAsyncIterator() }

    /// The snapshots for one loop, which do not keep the progress alive.
    var snapshots: AsyncStream<Snapshot> { counts.watch(direction) }

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

    /// Reports a snapshot to all observers. Transports call it; after the progress has ended, it has no effect.
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

extension TransferProgress {
    /// Ends the progress of both bodies of a run; this is the progress of the request body.
    ///
    /// A complete response means that the whole request body was sent, even if the transport did not report it.
    ///
    /// - Parameters:
    ///   - download: The progress of the response body; `nil` if a download ends its own.
    ///   - received: The size of a complete response body in bytes; `nil` if no complete body arrived.
    func end(afterReceiving download: TransferProgress?, _ received: Int?) {
        end { latest in
            let sent = latest?.total ?? latest?.completed ?? 0
            return received == nil ? nil : Snapshot(completed: sent, total: sent)
        }
        let count = received.map(Int64.init)
        download?.end(at: count.map { Snapshot(completed: $0, total: $0) })
    }
}

/// What a request object shares with its runs, which may outlive it: the progress of both bodies with its observers,
/// and how often a stub of the object has been set.
final class TransferCounts: Sendable {
    typealias Snapshot = TransferProgress.Snapshot

    enum Direction {
        case up
        case down
    }

    private enum Phase {
        /// Attempts can begin and report bytes.
        case running
        /// The run has returned a streamed body, which still counts. No further attempt can begin.
        case closing
        /// Reports are ignored, and all loops have ended.
        case over
    }

    /// The progress of one body.
    private struct Track {
        var latest: Snapshot?
        /// The number of the latest run; 0 before the first.
        var run = 0
        var phase = Phase.running
        var observers: [Int: AsyncStream<Snapshot>.Continuation] = [:]

        /// Stores a snapshot and passes it to all observers.
        mutating func pass(_ snapshot: Snapshot) {
            latest = snapshot
            // Most transfers have no observers.
            guard !observers.isEmpty else { return }
            for observer in observers.values { observer.yield(snapshot) }
        }

        /// - Returns: The observers to finish after the lock is released, since their `onTermination` takes it.
        mutating func end(at snapshot: Snapshot?) -> [Int: AsyncStream<Snapshot>.Continuation] {
            if let snapshot { pass(snapshot) }
            phase = .over
            defer { observers = [:] }
            return observers
        }
    }

    private struct Tracks {
        var up = Track()
        var down = Track()
        var stubChanges = 0
        /// The number of loops that have begun, whose numbers identify their observers.
        var registered = 0

        subscript(direction: Direction) -> Track {
            get { direction == .up ? up : down }
            _modify {
                switch direction {
                case .up: yield &up
                case .down: yield &down
                }
            }
        }
    }

    /// The lock guards the snapshots, the observers and the count. Snapshots are yielded under the lock, so that they
    /// stay in order. Yielding only wakes a task, and calls no other code.
    private let tracks = Mutex(Tracks())

    // Ends the loops over the progress of a request that was released before it was sent.
    deinit {
        endAll(.up)
        endAll(.down)
    }

    /// The number of times that a stub has been set. If it has changed since the start, a run does not use the stub.
    var stubChanges: Int { tracks.withLock { $0.stubChanges } }

    func countStubChange() {
        tracks.withLock { $0.stubChanges += 1 }
    }

    func latest(_ direction: Direction) -> Snapshot? { tracks.withLock { $0[direction].latest } }

    /// Returns the snapshots for one loop, which begin with the latest one.
    func watch(_ direction: Direction) -> AsyncStream<Snapshot> {
        let (stream, observer) = AsyncStream.makeStream(of: Snapshot.self, bufferingPolicy: .bufferingNewest(1))
        let (id, hasEnded) = tracks.withLock { tracks in
            tracks.registered += 1
            let track = tracks[direction]
            let hasEnded = track.phase == .over
            if !hasEnded { tracks[direction].observers[tracks.registered] = observer }
            if let latest = track.latest { observer.yield(latest) }
            return (tracks.registered, hasEnded)
        }
        observer.onTermination = { [weak self] _ in
            self?.tracks.withLock { _ = $0[direction].observers.removeValue(forKey: id) }
        }
        if hasEnded { observer.finish() }
        return stream
    }

    /// Begins a run. From now on, reports and ends of earlier runs have no effect.
    ///
    /// - Returns: The number of the run, which starts at 1.
    func beginRun(_ direction: Direction) -> Int {
        change(direction) { track in
            track.run += 1
            track.phase = .running
            return track.run
        }
    }

    /// Begins an attempt of a run, unless the run is closed or a later one has begun.
    func begin(_ snapshot: Snapshot, _ direction: Direction, run: Int) {
        change(direction) { if $0.run == run, $0.phase == .running { $0.pass(snapshot) } }
    }

    /// Updates the count, unless the run is over or a later one has begun.
    func update(_ snapshot: Snapshot, _ direction: Direction, run: Int) {
        change(direction) { if $0.run == run, $0.phase != .over { $0.pass(snapshot) } }
    }

    /// Prevents further attempts of a run that has returned a streamed body. Otherwise, a request that an interceptor
    /// shares with other requests could begin one.
    func close(_ direction: Direction, run: Int) {
        change(direction) { if $0.run == run, $0.phase == .running { $0.phase = .closing } }
    }

    /// Ends a run and every loop, unless a later run has begun.
    ///
    /// - Parameter last: Returns the last snapshot from the latest one. It is called with the lock held.
    func end(_ direction: Direction, run: Int, last: (Snapshot?) -> Snapshot?) {
        let observers = change(direction) { $0.run == run ? $0.end(at: last($0.latest)) : [:] }
        for observer in observers.values { observer.finish() }
    }

    private func endAll(_ direction: Direction) {
        let observers = change(direction) { $0.end(at: nil) }
        for observer in observers.values { observer.finish() }
    }

    private func change<Value>(_ direction: Direction, _ body: (inout Track) -> Value) -> Value {
        tracks.withLock { body(&$0[direction]) }
    }
}
