#if canImport(CCurl)
import CCurl

/// One request on its way through an engine: who waits for it, where it goes, and the hop that is under way.
///
/// `@unchecked Sendable` holds because all that changes belongs to the loop's thread, from the moment the transfer is
/// submitted; before that, the task that makes it has the only reference. The caller is answered once, by ``end(_:)`` or
/// ``refuse(_:)``, both of which look at ``isOver``.
final class CurlTransfer: @unchecked Sendable {
    /// Who waits for the answer.
    enum Delivery {
        case collected(UnsafeContinuation<CollectedAnswer, any Error>)
        /// Nil once the head was given.
        case streamed(UnsafeContinuation<DataResponse, any Error>?, StreamedBody)
    }

    /// An answer whose body is still as it was on the wire.
    struct CollectedAnswer: Sendable {
        var response: DataResponse
        let body: CollectedBody
    }

    let request: TransportRequest
    var delivery: Delivery?
    var isOver = false
    /// Its cancellation came first.
    var isCancelledBeforeStart = false

    // The hop that is under way.
    var handle: CurlHandle?
    /// Where the loop keeps it.
    var slot = 0
    /// Whose connections it uses, and since when it waits for one, in the order of arrivals.
    var origin: CurlOrigin?
    var arrival = 0
    var chain: RedirectChain {
        didSet { url = Self.url(of: chain.request) }
    }
    /// Where it goes now.
    var url: String
    /// The addresses of its host, where libcurl does not find them by itself.
    var resolvedHost: String?
    var upload: CurlUpload?
    var hop = HopState(HopState.Request(), headLimit: 0)
    var body = CollectedBody(limit: 0)
    /// The TLS session whose end is the end of the body, to be compared and no more.
    var session: UnsafeRawPointer?
    /// What has come of a streamed body, and was not handed over yet.
    var pending = CurlPiece()
    /// Why a callback ended the transfer, which libcurl cannot know.
    var failure: (any Error)?
    var metrics = TransferMetrics()
    /// How often the request was sent in vain before the hop began again.
    var lostSendings = 0
    /// The answer is whole, however libcurl ended.
    var isAnswered = false

    var times: TransferTimes
    /// Whether libcurl has told that it is done with the hop that is under way.
    var isDone = false
    var round: CurlRound?
    private var clock: Monotonic?
    /// Whether the request was held back once since something came.
    var hasHeld = false
    /// Whether ``CurlRound`` counts it as unsettled.
    private var isUnsettled = false

    /// - Throws: ``ErrandError`` for a body that cannot be sent.
    init(_ request: TransportRequest) throws(ErrandError) {
        self.request = request
        chain = RedirectChain(request)
        url = Self.url(of: request.urlRequest)
        times = TransferTimes(idleLimit: Duration(bounding: request.urlRequest.timeoutInterval).nanoseconds)
        if request.urlRequest.httpMethod == "HEAD", (request.bodySize ?? 1) > 0 {
            throw ErrandError(.unsupportedByTransport, reason: "libcurl sends no HEAD with a body")
        }
    }

    static func url(of request: URLRequest) -> String { request.url?.absoluteString ?? "" }

    var isMultiplexed: Bool { handle?.isMultiplexed ?? false }

    /// Whether its body has ended with a TLS connection that the server did not end in order, so that anybody may have cut it.
    var isCutInTLS: Bool {
        guard let session, !isMultiplexed, LibraryVersion.current.tellsOfClosing else { return false }
        return !ccurl_was_closed(session)
    }

    /// Whether libcurl keeps the connection for other requests, once the transfer is done: it tells of the last one alone
    /// that has used it.
    var isConnectionKept: Bool { handle.map { ccurl_active_socket($0.easy) >= 0 } ?? false }
}

// Time.
extension CurlTransfer {
    var isSubmitted: Bool { clock != nil }

    func submitted(_ clock: Monotonic, _ round: CurlRound, defaultTimeout: UInt64) {
        self.clock = clock
        self.round = round
        times.submit(clock.now, totalLimit: request.resourceTimeout?.nanoseconds ?? defaultTimeout)
    }

    var now: UInt64 { clock?.now ?? times.submitted }

    /// When it has to end unless something happens.
    var nextDeadline: UInt64 {
        handle == nil ? times.next(waitingSince: origin?.movedAt ?? 0) : times.next
    }

    /// How it is ended when ``nextDeadline`` has passed; to be read before it is detached from its handle.
    var lateOutcome: CurlOutcome {
        let isTotal = now >= times.deadline
        // What is late is only what nobody waits for: the rest of the request, or of the body of a redirect.
        if !isTotal, hop.isComplete { return .complete }
        let length = Duration.nanoseconds(Int64(clamping: isTotal ? times.deadline - times.submitted : times.idleLimit))
        let reason = TimeoutReason(isTotal ? .total(length) : .idle(length), phase)
        return CurlOutcome(failure: .timedOut, reason: reason.description)
    }

    /// What it waits for.
    var phase: TimeoutReason.Phase {
        if let handle { return handle.phase }
        return origin == nil ? .nameLookup(host: chain.request.url?.host ?? "") : .connectionLimit
    }

    /// Whether it waits for a connection that another transfer makes, which may turn out to be HTTP/2.
    var waitsForConnection: Bool { handle.map { !hop.isConnected && $0.phase == .connectionLimit } ?? false }

    /// The server ends the connection in order, once its streams have ended.
    func serverSaidFarewell() {
        if let connection = hop.connection { round?.note(farewellOf: connection) }
    }

    /// Says whether libcurl has to be asked now and then how it goes on.
    func setUnsettled(_ isUnsettled: Bool) {
        guard isUnsettled != self.isUnsettled else { return }
        self.isUnsettled = isUnsettled
        round?.count(isUnsettled ? 1 : -1, now)
    }
}
#endif
