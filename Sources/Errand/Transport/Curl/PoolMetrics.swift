#if canImport(CCurl)
/// A snapshot of the connections and requests of a ``CurlTransport``, see ``CurlTransport/poolMetrics()``.
public struct PoolMetrics: Sendable, Hashable {
    /// The counts for one origin or for all origins.
    public struct Counts: Sendable, Hashable {
        /// The connections that are open or being opened, including those of WebSockets.
        public var connections = 0
        /// The connections that no request uses.
        public var idleConnections = 0
        /// The requests that have not ended, including those that wait.
        public var requests = 0
        /// The requests that wait for a connection.
        public var waiting = 0
        /// The requests that wait for the addresses of their host.
        public var lookups = 0
        /// The requests that wait for a TLS handshake.
        public var handshakes = 0

        /// Creates counts of zero.
        public init() {}

        /// Returns the sum of two counts.
        public static func + (one: Counts, other: Counts) -> Counts {
            var sum = one
            sum.connections += other.connections
            sum.idleConnections += other.idleConnections
            sum.requests += other.requests
            sum.waiting += other.waiting
            sum.lookups += other.lookups
            sum.handshakes += other.handshakes
            return sum
        }
    }

    /// The counts of each origin that has a connection or a request, by origin: `https://api.example.com:443`.
    public internal(set) var origins: [String: Counts] = [:]

    /// The sum of the counts of all origins.
    public var total: Counts { origins.values.reduce(Counts(), +) }

    /// Adds the counts of another part of the pool.
    mutating func add(_ other: PoolMetrics) {
        origins.merge(other.origins, uniquingKeysWith: +)
    }
}

extension PoolMetrics.Counts {
    /// Counts a request according to its current phase.
    mutating func count(_ phase: TimeoutReason.Phase) {
        requests += 1
        switch phase {
        case .connectionLimit: waiting += 1
        case .nameLookup: lookups += 1
        case .handshake: handshakes += 1
        case .connection, .response, .head, .body, .requestBody: break
        }
    }
}
#endif
