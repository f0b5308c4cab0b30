import Synchronization

/// How far both bodies of a request have come, and who watches.
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
            // Mostly nobody watches.
            guard !observers.isEmpty else { return }
            for observer in observers.values { observer.yield(snapshot) }
        }

        /// - Returns: Those who are to hear of it.
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

    /// Guards the snapshots and the lists of observers. Snapshots are yielded under it, or a later one could be overtaken
    /// by an earlier; that only wakes a task, and calls nobody.
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

    /// Begins a run. From now on, earlier runs count nothing and end nothing.
    ///
    /// - Returns: The number of the run: 1 for the first.
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

    /// Counts on, unless the run is over.
    func update(_ snapshot: Snapshot, _ direction: Direction, run: Int) {
        change(direction) { if $0.run == run, $0.phase != .over { $0.pass(snapshot) } }
    }

    /// Lets no further attempt of a run begin. What an interceptor shares with other requests may be sent after the run.
    func close(_ direction: Direction, run: Int) {
        change(direction) { if $0.run == run, $0.phase == .running { $0.phase = .closing } }
    }

    /// Ends a run and every loop, unless a later run has begun.
    ///
    /// - Parameter last: Makes the last snapshot of the latest one; it is called with the lock held.
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
