/// What ``Failover`` remembers: which of several servers failed, and until when they are not asked first.
struct FailoverState: Sendable {
    private let downtime: Duration
    /// `nil` for a server that works.
    private var downUntil: [Duration?]

    init(count: Int, downtime: Duration) {
        self.downtime = downtime
        downUntil = Array(repeating: nil, count: count)
    }

    /// Whether a server failed, and has not been asked since.
    func isDown(_ server: Int) -> Bool { downUntil[server] != nil }

    /// The order in which a request tries the servers: those that work, in the order of the list, and then those that failed, the
    /// one that failed first in front.
    ///
    /// When the downtime of a server is over, one request tries it. Until that one has ended, the others ask the rest.
    ///
    /// - Parameter canTry: Whether the request may be the one that tries a server, since it can go on to another one.
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
