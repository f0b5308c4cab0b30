#if canImport(CCurl)
import CCurl
import CEvents

// Reports from libcurl, called by its callbacks on the loop's thread. ``hop`` decides what the received data means.
//
// By its result, a callback can pause or end its own transfer. All else must wait until libcurl has returned: the
// callback adds the transfer to ``round``, and the loop acts on that. A callback that fails leaves its error in
// ``failure``.
extension CurlTransfer {
    /// Records activity, after which ``read(into:)`` may make libcurl wait again.
    func touch() {
        times.touch(now)
        hasHeldSending = false
    }

    /// Records that a connection is established and the request is about to be written to it.
    ///
    /// - Returns: Whether the request may be written; `false` if libcurl would repeat one that must not be repeated.
    func noteConnection(_ connection: ConnectionID) -> Bool {
        // The loop checks a connecting transfer regularly. After that, only an old libcurl may need these checks.
        setUnsettled(mayHang)
        // Other transfers may wait for this connection, because it is the origin's first or an additional one.
        if let origin, let handle, origin.unreachedSince != nil || origin.opener == ObjectIdentifier(self) {
            round?.add(connected: self, sharing: ccurl_speaks_http2(handle.easy) ? .streams : .none)
        }
        // If ``CurlSockets`` has shut down this connection, libcurl detects that, and opens another one.
        if handle?.sockets?.hasEnded(connection) == true { return true }
        times.touch(now)
        return hop.noteConnection(connection)
    }

    /// Gives libcurl the next bytes of the request body.
    ///
    /// Over HTTP/1, a server may respond and close before it has read the body. It then resets the connection when more
    /// data arrives, and sending fails before libcurl has read the response. So sending stops once until libcurl has
    /// read what arrived, unless the reader of the response has paused that. If only the end of the connection had
    /// arrived, the next call sends again, and libcurl reports the failure.
    func read(into room: UnsafeMutableRawBufferPointer) -> CurlUpload.Reading {
        // What has arrived can only be read after the decision, so nothing is sent that could make it be discarded.
        if hop.isUndecided { return .nothingYet }
        if let handle, !handle.isMultiplexed, !times.isPaused, !hasHeldSending,
            let descriptor = handle.descriptor, cevents_is_readable(descriptor)
        {
            hasHeldSending = true
            // After a complete response, only the end of the connection can be read: the server does not read the rest
            // of the body.
            if hop.isComplete { round?.add(complete: self) } else { round?.add(held: self) }
            return .nothingYet
        }
        let reading = upload?.read(into: room) ?? .failed
        if case .bytes(let count) = reading, count > 0 { times.touch(now) }
        return reading
    }

    /// Receives a line of the head, or of the trailers after the body.
    ///
    /// - Returns: Whether the transfer continues.
    func receive(line: UnsafeBufferPointer<UInt8>) -> Bool {
        touch()
        let isStatusLine = hop.head.expectsStatusLine
        do {
            if try hop.receive(line: line) { try processHead() }
            if isStatusLine { checkNextLine() }
            return true
        } catch {
            failure = error
            return false
        }
    }

    /// Processes the complete head of the response.
    private func processHead() throws {
        // The first sign of a connection if libcurl does not call ``noteConnection(_:)``.
        setUnsettled(mayHang)
        // If the connection did not report its protocol, the response shows it.
        if let origin, origin.sharing != .streams, isMultiplexed { round?.add(connected: self, sharing: .streams) }
        // Only the log shows how much libcurl reads of chunk extensions, which are limited.
        if hop.isChunked, !isMultiplexed { handle?.isLogged = true }
        if hop.head.statusCode >= 300 { upload?.stop() }
        // RFC 9112, section 9.6.
        if let handle, handle.asksToClose, !isMultiplexed { handle.keepsConnection = false }
        if meetChallenge() { return try begin(isFollowed: true) }
        // To detect a body that was cut off: see ``isCutInTLS``.
        if hop.endsWithConnection, let handle, handle.isSecure { session = ccurl_tls_session(handle.easy) }
        guard RedirectChain.isRedirect(hop.head.statusCode) else { return try begin(isFollowed: false) }
        guard chain.asksOthers else { return try goOn(with: chain.following(response())) }
        hop.awaitDecision()
        times.isPaused = true
        round?.add(undecided: self)
    }

    /// Asks the policy and the hooks about a redirect, which may be the user's code. They are called in a task, so that
    /// they hold up no other request.
    func askAboutRedirect(_ engine: CurlEngine) {
        let response = response()
        Task { [chain] in engine.submit(.decided(self, Result { try chain.following(response) })) }
    }

