public import Errand

extension HAR {
    /// The phases of an entry's duration, in milliseconds; -1 if a phase does not apply or is unknown.
    public struct Timings: Codable, Hashable, Sendable {
        /// Waiting for a connection.
        public var blocked = -1.0
        /// Resolving the host name.
        public var dns = -1.0
        /// Connecting, including TLS.
        public var connect = -1.0
        /// The TLS handshake alone.
        public var ssl = -1.0
        /// Sending the request.
        public var send = 0.0
        /// Waiting for the first byte of the response.
        public var wait = 0.0
        /// Receiving the response.
        public var receive = 0.0

        /// Creates timings without values.
        public init() {}

        /// Creates timings from the metrics of a transport.
        public init(_ metrics: TransferMetrics) {
            let queued = metrics.queueing?.milliseconds
            let named = metrics.nameLookup?.milliseconds ?? queued
            let secured = metrics.secureConnect?.milliseconds
            let connected = metrics.connect?.milliseconds
            let ready = secured ?? connected ?? named ?? queued ?? 0
            let total = metrics.total.milliseconds
            let first = metrics.firstByte?.milliseconds ?? total
            blocked = queued ?? -1
            if metrics.isConnectionReused != true {
                if let named { dns = max(0, named - (queued ?? 0)) }
                if connected != nil { connect = max(0, ready - (named ?? 0)) }
                if let secured, let connected { ssl = max(0, secured - connected) }
            }
            wait = max(0, first - ready)
            receive = max(0, total - first)
        }

        /// Decodes timings; no key is required.
        public init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            func number(_ key: CodingKeys, _ missing: Double) -> Double {
                (try? fields.decodeIfPresent(Double.self, forKey: key)) ?? missing
            }
            blocked = number(.blocked, -1)
            dns = number(.dns, -1)
            connect = number(.connect, -1)
            ssl = number(.ssl, -1)
            send = number(.send, 0)
            wait = number(.wait, 0)
            receive = number(.receive, 0)
        }

        /// The sum of all phases. TLS is part of connecting.
        public var total: Double {
            [blocked, dns, connect, send, wait, receive].filter { $0 > 0 }.reduce(0, +)
        }
    }
}

extension Duration {
    /// In milliseconds, rounded to microseconds.
    fileprivate var milliseconds: Double {
        let (seconds, attoseconds) = components
        return ((Double(seconds) * 1_000_000) + (Double(attoseconds) / 1e12)).rounded() / 1000
    }
}
