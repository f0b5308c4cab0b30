/// How an exchange ended, as an ``ExchangeObservation`` sees it.
public struct ExchangeOutcome: Sendable {
    /// The head of the response; `nil` if there was none.
    public let head: ResponseHead?
    /// The failure of the exchange; `nil` if a response arrived, whatever its status. A redirect that cannot be
    /// followed has both a head and a failure.
    public let failure: ErrandError?
    /// The time from the beginning of the exchange to its end.
    public let duration: Duration
    /// The number of bytes of the request's body; `nil` if it is unknown.
    public let requestBodySize: Int?
    /// Whether the method is HEAD, whose response has no body.
    let isHead: Bool
    /// The number of bytes of the response's body that were collected; `nil` if none was read.
    let collectedBodySize: Int?
    /// The statuses that the request accepts; `nil` if no setting judges them.
    let acceptedStatusCodes: StatusCodes?
    /// The time from the beginning of the transfer to that of this exchange, which is later after a redirect.
    let offset: Duration

    /// The status of the response; `nil` if there was none.
    public var statusCode: Int? { head?.statusCode }
    /// The number of bytes of the response's body before its content is decoded; `nil` if it is unknown.
    public var responseBodySize: Int? {
        guard let head else { return nil }
        if isHead || 100..<200 ~= head.statusCode || [204, 304].contains(head.statusCode) { return 0 }
        if let declared = head.headers["Content-Length"].flatMap({ Int($0) }) { return declared }
        return head.headers["Content-Encoding"] == nil ? collectedBodySize : nil
    }
    /// Whether the exchange was cancelled, by its task or because another attempt was faster. That does not count as an
    /// error.
    public var wasCancelled: Bool { failure?.code == .cancelled }
    /// Whether the exchange failed, or has a status from 400 on that the request does not accept.
    public var isError: Bool { errorType != nil }

    /// The kind of error; `nil` without an error. It is one of a closed list: the status; a word for the `URLError` of
    /// the transport, such as `cannot_find_host`, or `transport_failed` for a code that the transports do not use; a
    /// word for another code with which requests fail while they are sent, such as `timed_out` or
    /// `body_count_mismatch`; else `_OTHER`.
    public var errorType: String? {
        if let failure { return wasCancelled ? nil : failure.errorType }
        guard let statusCode, statusCode >= 400 else { return nil }
        return acceptedStatusCodes?.contains(statusCode) == true ? nil : "\(statusCode)"
    }

    /// The attributes of the span, which are known at its end: `http.response.status_code`, `error.type`,
    /// `network.peer.address`, `network.peer.port` and `network.protocol.version`, each if it applies and is known.
    public var attributes: [String: ExchangeAttribute] {
        var attributes = metricAttributes
        if let (address, port) = metrics?.peer {
            attributes["network.peer.address"] = .text(address)
            attributes["network.peer.port"] = .integer(port)
        }
        return attributes
    }

    /// The attributes of metrics, in addition to those of the exchange: `http.response.status_code`, `error.type` and
    /// `network.protocol.version`, each if it applies and is known.
    public var metricAttributes: [String: ExchangeAttribute] { labels.attributes }
    /// The ``metricAttributes``, in a form that is fast to compare.
    var labels: OutcomeLabels {
        OutcomeLabels(
            status: statusCode.map { .integer($0) }, errorType: errorType, protocolVersion: metrics?.protocolVersion)
    }

    /// The measurements of the transport; `nil` for a redirect, for a stub, and if the transport has none.
    public var metrics: TransferMetrics? { head?.metrics ?? failure?.metrics }

    /// The phases of the exchange that took time, in order: `wait` for a connection, `lookup` of the name, `connect`,
    /// `tls`, `request` until the first byte of the response, and `response`. Each interval is measured from the
    /// beginning of the exchange. None without ``metrics``.
    public var phases: [(name: String, interval: Range<Duration>)] {
        guard let metrics else { return [] }
        let ends = [
            ("wait", metrics.queueing), ("lookup", metrics.nameLookup), ("connect", metrics.connect),
            ("tls", metrics.secureConnect), ("request", metrics.firstByte), ("response", metrics.total),
        ]
        var phases: [(name: String, interval: Range<Duration>)] = []
        var start = Duration.zero
        for case (let name, let end?) in ends where end - offset > start {
            phases.append((name, start..<end - offset))
            start = end - offset
        }
        return phases
    }

    /// The upper bounds of the buckets of a histogram of durations, in seconds, which the conventions advise.
    public static let durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
}

extension ExchangeOutcome: Confidential {
    /// The status or the kind of error, and the duration.
    public var description: String {
        "\(statusCode.map { "\($0)" } ?? errorType ?? "cancelled") in \(duration)"
    }
}

extension TransferMetrics {
    /// The address and the port of the peer.
    fileprivate var peer: (address: String, port: Int)? {
        guard let remoteAddress, let colon = remoteAddress.lastIndex(of: ":"),
            let port = Int(remoteAddress[remoteAddress.index(after: colon)...])
        else { return nil }
        return (remoteAddress[..<colon].trimmingCharacters(in: ["[", "]"]), port)
    }

    /// The version in the name of the protocol.
    fileprivate var protocolVersion: String? {
        protocolName.map { $0.hasPrefix("http/") ? String($0.dropFirst(5)) : String($0.drop { $0 == "h" }) }
    }
}

extension ErrandError {
    /// A word for the kind of error, from a closed list.
    fileprivate var errorType: String {
        if code == .transportFailed, let word = transportCode?.word { return word }
        return Code.ofExchanges.contains(code) ? code.word : "_OTHER"
    }
}

extension ErrandError.Code {
    /// The codes with which an exchange fails.
    fileprivate static let ofExchanges: Set<ErrandError.Code> = [
        .bodyCountMismatch, .bodyEncodingFailed, .bodyStreamAlreadyOpened, .decodingFailed, .elementTooLarge,
        .fileAccessFailed, .invalidCredential, .invalidHeaderField, .invalidSetting, .invalidURL, .stubsExhausted,
        .timedOut, .transportFailed, .unacceptableStatusCode, .unexpectedRequest, .unsupportedByTransport,
    ]

    /// The name in lowercase, with an underscore before each further word: `timed_out`, `invalid_url`.
    fileprivate var word: String {
        var word = ""
        for character in rawValue {
            if character.isUppercase, word.last?.isUppercase == false { word += "_" }
            word.append(character)
        }
        return word.lowercased()
    }
}
