#if canImport(CCurl)
import CCurl
import CEvents

/// One request in an engine: its caller, its destination and its current hop. The first hop sends the request; each
/// further one sends a redirected request, or the same one again.
///
/// `@unchecked Sendable` is safe because all mutable state belongs to the loop's thread after the transfer is
/// submitted. Before that, only the task that creates it uses it, with one exception: for a cancellation that arrives
/// first, the loop's thread reads ``isSubmitted`` and sets ``isCancelledBeforeStart``, which that task does not use. An
/// engine without a running thread refuses the transfer on the task's thread. ``end(_:)`` resumes the caller once, and
/// sets ``isOver``.
final class CurlTransfer: @unchecked Sendable {
    /// The caller that waits for the response.
    enum Delivery {
        case collected(UnsafeContinuation<CollectedResponse, any Error>)
        /// The continuation is `nil` after the head was delivered.
        case streamed(UnsafeContinuation<DataResponse, any Error>?, StreamedBody)
    }

    /// A response whose body still has its content coding.
    struct CollectedResponse: Sendable {
        var response: DataResponse
        let body: CollectedBody
    }

    let request: TransportRequest
    /// `nil` until the caller waits, and after the end.
    var delivery: Delivery?
    /// Whether the caller has the result.
    var isOver = false
    /// Whether the transfer was cancelled before it was started.
    var isCancelledBeforeStart = false

    // The current hop.
    /// libcurl's handle while libcurl performs the hop; `nil` before that, while the transfer waits, and after that.
    var handle: CurlHandle?
    /// The index in the loop's list of running transfers.
    var slot = 0
    /// The origin whose connections the transfer uses or waits for.
    var origin: CurlOrigin?
    /// The position in the order of arrival, if the transfer waits for a connection.
    var arrival = 0
    /// The redirects so far, and the request of this hop; that of the next hop once a redirect is followed.
    var chain: RedirectChain {
        didSet { url = Self.url(of: chain.request) }
    }
    /// The state of Digest authentication; `nil` without a credential.
    var digest: DigestExchange?
    /// The URL of the request in ``chain``, without its fragment.
    var url: String
    /// The changes to libcurl's cache of addresses at the start of this hop, such as the addresses that a name service
    /// returned.
    var hostEntries: [String] = []
    /// Whether no recent transfer had the host of this hop, and no proxy is used.
    var isFirstToHost = false
    var upload: CurlUpload?
    /// The progress of the hop; ``HopState/notStarted`` while it waits.
    var hop = HopState.notStarted
    var body = CollectedBody(limit: 0)
    /// The TLS session whose end is the end of the body. libcurl may have freed it, so the pointer is only compared.
    var session: UnsafeRawPointer?
    /// The received data of a streamed body that the reader has not been given yet.
    var pending = CurlPiece()
    /// The error with which a callback, or the start of a hop, ended the transfer. libcurl does not know it.
    var failure: (any Error)?
    var metrics = TransferMetrics()
    /// The number of failed attempts to send the request before the current hop.
    var failedSendings = 0
    /// Whether the response is complete, regardless of libcurl's result.
    var hasResponse = false

    var times: TransferTimes
    /// Whether libcurl has reported the end of the current hop.
    var isDone = false
    /// The outcome of the current hop, if it ended before the decision about its redirect.
    var outcomeBeforeDecision: CurlOutcome?
    /// The loop's list of work that callbacks find; `nil` until the loop has received the transfer.
    var round: CurlRound?
    /// The loop's clock; `nil` until the loop has received the transfer.
    private var clock: Monotonic?
    /// Whether ``read(into:)`` has made libcurl wait before it sends more, and nothing has arrived since.
    var hasHeldSending = false
    /// Whether libcurl must check the transfer regularly: see ``CurlRound/unsettled``.
    private var isUnsettled = false

    /// Creates a transfer for a request.
    ///
    /// - Throws: ``ErrandError`` for a body that cannot be sent.
    init(_ request: TransportRequest) throws(ErrandError) {
        self.request = request
        chain = RedirectChain(request)
        digest = request.digestCredential.map { DigestExchange($0) }
        url = Self.url(of: request.urlRequest)
        times = TransferTimes(idleLimit: Duration(bounding: request.urlRequest.timeoutInterval).nanoseconds)
        if request.urlRequest.httpMethod == "HEAD", (request.bodySize ?? 1) > 0 {
            throw ErrandError(.unsupportedByTransport, reason: "libcurl sends no HEAD with a body")
        }
    }

