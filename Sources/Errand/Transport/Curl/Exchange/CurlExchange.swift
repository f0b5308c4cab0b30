#if canImport(CCurl)
/// One request as HTTP: its redirects, its responses to challenges and its repetitions, each of which is a hop. It has
/// no handle, no socket and no clock: it receives libcurl's reports, and answers what libcurl must do.
///
/// A value, which belongs to the loop's thread after the request is submitted. It is never copied. Times are in
/// nanoseconds of ``Monotonic``.
struct CurlExchange: ~Copyable {
    /// What is to be done after a report, since it cannot be done in it.
    struct Wishes: OptionSet {
        let rawValue: UInt8

        /// The reader of the body gets the data that ``takePiece()`` returns.
        static let piece = Wishes(rawValue: 1)
        /// The hop ends, although libcurl has not completed it.
        static let end = Wishes(rawValue: 2)
        /// libcurl goes on after others had their turn, or after it has read what has arrived. If the exchange has
        /// failed, it ends.
        static let turn = Wishes(rawValue: 4)
        /// A task decides about a redirect, and ``take(_:_:)`` gets its decision.
        static let decision = Wishes(rawValue: 8)
        /// The head of a streamed response is given to the caller.
        static let head = Wishes(rawValue: 16)
        /// ``TransferTimes/next`` may be earlier than before.
        static let deadline = Wishes(rawValue: 32)
    }

    /// What follows the end of a hop.
    enum Next {
        /// The exchange is over, and ``result(of:)`` is its result.
        case end
        /// Another hop.
        case hop
        /// The decision about a redirect.
        case decision
    }

    let request: TransportRequest
    /// The redirects so far, and the request of this hop; that of the next hop once a redirect is followed.
    var chain: RedirectChain {
        didSet { url = Self.url(of: chain.request) }
    }
    /// The state of Digest authentication; `nil` without a credential.
    var digest: DigestExchange?
    /// The URL of the request in ``chain``, without its fragment.
    private(set) var url: String
    var upload: CurlUpload?
    /// The progress of the hop; ``HopState/notStarted`` while it waits.
    var hop = HopState.notStarted
    /// Whether the hop uses HTTP/2, and shares its connection with others.
    var isMultiplexed = false
    var times: TransferTimes
    /// The body of a collected response.
    var body = CollectedBody(limit: 0)
    /// The received data of a streamed body that the reader has not been given yet.
    var piece = CurlPiece()
    var wishes: Wishes = []
    /// The error with which a report, or the start of a hop, has failed. libcurl does not know it.
    var failure: (any Error)?
    var metrics = TransferMetrics()
    /// The number of failed attempts to send the request before the current hop.
    var failedSendings = 0
    /// Whether the response is complete, regardless of libcurl's result.
    var hasResponse = false
    /// Whether ``read(into:_:hasUnread:)`` has made libcurl wait before it sends more, and nothing has arrived since.
    var hasHeldSending = false
    /// The outcome of the current hop, if it ended before the decision about its redirect.
    var outcomeBeforeDecision: CurlOutcome?

    init(_ request: TransportRequest) {
        chain = RedirectChain(request)
        digest = request.digestCredential.map { DigestExchange($0) }
        url = Self.url(of: request.urlRequest)
        times = TransferTimes(idleLimit: Duration(bounding: request.urlRequest.timeoutInterval).nanoseconds)
        self.request = request
    }

    private static func url(of request: URLRequest) -> String {
        let url = request.url?.absoluteString ?? ""
        return url.contains(byte: "#") ? String(url.prefix { $0 != "#" }) : url
    }

    /// Returns the wishes since the latest call.
    mutating func takeWishes() -> Wishes {
        defer { wishes = [] }
        return wishes
    }

    /// Returns the received data of a streamed body that the reader has not been given yet.
    mutating func takePiece() -> Data { piece.take() }

