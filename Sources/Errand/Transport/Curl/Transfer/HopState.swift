#if canImport(CCurl)
/// One hop of a transfer: a request that is sent to one place, and the answer as libcurl tells of it.
///
/// A pure machine, tested without a network. It decides whether a request may be sent once more, which of several heads is
/// the answer's, whether the body is complete, and what follows the end.
struct HopState {
    /// What of the request matters here.
    struct Request {
        /// Whether sending it twice does no more than sending it once (RFC 9110, section 9.2.2).
        var isIdempotent = true
        /// Whether its body can be read from the beginning again.
        var canRepeatBody = true
        /// Whether a body is sent, also an empty one.
        var sendsBody = false
        /// Whether the answer has no body, whatever its head says.
        var isHead = false
    }

    /// What becomes of a piece of the body.
    enum Piece {
        case deliver
        /// It belongs to a redirect, and is not needed.
        case drop
        /// It belongs to a redirect whose body is too long.
        case refuse
    }

    /// What follows the end.
    enum Next: Equatable {
        case answer
        /// The request goes to where the head leads.
        case follow
        /// The request goes to the same place once more.
        case beginAgain
        case fail
    }

    /// The most bytes that are read of a redirect's body, so that its connection can be used again: 64 KiB.
    static let redirectBodyLimit = 64 << 10
    /// How often a request is sent in vain, by libcurl and here together.
    static let sendingLimit = 6

    private(set) var head: CurlHead
    /// Whether the content coding is to be undone: not where the caller asked for one.
    var decodesBody = false
    /// Whether the head leads elsewhere, so that its body is of no interest.
    private(set) var isRedirected = false
    /// Over which connection it was sent, where libcurl tells.
    private(set) var connection: ConnectionID?
    private let request: Request
    private var challenge: HopChallenge
    /// How often it was sent, and how often before this hop began again.
    private var sendings = 0
    private let lostSendings: Int
    /// The answer is whole, and libcurl was kept from asking again.
    private var isAnswered = false
    /// How many bytes of the body have come, and how many there will be, as they are on the wire.
    private var received = 0
    private(set) var contentLength: Int?
    private var isChunked = false

    /// - Parameters:
    ///   - headLimit: The most bytes of the head.
    ///   - answersChallenges: Whether libcurl has a credential to answer a challenge with.
    ///   - lostSendings: How often the request was sent in vain before it begins again.
    init(_ request: Request, headLimit: Int, answersChallenges: Bool = false, lostSendings: Int = 0) {
        self.request = request
        self.lostSendings = lostSendings
        head = CurlHead(limit: headLimit)
        challenge = answersChallenges ? .expected : .none
    }

    /// How often the request was sent in vain, if this hop ends without an answer.
    var sendingsInVain: Int { lostSendings + max(sendings, 1) }

    /// Whether the request may have been written to a connection that had been used before.
    var wasSentAgain: Bool { sendings > 1 }

    /// Whether libcurl has sent something, or is about to.
    var isConnected: Bool { sendings > 0 || !head.isEmpty }

    /// A connection stands, and the request is about to be written to it.
    ///
    /// libcurl writes a request again when a connection that was used before dies before it answers. Where the server may
    /// have acted on the first, that is not ours to risk. It also does without the expectation after a 417, which is an
    /// answer to whoever expected something.
    ///
    /// - Returns: Whether it may be written.
    mutating func connectionStands(_ connection: ConnectionID) -> Bool {
        self.connection = connection
        sendings += 1
        if challenge == .open {
            challenge = .none
            head.beginAgain()
            sendings = 1
            return true
        }
        if head.isWhole {
            isAnswered = true
            return false
        }
        return sendings == 1 || request.isIdempotent
    }

    /// A line of the head, or of the trailers behind the body.
    ///
    /// - Returns: Whether it ends the head of the answer.
    /// - Throws: `URLError` for a head that is too long, or that is not HTTP.
    mutating func receive(line: UnsafeBufferPointer<UInt8>) throws(URLError) -> Bool {
        // Before 7.80, libcurl does not say that it answers a challenge: the next head does.
        if challenge == .open, line.starts(with: "HTTP/".utf8) {
            challenge = .none
            head.beginAgain()
        }
        guard try head.add(line) else { return false }
        challenge.meet(head.statusCode, isWithoutBody: request.sendsBody)
        guard challenge != .open else { return false }
        try measureBody()
        return true
    }

    /// libcurl has not asked again, so that the head that looked like a challenge is the answer's.
    ///
    /// - Returns: Whether the head of the answer is whole with that.
    mutating func settleChallenge() throws(URLError) -> Bool {
        guard challenge == .open else { return false }
        challenge = .none
        try measureBody()
        return true
    }

    /// The coding of the body that is to be undone.
    ///
    /// - Throws: `URLError` for a list of more than five codings: nobody means that, and libcurl refuses it too.
    var contentEncoding: String? {
        get throws(URLError) { decodesBody ? try head.contentEncoding : nil }
    }

    private mutating func measureBody() throws(URLError) {
        contentLength = try head.contentLength
        isChunked = head.isChunked
    }

    /// The head leads elsewhere, and is followed.
    mutating func follow() {
        isRedirected = true
    }

    /// A piece of the body, of so many bytes.
    mutating func receive(_ count: Int) -> Piece {
        received += count
        guard isRedirected else { return .deliver }
        return received > Self.redirectBodyLimit ? .refuse : .drop
    }

    /// Whether the body has a length that tells when it is complete; without one, its end is all there is.
    var tellsLength: Bool { contentLength != nil || hasNoBody }

    /// Whether the end of the connection is the end of the body, over HTTP/1 (RFC 9112, section 6.3).
    var endsWithConnection: Bool { head.isWhole && !isRedirected && !tellsLength && !isChunked }

    /// Whether the whole answer has come, even if libcurl still waits for something.
    var isComplete: Bool {
        isRedirected || (head.isWhole && challenge != .open && (hasNoBody || received == contentLength))
    }

    /// RFC 9112, section 6.3.
    private var hasNoBody: Bool { request.isHead || head.statusCode == 204 || head.statusCode == 304 }

    /// What follows the end of the transfer.
    ///
    /// - Parameters:
    ///   - outcome: How it ended.
    ///   - isReused: Whether the connection had been used before.
    mutating func end(_ outcome: CurlOutcome, isReused: Bool) -> Next {
        guard outcome.kind != .ours else { return .fail }
        if isRedirected { return .follow }
        if outcome.kind == .success || isAnswered || isComplete { return .answer }
        if outcome.kind == .streamClosed, head.isWhole { return .answer }
        return mayBeginAgain(after: outcome, isReused: isReused) ? .beginAgain : .fail
    }

    /// Whether a connection that was used before died under the request, before an answer came.
    ///
    /// Mostly libcurl sends it again by itself. It does not where an HTTP/2 server says farewell to this one request alone
    /// (RFC 9113, section 6.8) or closes without a word, nor where a body was being sent (7.88).
    private func mayBeginAgain(after outcome: CurlOutcome, isReused: Bool) -> Bool {
        outcome.kind == .connectionLoss && isReused && head.isEmpty && sendingsInVain <= Self.sendingLimit
            && request.isIdempotent && request.canRepeatBody
    }
}
#endif
