#if canImport(CCurl)
// The response of a hop. A report that fails leaves its error in ``failure``.
extension CurlExchange {
    /// A line of a response.
    enum Line {
        /// It ends the exchange.
        case failed
        case statusLine
        /// A field, a trailer, or the end of an informational head.
        case field
        /// The end of the head of the response.
        case headEnd
    }

    /// Receives a line of the head, or of the trailers after the body.
    ///
    /// - Parameter isMultiplexed: Whether the hop uses HTTP/2; asked at the end of a head.
    mutating func receive(
        line: UnsafeBufferPointer<UInt8>, _ now: UInt64, isMultiplexed: @autoclosure () -> Bool
    ) -> Line {
        touch(now)
        let isStatusLine = hop.head.expectsStatusLine
        do {
            guard try hop.receive(line: line) else { return isStatusLine ? .statusLine : .field }
            // If the connection did not report its protocol, the response shows it.
            if !self.isMultiplexed { self.isMultiplexed = isMultiplexed() }
            try processHead(now)
            return .headEnd
        } catch {
            failure = error
            return .failed
        }
    }

    /// Processes the complete head of the response.
    private mutating func processHead(_ now: UInt64) throws {
        if hop.head.statusCode >= 300 { upload?.stop() }
        if meetChallenge() { return try begin(isFollowed: true, now) }
        guard RedirectChain.isRedirect(hop.head.statusCode) else { return try begin(isFollowed: false, now) }
        guard chain.asksOthers else { return try goOn(with: chain.following(response()), now) }
        hop.awaitDecision()
        times.isPaused = true
        wishes.insert(.decision)
    }

    /// Goes on after the decision about a redirect.
    mutating func take(_ decision: Result<RedirectChain?, any Error>, _ now: UInt64) {
        times.isPaused = false
        touch(now)
        do {
            try goOn(with: decision.get(), now)
        } catch {
            hop.decide(isFollowed: false)
            failure = error
        }
    }

    /// Goes on with the chain that follows a redirect; without one, the redirect is the response.
    private mutating func goOn(with next: RedirectChain?, _ now: UInt64) throws {
        if let next {
            chain = next
            digest?.begin()
        }
        try begin(isFollowed: next != nil, now)
    }

    /// Prepares for the body of a response, which is discarded if another hop follows.
    private mutating func begin(isFollowed: Bool, _ now: UInt64) throws {
        hop.decide(isFollowed: isFollowed)
        if isFollowed {
            times.isReadingRedirect = true
        } else {
            body.begin(expecting: request.streamsResponse ? nil : hop.contentLength, codings: try hop.contentCodings)
            if request.streamsResponse { wishes.insert(.head) }
        }
        checkEarlyResponse(now)
    }

    /// Receives the number of bytes of a chunked body that libcurl has read, before it passes on the pieces in them.
    mutating func receive(chunked count: Int) {
        guard failure == nil, !hop.receive(chunked: count) else { return }
        if hop.isRedirected {
            wishes.insert(.end)
        } else {
            failure = TransportFailure(URLError(.dataLengthExceedsMaximum), reason: hop.excessiveFraming)
            wishes.insert(.turn)
        }
    }

    /// Receives a piece of the body.
    ///
    /// - Parameters:
    ///   - hasRoom: Returns whether the reader of a streamed body takes a piece besides the number of bytes that it has
    ///     not been given yet.
    ///   - isTurnOver: Whether others must have their turn. A server that sends very small chunks or frames would
    ///     otherwise keep the loop busy: libcurl reads on as long as data arrives.
    mutating func receive(
        _ bytes: UnsafeBufferPointer<UInt8>, _ now: UInt64, hasRoom: (_ besides: Int) -> Bool,
        isTurnOver: @autoclosure () -> Bool
    ) -> CurlReceipt {
        if hop.isUndecided { return .notYet }
        if request.streamsResponse, !hop.isRedirected {
            times.isPaused = !hasRoom(piece.count)
            if times.isPaused { return .notYet }
        }
        if !bytes.isEmpty, isTurnOver() {
            wishes.insert(.turn)
            return .notYet
        }
        touch(now)
        switch hop.receive(bytes.count) {
        case .deliver:
            do { try deliver(bytes) } catch {
                failure = error
                return .refused
            }
        case .drop: break
        case .refuse: return .refused
        }
        checkEarlyResponse(now)
        return .taken
    }

    /// Adds a piece to the body.
    private mutating func deliver(_ bytes: UnsafeBufferPointer<UInt8>) throws {
        if request.streamsResponse {
            wishes.insert(.piece)
            piece.append(bytes)
        } else {
            try body.receive(bytes)
            request.downloadProgress?.update(
                .init(completed: Int64(body.data.count), total: hop.contentLength.map(Int64.init)))
        }
    }

    /// Handles a response that arrives before the end of the request. libcurl keeps waiting until the request is sent,
    /// which the server may never allow.
    ///
    /// An error status or a redirect ends the request as soon as the response is complete. After a success, the rest of
    /// the request is sent for as long as the server accepts it.
    private mutating func checkEarlyResponse(_ now: UInt64) {
        guard isEarly, hop.isComplete else { return }
        if hop.isRedirected || hop.head.statusCode >= 300 {
            wishes.insert(.end)
        } else {
            times.complete(now)
            wishes.insert(.deadline)
        }
    }

    /// Whether the head of the response has arrived before the end of the request.
    var isEarly: Bool { hop.head.isWhole && upload?.isGiven == false }
}
#endif
