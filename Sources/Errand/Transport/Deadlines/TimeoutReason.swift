/// The description of a timeout: which limit passed, its length, and the phase of the transfer.
///
/// For example `timed out after 60 s without a byte from the server`, or
/// `timed out after 0.7 s in all, while connecting to 127.0.0.1:8080`.
struct TimeoutReason: CustomStringConvertible {
    enum Limit {
        /// `URLRequest.timeoutInterval`: the maximum time without activity.
        case idle(Duration)
        /// `resourceTimeout`: the maximum time for the whole transfer.
        case total(Duration)
        /// `CurlConfiguration.connectTimeout`.
        case connecting(Duration)
    }

    /// The phase in which a transfer waits.
    enum Phase: Hashable {
        case connectionLimit
        case nameLookup(host: String)
        case connection(address: String)
        case handshake
        /// The request has been sent or is being sent.
        case response
        /// The server sends bytes, but they complete no field of the response's head.
        case head
        /// The server sends bytes, but none of them belongs to the response's body.
        case body
        /// The request body is read before it is sent.
        case requestBody

        fileprivate var clause: String? {
            switch self {
            case .connectionLimit: "while waiting for a connection"
            case .nameLookup(let host): "while looking up the host name \"\(host)\""
            case .connection(let address): "while connecting to \(address)"
            case .handshake: "in the TLS handshake"
            case .response, .head, .body: nil
            case .requestBody: "while reading the request's body"
            }
        }

        /// What the server did not send.
        fileprivate var missing: String {
            switch self {
            case .head: "a complete header field from the server"
            case .body: "a byte of the response's body"
            default: "a byte from the server"
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
            "timed out after \(length.secondsText) \(clause ?? "without \(phase.missing)")"
        case (.connecting(let length), let clause):
            "timed out after \(length.secondsText) \(clause ?? "while connecting")"
        case (.total(let length), let clause?): "timed out after \(length.secondsText) in all, \(clause)"
        case (.total(let length), nil): "timed out after \(length.secondsText) in all"
        }
    }
}

extension TransportFailure {
    /// Creates a timeout failure with its reason.
    init(timeout: TimeoutReason, metrics: TransferMetrics? = nil) {
        self.init(URLError(.timedOut), reason: timeout.description, metrics: metrics)
    }
}