    /// Records activity, after which ``read(into:_:hasUnread:)`` may make libcurl wait again.
    mutating func touch(_ now: UInt64) {
        times.touch(now)
        hasHeldSending = false
    }
}

// Deadlines.
extension CurlExchange {
    /// Returns the phase in which a request is late: if it is `response`, the part of the request or response that is
    /// missing.
    ///
    /// - Parameter lastReceived: The time at which data last arrived on its connection.
    func phase(_ phase: TimeoutReason.Phase, lastReceived: UInt64?) -> TimeoutReason.Phase {
        guard phase == .response else { return phase }
        if hop.head.isEmpty, upload?.isPaused == true { return .requestBody }
        // Lines of the head and parts of the body count as activity. Later bytes are not enough for one of these.
        guard let lastReceived, lastReceived > times.lastActivity else { return .response }
        return hop.head.isWhole ? .body : .head
    }
}

// The end.
extension CurlExchange {
    /// Ends a hop, and prepares the next one if another follows: a redirect, a response to a challenge, or the same
    /// request again. Must be called after ``metrics`` were collected.
    mutating func end(_ outcome: CurlOutcome) -> Next {
        if hop.isUndecided, failure == nil, outcome.kind != .ours {
            outcomeBeforeDecision = outcome
            return .decision
        }
        guard failure == nil, upload?.failure == nil else { return .end }
        switch hop.end(outcome, isReused: metrics.isConnectionReused == true) {
        case .follow:
            failedSendings = 0
            metrics.forgetConnection()
        case .beginAgain: failedSendings = hop.allFailedSendings
        case .response:
            hasResponse = true
            return .end
        case .fail: return .end
        }
        // The next hop may have to wait, and meanwhile must not count as complete.
        hop = .notStarted
        wishes = []
        request.uploadProgress?.update(.init(completed: 0, total: request.bodySize))
        return .hop
    }

    /// Ends the exchange, and returns the response or the error that the caller receives.
    mutating func result(of outcome: CurlOutcome, _ now: UInt64) -> Result<DataResponse, any Error> {
        metrics.total = .nanoseconds(Int64(now &- times.submitted))
        // A callback that cannot end the transfer may have failed in the call in which libcurl completed it.
        if let code = outcome.failure ?? (failure == nil ? nil : .unknown), !hasResponse {
            return .failure(error(for: code, reason: outcome.reason))
        }
        // libcurl treats a connection that closes inside the head as the end of a body.
        guard hop.head.isWhole else { return .failure(error(for: .networkConnectionLost, reason: nil)) }
        // The waiting task decodes a body with a content coding.
        return .success(response(with: body.codings.isEmpty ? body.data : Data()))
    }

    /// Returns the error of a failed exchange: ``failure`` or that of the request's body, or else the outcome's.
    private func error(for code: URLError.Code, reason: String?) -> any Error {
        switch failure ?? upload?.failure {
        case nil: return TransportFailure(URLError(code), reason: reason, metrics: metrics)
        case let error as URLError: return TransportFailure(error, reason: hop.head.fault, metrics: metrics)
        case var error as TransportFailure:
            error.metrics = error.metrics ?? metrics
            return error
        case let error?: return error
        }
    }

    /// Returns the response as far as it is known.
    func response(with data: Data = Data()) -> DataResponse {
        var response = DataResponse(
            statusCode: hop.head.statusCode, headers: hop.head.fields, data: data, url: chain.request.url,
            method: request.urlRequest.httpMethod.map(RequestMethod.init(rawValue:)), metrics: metrics,
            trailers: hop.head.trailers.map { ResponseTrailers($0) })
        if let history = chain.history { response.redirects = history }
        return response
    }

    /// Returns the head of a streamed response, without its body.
    func head(_ stream: StreamedBody) -> DataResponse {
        var response = DataResponse(
            statusCode: hop.head.statusCode, headers: hop.head.fields, url: chain.request.url,
            body: stream.sequence, trailers: stream.trailers)
        if let history = chain.history { response.redirects = history }
        return response
    }
}
#endif
