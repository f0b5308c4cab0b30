import Errand

/// The state of ``Failover``: which servers failed, and until when they are not the first choice.
struct FailoverState: Sendable {
    private let downtime: Duration
    /// The end of each server's downtime; `nil` for a server that works.
    private var downUntil: [Duration?]

    init(count: Int, downtime: Duration) {
        self.downtime = downtime
        downUntil = Array(repeating: nil, count: count)
    }

    /// Returns `true` if the last attempt at a server failed.
    func isDown(_ server: Int) -> Bool { downUntil[server] != nil }

    /// Returns the servers in the order in which a request tries them: first those that work, in the order of the list,
    /// then those that failed, the one with the earliest end of its downtime first.
    ///
    /// When the downtime of a server is over, one request tries it. This begins a new downtime, so that other requests
    /// use the other servers meanwhile.
    ///
    /// - Parameter canTry: Whether the request may try such a server: it must be able to go on to another one.
    mutating func order(now: Duration, canTry: Bool = true) -> [Int] {
        let isDue = downUntil.map { $0.map { $0 <= now && canTry } ?? true }
        let first = downUntil.indices.filter { isDue[$0] }
        if let trial = first.first, downUntil[trial] != nil { downUntil[trial] = now + downtime }
        let rest = downUntil.indices.filter { !isDue[$0] }
            .sorted { (downUntil[$0] ?? .zero, $0) < (downUntil[$1] ?? .zero, $1) }
        return first + rest
    }

    mutating func failed(_ server: Int, now: Duration) {
        downUntil[server] = now + downtime
    }

    mutating func worked(_ server: Int) {
        downUntil[server] = nil
    }
}
