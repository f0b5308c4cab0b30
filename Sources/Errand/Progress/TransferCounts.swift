import Synchronization

/// How far both bodies of a request have come, and who watches.
final class TransferCounts: Sendable {
    typealias Snapshot = TransferProgress.Snapshot

    enum Direction {
        case up
        case down
    }

    private struct Track {
        var latest: Snapshot?
        var hasEnded = false
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
            hasEnded = true
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
        end(.up)
        end(.down)
    }

    func latest(_ direction: Direction) -> Snapshot? { tracks.withLock { $0[direction].latest } }

    func watch(_ direction: Direction) -> AsyncStream<Snapshot> {
        let (stream, observer) = AsyncStream.makeStream(of: Snapshot.self, bufferingPolicy: .bufferingNewest(1))
        let (id, hasEnded) = tracks.withLock { tracks in
            tracks.registered += 1
            let track = tracks[direction]
            if !track.hasEnded { tracks[direction].observers[tracks.registered] = observer }
            if let latest = track.latest { observer.yield(latest) }
            return (tracks.registered, track.hasEnded)
        }
        observer.onTermination = { [weak self] _ in
            self?.tracks.withLock { _ = $0[direction].observers.removeValue(forKey: id) }
        }
        if hasEnded { observer.finish() }
        return stream
    }

    func begin(_ snapshot: Snapshot, _ direction: Direction) {
        tracks.withLock { tracks in
            tracks[direction].hasEnded = false
            tracks[direction].pass(snapshot)
        }
    }

    /// Counts on; what a transfer says that has ended, such as one that was cancelled, counts no more.
    func update(_ snapshot: Snapshot, _ direction: Direction) {
        tracks.withLock { tracks in
            if !tracks[direction].hasEnded { tracks[direction].pass(snapshot) }
        }
    }

    func end(_ direction: Direction, at snapshot: Snapshot? = nil) {
        guard let observers = tracks.withLock({ $0[direction].end(at: snapshot) }) else { return }
        for observer in observers.values { observer.finish() }
    }
}