    /// Returns whether a task still decides about a redirect whose hop has ended. Then keeps the outcome.
    func mustWait(after outcome: CurlOutcome) -> Bool {
        guard hop.isUndecided, failure == nil, outcome.kind != .ours else { return false }
        outcomeBeforeDecision = outcome
        return true
    }

    /// Goes on after the decision about a redirect.
    func take(_ decision: Result<RedirectChain?, any Error>) {
        times.isPaused = false
        touch()
        do {
            try goOn(with: decision.get())
        } catch {
            hop.decide(isFollowed: false)
            failure = error
        }
    }

    /// Goes on with the chain that follows a redirect; without one, the redirect is the response.
    private func goOn(with next: RedirectChain?) throws {
        if let next {
            chain = next
            digest?.begin()
        }
        try begin(isFollowed: next != nil)
    }

    /// Prepares for the body of a response, which is discarded if another hop follows.
    private func begin(isFollowed: Bool) throws {
        hop.decide(isFollowed: isFollowed)
        if isFollowed {
            times.isReadingRedirect = true
        } else {
            if isConnectionUsedOnce { handle?.keepsConnection = false }
            try beginBody()
        }
        noteEarlyResponse()
    }

    /// Whether the connection is closed after this transfer, because others are more likely to be used again.
    private var isConnectionUsedOnce: Bool {
        guard isFirstToHost, let handle, handle.sockets?.isCrowded == true, !isMultiplexed else { return false }
        return origin?.hasOthers == false
    }

    /// Prepares to receive the body, and delivers the head of a streamed response.
    private func beginBody() throws {
        let codings = try hop.contentCodings
        switch delivery {
        case .collected:
            body.begin(expecting: hop.contentLength, codings: codings)
        case .streamed(let continuation?, let stream):
            delivery = .streamed(nil, stream)
            stream.begin(codings: codings)
            releaseForSanitizer()
            var response = DataResponse(
                statusCode: hop.head.statusCode, headers: hop.head.fields, url: chain.request.url,
                body: stream.sequence, trailers: stream.trailers)
            if let history = chain.history { response.redirects = history }
            continuation.resume(returning: response)
        case .streamed, nil:
            break
        }
    }

    /// Receives the number of bytes of a chunked body that libcurl has read, before it passes on the pieces in them.
    func receive(chunked count: Int) {
        guard failure == nil, !hop.receive(chunked: count) else { return }
        if hop.isRedirected {
            round?.add(complete: self)
        } else {
            failure = TransportFailure(URLError(.dataLengthExceedsMaximum), reason: hop.excessiveFraming)
            // This callback cannot end the transfer, so the loop does.
            round?.add(held: self)
        }
    }

    /// Receives a piece of the body.
    func receive(_ piece: UnsafeBufferPointer<UInt8>) -> CurlReceipt {
        if hop.isUndecided { return .notYet }
        do {
            if case .streamed(_, let stream) = delivery, !hop.isRedirected {
                times.isPaused = !stream.checkRoom(besides: pending.count)
                if times.isPaused { return .notYet }
            }
            if !piece.isEmpty, mustGiveWay {
                round?.add(held: self)
                return .notYet
            }
            touch()
            switch hop.receive(piece.count) {
            case .deliver: try deliver(piece)
            case .drop: break
            case .refuse: return .refused
            }
            noteEarlyResponse()
            return .taken
        } catch {
            failure = error
            return .refused
        }
    }

    /// Adds a piece to the body.
    private func deliver(_ piece: UnsafeBufferPointer<UInt8>) throws {
        if case .streamed = delivery {
            if pending.isEmpty { round?.add(body: self) }
            pending.append(piece)
            if pending.isFull { handOver() }
        } else {
            try body.receive(piece)
            request.downloadProgress?.update(
                .init(completed: Int64(body.data.count), total: hop.contentLength.map(Int64.init)))
        }
    }

    /// Handles a response that arrives before the end of the request. libcurl keeps waiting until the request is sent,
    /// which the server may never allow.
    ///
    /// An error status or a redirect ends the request as soon as the response is complete. After a success, the rest of
    /// the request is sent for as long as the server accepts it.
    private func noteEarlyResponse() {
        guard let upload, !upload.isGiven else { return }
        guard hop.isComplete else {
            // No event reports the end of such a response.
            if !hop.declaresLength { setUnsettled(true) }
            return
        }
        if hop.isRedirected || hop.head.statusCode >= 300 {
            round?.add(complete: self)
        } else {
            times.complete(now)
            round?.hasNewDeadline = true
        }
    }
}
#endif