    private static func url(of request: URLRequest) -> String {
        let url = request.url?.absoluteString ?? ""
        return url.utf8.firstIndex(of: UInt8(ascii: "#")).map { String(url[..<$0]) } ?? url
    }

    var isMultiplexed: Bool { handle?.isMultiplexed ?? false }

    /// Whether the body ended with a TLS connection that the server did not close properly, so that an attacker may
    /// have truncated it.
    var isCutInTLS: Bool {
        guard let session, !isMultiplexed, LibraryVersion.current.usesOpenSSL else { return false }
        return !ccurl_was_closed(session)
    }

    /// Whether libcurl keeps the connection for other requests after the transfer. libcurl reports this only for the
    /// last transfer that used the connection.
    var isConnectionKept: Bool { handle.map { ccurl_active_socket($0.easy) >= 0 } ?? false }
}

// Deadlines and activity.
extension CurlTransfer {
    var isSubmitted: Bool { clock != nil }

    /// Records that the loop has received the transfer, and begins to measure its time.
    func submitted(_ clock: Monotonic, _ round: CurlRound, defaultTimeout: UInt64, connectTimeout: UInt64) {
        self.clock = clock
        self.round = round
        times.submit(
            clock.now, totalLimit: request.resourceTimeout?.nanoseconds ?? defaultTimeout, connectLimit: connectTimeout)
    }

    /// The loop's time in nanoseconds; 0 until the loop has received the transfer.
    var now: UInt64 { clock?.now ?? 0 }

    /// Whether the transfer should stop receiving until other transfers had their turn.
    ///
    /// A server that sends very small chunks or frames would otherwise keep the loop busy: libcurl reads on as long as
    /// data arrives.
    var mustGiveWay: Bool { clock?.isTurnOver == true }

    /// The time at which the transfer must end if nothing happens.
    var nextDeadline: UInt64 {
        guard handle == nil, outcomeBeforeDecision == nil else { return times.next }
        // The start of another transfer that waited counts as activity.
        return times.next(waitingSince: origin?.movedAt ?? 0, unreachedSince: origin?.unreachedSince)
    }

    /// The time until which the transfer waits for the first connection to its origin, or opens it; the largest number
    /// unless the origin is known to have no connection.
    var connectionEnd: UInt64 { times.connectionEnd(unreachedSince: origin?.unreachedSince) }

    /// The time left for opening a connection, in nanoseconds.
    var timeToConnect: UInt64 {
        let end = connectionEnd
        if end == .max { return times.connectLimit }
        return end > now ? end - now : 0
    }

    /// The outcome after ``nextDeadline`` has passed. Must be read before the transfer is detached from its handle.
    var lateOutcome: CurlOutcome {
        let isTotal = now >= times.deadline
        // The response is complete; only the rest of the request, or of a redirect's body, is late.
        if !isTotal, hop.isComplete { return .complete }
        let limit: TimeoutReason.Limit =
            if isTotal {
                .total(.nanoseconds(Int64(clamping: times.deadline - times.submitted)))
            } else if handle == nil, now >= connectionEnd {
                .connecting(.nanoseconds(Int64(clamping: times.connectLimit)))
            } else {
                .idle(.nanoseconds(Int64(clamping: times.idleLimit)))
            }
        return CurlOutcome(failure: .timedOut, reason: TimeoutReason(limit, idlePhase).description)
    }

    /// The phase in which the transfer waits.
    var phase: TimeoutReason.Phase {
        if let handle { return handle.phase }
        if outcomeBeforeDecision != nil { return .response }
        return origin == nil ? .nameLookup(host: chain.request.url?.host ?? "") : .connectionLimit
    }

    /// Like ``phase``, but after the connection is established, tells which part of the request or response is missing.
    private var idlePhase: TimeoutReason.Phase {
        guard let handle, phase == .response else { return phase }
        if hop.head.isEmpty, upload?.isPaused == true { return .requestBody }
        // Lines of the head and parts of the body count as activity. Later bytes are not enough for one of these.
        guard let received = handle.lastReceived, received > times.lastActivity else { return .response }
        return hop.head.isWhole ? .body : .head
    }

    /// Whether the transfer waits for another transfer's connection, which may turn out to use HTTP/2.
    var waitsForConnection: Bool { handle.map { !hop.isConnected && $0.phase == .connectionLimit } ?? false }

    /// Sets whether libcurl must check the transfer regularly, because no event reports its progress.
    func setUnsettled(_ isUnsettled: Bool) {
        guard isUnsettled != self.isUnsettled else { return }
        self.isUnsettled = isUnsettled
        round?.changeUnsettled(by: isUnsettled ? 1 : -1, now)
    }
}
#endif
