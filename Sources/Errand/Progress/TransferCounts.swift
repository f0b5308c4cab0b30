import Synchronization

/// The progress of both bodies of a request, and its observers.
final class TransferCounts: Sendable {
    typealias Snapshot = TransferProgress.Snapshot

    enum Direction {
        case up
        case down
    }

    private enum Phase {
        /// Attempts can begin and report bytes.
        case running
        /// No further attempt can begin; the last one still reports bytes.
        case closing
        /// Reports are ignored, and all loops have ended.
        case over
    }

    private struct Track {
        var latest: Snapshot?
        /// The number of the latest run; 0 before the first.
        var run = 0
        var phase = Phase.running
        var observers: [Int: AsyncStream<Snapshot>.Continuation] = [:]

        mutating func pass(_ snapshot: Snapshot) {
            latest = snapshot
            // Most transfers have no observers.
            guard !observers.isEmpty else { return }
            for observer in observers.values { observer.yield(snapshot) }
        }

        /// - Returns: The observers to finish.
        mutating func end(at snapshot: Snapshot?) -> [Int: AsyncStream<Snapshot>.Continuation]? {
            if let snapshot { pass(snapshot) }
            phase = .over
            guard !observers.isEmpty else { return nil }
            defer { observers = [:] }
            return observers
        }
    }

    private struct Tracks {
        var up = Track()
        var down = Track()
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

    /// The lock guards the snapshots and the observers. Snapshots are yielded under the lock, so that they stay in
    /// order. Yielding only wakes a task, and calls no other code.
    private let tracks = Mutex(Tracks())

    deinit {
        endAll(.up)
        endAll(.down)
    }

    func latest(_ direction: Direction) -> Snapshot? { tracks.withLock { $0[direction].latest } }

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

    /// Begins an attempt of a run, unless the run is closed.
    func begin(_ snapshot: Snapshot, _ direction: Direction, run: Int) {
        change(direction) { if $0.run == run, $0.phase == .running { $0.pass(snapshot) } }
    }

    /// Updates the count, unless the run is over.
    func update(_ snapshot: Snapshot, _ direction: Direction, run: Int) {
        change(direction) { if $0.run == run, $0.phase != .over { $0.pass(snapshot) } }
    }

    /// Prevents further attempts of a run. Otherwise, a request that an interceptor shares with other requests could
    /// begin an attempt after the run.
    func close(_ direction: Direction, run: Int) {
        change(direction) { if $0.run == run, $0.phase == .running { $0.phase = .closing } }
    }

    /// Ends a run and every loop, unless a later run has begun.
    ///
    /// - Parameter last: Returns the last snapshot from the latest one. It is called with the lock held.
    func end(_ direction: Direction, run: Int, last: (Snapshot?) -> Snapshot?) {
        let observers = change(direction) { $0.run == run ? $0.end(at: last($0.latest)) : nil }
        for observer in (observers ?? [:]).values { observer.finish() }
    }

    private func endAll(_ direction: Direction) {
        let observers = change(direction) { $0.end(at: nil) }
        for observer in (observers ?? [:]).values { observer.finish() }
    }

    private func change<Value>(_ direction: Direction, _ body: (inout Track) -> Value) -> Value {
        tracks.withLock { body(&$0[direction]) }
    }
}
