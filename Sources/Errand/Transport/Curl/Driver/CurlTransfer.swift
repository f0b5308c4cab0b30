#if canImport(CCurl)
import CCurl
import CEvents

/// A ``CurlExchange`` in a loop: its caller, and libcurl's handle while libcurl performs a hop.
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

    /// The loop's clock, and its list of work that callbacks find.
    struct Place {
        let clock: Monotonic
        let round: CurlRound
    }

    var exchange: CurlExchange
    /// `nil` until the caller waits, and after the end.
    var delivery: Delivery?
    /// Whether the caller has the result.
    private(set) var isOver = false
    /// Whether the transfer was cancelled before it was started.
    var isCancelledBeforeStart = false
    /// `nil` until the loop has received the transfer.
    private(set) var place: Place?
    /// The number for the loop and its pool, from the submission to the end.
    var number = 0

    // The current hop.
    /// libcurl's handle while libcurl performs the hop; `nil` before that, while the transfer waits, and after that.
    var handle: CurlHandle?
    /// The index in ``CurlTransfers/running``.
    var slot = 0
    /// The changes to libcurl's cache of addresses at the start of this hop, such as the addresses that a name service
    /// returned.
    var hostEntries: [String] = []
    /// Whether the connection is closed after this hop, because others are more likely to be used again. One that turns
    /// out to use HTTP/2 is kept.
    private var isConnectionUsedOnce = false
    /// The TLS session whose end is the end of the body. libcurl may have freed it, so the pointer is only compared.
    private var session: UnsafeRawPointer?
    /// Whether the hop has ended, and is not finished yet.
    var isDone = false
    /// Whether libcurl must check the transfer regularly: see ``CurlRound/unsettled``.
    private var isUnsettled = false
    /// Whether the transfer is in the list of ``CurlRound/takeReports()``.
    var isReported = false

    /// Creates a transfer for a request.
    ///
    /// - Throws: ``ErrandError`` for a body that cannot be sent.
    init(_ request: TransportRequest) throws(ErrandError) {
        if request.urlRequest.httpMethod == "HEAD", (request.bodySize ?? 1) > 0 {
            throw ErrandError(.unsupportedByTransport, reason: "libcurl sends no HEAD with a body")
        }
        exchange = CurlExchange(request)
    }

    var isSubmitted: Bool { place != nil }
    var isMultiplexed: Bool { handle?.isMultiplexed ?? false }

    /// The loop's time in nanoseconds; 0 until the loop has received the transfer.
    private var now: UInt64 { place?.clock.now ?? 0 }

    /// Whether the body ended with a TLS connection that the server did not close properly, so that an attacker may
    /// have truncated it.
    var isCutInTLS: Bool {
        guard let session, !isMultiplexed, CurlLibrary.current.usesOpenSSL else { return false }
        return !ccurl_was_closed(session)
    }

    /// Whether libcurl keeps the connection for other requests after the transfer. libcurl reports this only for the
    /// last transfer that used the connection.
    var isConnectionKept: Bool { handle.map { ccurl_active_socket($0.easy) >= 0 } ?? false }

    /// Whether the transfer waits for another transfer's connection, which may turn out to use HTTP/2.
    var waitsForConnection: Bool {
        handle.map { !exchange.hop.isConnected && $0.phase == .connectionLimit } ?? false
    }
}

// The steps of a transfer, which the loop takes.
extension CurlTransfer {
    /// Records that the loop has received the transfer, and begins to measure its time.
    func submitted(to place: Place, _ configuration: CurlConfiguration) {
        self.place = place
        exchange.times.submit(
            now, totalLimit: (exchange.request.resourceTimeout ?? configuration.resourceTimeout).nanoseconds,
            connectLimit: configuration.connectTimeout.nanoseconds)
    }

    /// Starts the next hop with a handle.
    ///
    /// - Throws: ``CurlHandle/refusal``; the error of a body that cannot be read, or not a second time;
    ///   ``TransportFailure`` for a head that is too long.
    func attach(_ handle: CurlHandle, _ start: CurlPool.Start, engine: CurlEngine, maximumHeadSize: Int) throws {
        session = nil
        // A connection to a proxy is used for many hosts.
        isConnectionUsedOnce = start.isOnlyUse && !handle.mayUseProxy
        hostEntries += start.removals
        let message = try exchange.begin(
            now, unreachedSince: start.unreachedSince, headLimit: maximumHeadSize, whenReadable: resumeUpload(engine))
        handle.forgetFailure()
        handle.transfer = self
        handle.tunnelAllowance = maximumHeadSize
        handle.connectMilliseconds = CurlHandle.milliseconds(
            exchange.times.timeToConnect(now, unreachedSince: start.unreachedSince))
        handle.keepsConnection = true
        handle.setHosts(hostEntries)
        let asksForCoding = try handle.set(message, waitsForSharedConnection: start.waitsForSharedConnection)
        exchange.hop.decodesBody = !asksForCoding
        self.handle = handle
        setUnsettled(true)
    }

