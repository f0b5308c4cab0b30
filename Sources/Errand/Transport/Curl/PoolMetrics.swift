#if canImport(CCurl)
/// What the connections of a ``CurlTransport`` are used for at one moment, see ``CurlTransport/poolMetrics()``.
public struct PoolMetrics: Sendable, Hashable {
    /// Counts of one origin, or of all of them.
    public struct Counts: Sendable, Hashable {
        /// Connections that are open or being opened, those of WebSockets included.
        public var connections = 0
        /// Of these, the ones that no request uses.
        public var idleConnections = 0
        /// Requests that are under way, those that wait included.
        public var requests = 0
        /// Of these, the ones that wait for a connection.
        public var waiting = 0
        /// The ones that wait for the addresses of their host.
        public var lookups = 0
        /// The ones that wait for a TLS handshake.
        public var handshakes = 0

        /// Nothing is counted.
        public init() {}

        /// Adds up two counts.
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

    /// The counts of each origin that has a connection or a request, by its name: `https://api.example.com:443`.
    public internal(set) var origins: [String: Counts] = [:]

    /// The counts of all origins together.
    public var total: Counts { origins.values.reduce(Counts(), +) }

    /// Adds the counts of another part of the pool.
    mutating func add(_ other: PoolMetrics) {
        origins.merge(other.origins, uniquingKeysWith: +)
    }
}

extension PoolMetrics.Counts {
    /// Counts a request, by what it waits for.
    mutating func count(_ phase: TimeoutReason.Phase) {
        requests += 1
        switch phase {
        case .connectionLimit: waiting += 1
        case .nameLookup: lookups += 1
        case .handshake: handshakes += 1
        case .connection, .response, .requestBody: break
        }
    }
}
#endif
