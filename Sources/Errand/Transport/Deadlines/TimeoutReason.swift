/// The sentence about a timeout: which limit passed, how long it is, and what the transfer was waiting for.
///
/// For example `timed out after 60 s without a byte from the server`, or
/// `timed out after 0.7 s in all, while connecting to 127.0.0.1:8080`.
struct TimeoutReason: CustomStringConvertible {
    enum Limit {
        /// `URLRequest.timeoutInterval`: the longest time without activity.
        case idle(Duration)
        /// `resourceTimeout`: the longest time for all of the transfer.
        case total(Duration)
        /// `CurlConfiguration.connectTimeout`.
        case connecting(Duration)
    }

    /// What a transfer waits for.
    enum Phase: Hashable {
        case connectionLimit
        case nameLookup(host: String)
        case connection(address: String)
        case handshake
        /// The request is sent, or is being sent.
        case response
        /// The request's own body is read before it is sent.
        case requestBody

        fileprivate var clause: String? {
            switch self {
            case .connectionLimit: "while waiting for a connection"
            case .nameLookup(let host): "while looking up the host name \"\(host)\""
            case .connection(let address): "while connecting to \(address)"
            case .handshake: "in the TLS handshake"
            case .response: nil
            case .requestBody: "while reading the request's body"
            }
        }
    }

    let limit: Limit
    let phase: Phase

    init(_ limit: Limit, _ phase: Phase) {
        self.limit = limit
        self.phase = phase
    }

    var description: String {
        switch (limit, phase.clause) {
        case (.idle(let length), let clause):
            "timed out after \(length.secondsText) \(clause ?? "without a byte from the server")"
        case (.connecting(let length), let clause):
            "timed out after \(length.secondsText) \(clause ?? "while connecting")"
        case (.total(let length), let clause?): "timed out after \(length.secondsText) in all, \(clause)"
        case (.total(let length), nil): "timed out after \(length.secondsText) in all"
        }
    }
}

extension TransportFailure {
    /// A timeout, with its reason.
    init(timeout: TimeoutReason, metrics: TransferMetrics? = nil) {
        self.init(URLError(.timedOut), reason: timeout.description, metrics: metrics)
    }
}