    /// Returns a function that continues the upload of a stream. An object with a weak reference costs more to retain,
    /// so others have none.
    private func resumeUpload(_ engine: CurlEngine) -> @Sendable () -> Void {
        guard exchange.request.bodyStream != nil else { return {} }
        return { [weak self] in
            if let self { engine.submit(.resumeUpload(self)) }
        }
    }

    /// Detaches the handle, so that other transfers can use it, and collects its metrics.
    func detach() {
        guard let handle else { return }
        setUnsettled(false)
        exchange.metrics.collect(
            from: handle, queueing: exchange.times.started &- exchange.times.submitted,
            redirects: exchange.chain.followed)
        if exchange.hop.wasSentAgain { handle.mayHaveRetried = true }
        exchange.upload?.cancel()
        handle.transfer = nil
        handle.checksNextLine = false
        handle.wasUsed = true
        self.handle = nil
    }

    /// Continues a response whose reader has room again.
    func resumeBody() {
        exchange.times.isPaused = false
        if handle != nil { exchange.touch(now) }
    }

    /// Asks the policy and the hooks about a redirect, which may be the user's code. They are called in a task, so that
    /// they hold up no other request.
    func askAboutRedirect(_ engine: CurlEngine) {
        let response = exchange.response()
        Task { [chain = exchange.chain] in engine.submit(.decided(self, Result { try chain.following(response) })) }
    }

    /// Goes on after the decision about a redirect.
    func take(_ decision: Result<RedirectChain?, any Error>) {
        exchange.take(decision, now)
        prepareForBody()
        carryOutWishes()
    }

    /// Sets whether libcurl must check the transfer regularly, because no event reports its progress.
    func setUnsettled(_ isUnsettled: Bool) {
        guard isUnsettled != self.isUnsettled else { return }
        self.isUnsettled = isUnsettled
        place?.round.changeUnsettled(by: isUnsettled ? 1 : -1, now)
    }

    /// Reports what libcurl has done to the pool, after libcurl has returned.
    func report(_ event: CurlPool.Event) {
        place?.round.add(event, of: self)
    }
}

// Reports from libcurl, called by its callbacks on the loop's thread.
//
// By its result, a callback can pause or end its own transfer. All else must wait until libcurl has returned: the
// exchange leaves wishes, and the loop carries them out.
extension CurlTransfer {
    /// Receives the report that a connection is established and the request is about to be written to it.
    ///
    /// - Returns: Whether the request may be written; `false` if libcurl would repeat one that must not be repeated.
    func connected(over connection: ConnectionID) -> Bool {
        // The loop checks a connecting transfer regularly. After that, only an old libcurl may need these checks.
        setUnsettled(mayHang)
        // If ``CurlSockets`` has shut down this connection, libcurl detects that, and opens another one.
        if handle?.sockets?.hasEnded(connection) == true { return true }
        let isMultiplexed = handle.map { $0.mayMultiplex && ccurl_speaks_http2($0.easy) } ?? false
        report(.connected(connection, isMultiplexed ? .streams : .none))
        return exchange.connected(over: connection, isMultiplexed: isMultiplexed, now)
    }

    /// Gives libcurl the next bytes of the request body.
    func read(into room: UnsafeMutableRawBufferPointer) -> CurlUpload.Reading {
        let reading = exchange.read(
            into: room, now, hasUnread: handle?.descriptor.map { cevents_is_readable($0) } ?? false)
        carryOutWishes()
        return reading
    }

    /// Receives a line of the head, or of the trailers after the body.
    ///
    /// - Returns: Whether the transfer continues.
    func receive(line: UnsafeBufferPointer<UInt8>) -> Bool {
        switch exchange.receive(line: line, now, isMultiplexed: isMultiplexed) {
        case .failed: return false
        case .statusLine: checkNextLine()
        case .field: break
        case .headEnd:
            // The first sign of a connection if libcurl does not report it, or its protocol.
            setUnsettled(mayHang)
            if exchange.isMultiplexed { report(.connected(exchange.hop.connection, .streams)) }
            prepareForBody()
            carryOutWishes()
        }
        return true
    }

    /// Prepares the handle for the body of a response.
    private func prepareForBody() {
        guard let handle else { return }
        if !exchange.isMultiplexed {
            // Only the log shows how much libcurl reads of chunk extensions, which are limited.
            if exchange.hop.isChunked { handle.isLogged = true }
            // RFC 9112, section 9.6.
            let isLast = handle.asksToClose || isConnectionUsedOnce && exchange.hop.isFinal
            if isLast { handle.keepsConnection = false }
        }
        // To detect a body that was cut off: see ``isCutInTLS``.
        if exchange.hop.endsWithConnection, handle.isSecure { session = ccurl_tls_session(handle.easy) }
        checkEarlyResponse()
    }

    /// No event reports the end of a response without a declared length that has begun before the end of its request.
    private func checkEarlyResponse() {
        if exchange.hop.isEndless, exchange.isEarly { setUnsettled(true) }
    }

