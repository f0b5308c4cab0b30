public import Errand

extension HAR {
    /// Where the time of an entry went, in milliseconds; -1 for what does not apply or is not known.
    public struct Timings: Codable, Hashable, Sendable {
        /// Waiting for a connection.
        public var blocked = -1.0
        /// Resolving the name.
        public var dns = -1.0
        /// Connecting, TLS with it.
        public var connect = -1.0
        /// TLS alone.
        public var ssl = -1.0
        /// Sending the request.
        public var send = 0.0
        /// Waiting for the first byte of the answer.
        public var wait = 0.0
        /// Receiving the answer.
        public var receive = 0.0

        /// Nothing known.
        public init() {}

        /// What a transport tells.
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

        /// Reads timings; nothing of them has to be there.
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

        /// All of it together; TLS is part of connecting.
        public var total: Double {
            [blocked, dns, connect, send, wait, receive].filter { $0 > 0 }.reduce(0, +)
        }
    }
}

extension Duration {
    /// In milliseconds, to the microsecond.
    fileprivate var milliseconds: Double {
        let (seconds, attoseconds) = components
        return ((Double(seconds) * 1_000_000) + (Double(attoseconds) / 1e12)).rounded() / 1000
    }
}