    /// Receives the number of bytes of a chunked body that libcurl has read, before it passes on the pieces in them.
    func receive(chunked count: Int) {
        exchange.receive(chunked: count)
        carryOutWishes()
    }

    /// Receives a piece of the body.
    func receive(_ piece: UnsafeBufferPointer<UInt8>) -> CurlReceipt {
        let stream: StreamedBody? = if case .streamed(_, let stream) = delivery { stream } else { nil }
        let receipt = exchange.receive(
            piece, now, hasRoom: { stream?.checkRoom(besides: $0) ?? true },
            isTurnOver: place?.clock.isTurnOver == true)
        checkEarlyResponse()
        carryOutWishes()
        return receipt
    }

    /// Carries out the wishes of the exchange that cannot wait, and leaves the others to the loop.
    func carryOutWishes() {
        guard !exchange.wishes.isEmpty else { return }
        if exchange.wishes.contains(.head) { deliverHead() }
        if exchange.piece.isFull { handOver() }
        if !isReported, !exchange.wishes.isEmpty {
            isReported = true
            place?.round.add(self)
        }
    }
}

// Deadlines.
extension CurlTransfer {
    /// Whether the transfer waits for the addresses of its host, or in the pool.
    private var isWaiting: Bool { handle == nil && exchange.outcomeBeforeDecision == nil }

    /// Returns the time at which the transfer must end if nothing happens.
    ///
    /// - Parameter patience: If the transfer waits in the pool, that of its origin.
    func deadline(_ patience: CurlPool.Patience) -> UInt64 {
        let times = exchange.times
        guard isWaiting else { return times.next }
        return times.next(waitingSince: patience.movedAt, unreachedSince: patience.unreachedSince)
    }

    /// Returns the outcome after its deadline has passed. Must be called before the transfer is detached from its
    /// handle.
    func lateOutcome(_ patience: CurlPool.Patience, isQueued: Bool) -> CurlOutcome {
        // The response is complete; only the rest of the request, or of a redirect's body, is late.
        if now < exchange.times.deadline, exchange.hop.isComplete { return .complete }
        let limit = exchange.times.passedLimit(now, isWaiting ? patience : nil)
        let phase = exchange.phase(phase(isQueued: isQueued), lastReceived: handle?.lastReceived)
        return CurlOutcome(failure: .timedOut, reason: TimeoutReason(limit, phase).description)
    }

    /// Returns the phase in which the transfer waits.
    ///
    /// - Parameter isQueued: Whether it waits in the pool.
    func phase(isQueued: Bool) -> TimeoutReason.Phase {
        if let handle { return handle.phase }
        if !isWaiting { return .response }
        return isQueued ? .connectionLimit : .nameLookup(host: exchange.chain.request.url?.host ?? "")
    }
}

// The caller.
extension CurlTransfer {
    /// Gives the caller the head of a streamed response.
    private func deliverHead() {
        exchange.wishes.remove(.head)
        guard case .streamed(let continuation?, let stream) = delivery else { return }
        delivery = .streamed(nil, stream)
        stream.begin(codings: exchange.body.codings)
        releaseForSanitizer()
        continuation.resume(returning: exchange.head(stream))
    }

    /// Passes received data to the reader of a streamed body.
    func handOver() {
        exchange.wishes.remove(.piece)
        guard !exchange.piece.isEmpty, case .streamed(_, let stream) = delivery else { return }
        stream.add(exchange.takePiece())
    }

    /// Ends the transfer, and gives its result to the waiting caller or to the reader of the body.
    func end(_ outcome: CurlOutcome) {
        handOver()
        isOver = true
        let result = exchange.result(of: outcome, now)
        releaseForSanitizer()
        switch delivery {
        case .collected(let continuation):
            continuation.resume(with: result.map { CollectedResponse(response: $0, body: exchange.body) })
        case .streamed(let continuation, let stream):
            if let fields = exchange.hop.head.trailers { stream.trailers.fields = fields }
            if case .failure(let error) = result, let continuation { continuation.resume(throwing: error) }
            stream.end(result.map { _ in })
        case nil:
            break
        }
        delivery = nil
    }

    /// Ends a transfer whose request is not sent, because it was cancelled or the engine accepts no requests.
    func refuse(_ reason: URLError.Code = .cancelled) {
        end(CurlOutcome(failure: reason))
    }

    /// Tells the thread sanitizer that the loop's writes happen before the caller resumes. A continuation guarantees
    /// this, but the sanitizer does not see it if the continuation is resumed before its task has begun to wait (Swift
    /// 6.3).
    private func releaseForSanitizer() {
        cevents_release(Unmanaged.passUnretained(self).toOpaque())
    }

    /// The counterpart of ``releaseForSanitizer()`` for the caller.
    func acquireForSanitizer() {
        cevents_acquire(Unmanaged.passUnretained(self).toOpaque())
    }
}
#endif
