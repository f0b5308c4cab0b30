#if canImport(CCurl)
/// One hop of a transfer: a request to one URL, and the response as libcurl reports it.
///
/// A pure state machine, tested without a network. It decides whether a request may be sent again, and which of several
/// heads belongs to the response. It also decides whether the body is complete, and what follows the end.
struct HopState {
    /// The relevant properties of the request.
    struct Request {
        /// Whether the method is idempotent: sending the request twice has the same effect as sending it once (RFC
        /// 9110, section 9.2.2).
        var isIdempotent = true
        /// Whether the body can be sent again: it is in memory, or none is sent.
        var canRepeatBody = true
        /// Whether the response has no body, regardless of its head.
        var isHead = false
    }

    /// The treatment of a piece of the body.
    enum Piece {
        case deliver
        /// The piece belongs to a response that another hop follows, and is discarded.
        case drop
        /// The piece belongs to such a response, whose body is too long.
        case refuse
    }

    /// The action after the end of the hop.
    enum Next: Equatable {
        case response
        /// Sends the request of the redirect, or the response to the challenge.
        case follow
        /// Sends the request to the same URL again.
        case beginAgain
        case fail
    }

    /// The maximum number of bytes that are read from a redirect's body so that its connection can be reused: 64 KiB.
    static let redirectBodyLimit = 64 << 10
    /// The maximum number of failed attempts to send a request, by libcurl and by Errand together, after which Errand
    /// sends it again.
    static let sendingLimit = 6

    /// The state before ``CurlExchange/begin(_:unreachedSince:headLimit:whenReadable:)``.
    static var notStarted: HopState { HopState(Request(), headLimit: 0) }

    private(set) var head: CurlHead
    /// Whether the content coding is decoded here. If the caller requested a coding, the caller decodes it.
    var decodesBody = false
    /// Whether another hop follows the response, so that its body is discarded.
    private(set) var isRedirected = false
    /// Whether a task still decides if another hop follows, so that no part of the body is taken.
    private(set) var isUndecided = false
    /// The connection of the request, if libcurl reports it.
    private(set) var connection: ConnectionID?
    private let request: Request
    /// The number of times that the request was sent in this hop. ``failedSendings`` counts those before this hop.
    private var sendings = 0
    private let failedSendings: Int
    /// Whether the response is complete and libcurl was prevented from sending again.
    private var hasResponse = false
    /// The number of received bytes of the body. Like ``contentLength``, it counts the bytes on the wire, before
    /// content decoding.
    private var received = 0
    private(set) var contentLength: Int?
    private(set) var isChunked = false
    /// The number of bytes of a chunked body that libcurl has read since its latest piece.
    private var framing = 0
    private let headLimit: Int

    /// - Parameters:
    ///   - headLimit: The maximum size of the head in bytes.
    ///   - failedSendings: The number of failed attempts before this hop.
    init(_ request: Request, headLimit: Int, failedSendings: Int = 0) {
        self.request = request
        self.failedSendings = failedSendings
        self.headLimit = headLimit
        head = CurlHead(limit: headLimit)
    }

    /// The number of failed attempts if this hop ends without a response; at least one, even if libcurl reported none.
    var allFailedSendings: Int { failedSendings + max(sendings, 1) }

    /// Whether libcurl may have sent the request more than once, the first time over a reused connection.
    var wasSentAgain: Bool { sendings > 1 }

    /// Whether libcurl has sent the request or is about to send it.
    var isConnected: Bool { sendings > 0 || !head.isEmpty }

    /// Records that a connection is established and the request is about to be written to it.
    ///
    /// libcurl sends a request again if a reused connection fails before the response. That is not allowed if the
    /// server may have acted on the first request. After a 417, libcurl also retries without the expectation. But a
    /// caller that set an expectation must receive the 417.
    ///
    /// - Returns: Whether the request may be written.
    mutating func connected(over connection: ConnectionID) -> Bool {
        self.connection = connection
        sendings += 1
        if head.isWhole {
            hasResponse = true
            return false
        }
        return sendings == 1 || request.isIdempotent
    }

    /// Receives a line of the head, or of the trailers after the body.
    ///
    /// - Returns: Whether the line ends the head of the response.
    /// - Throws: `URLError` for a head that is too long or is not valid HTTP.
    mutating func receive(line: UnsafeBufferPointer<UInt8>) throws(URLError) -> Bool {
        framing = 0
        guard try head.add(line) else { return false }
        isChunked = head.isChunked
        let length = try head.contentLength
        // `chunked` overrides it (RFC 9112, section 6.3).
        contentLength = isChunked || hasNoBody ? nil : length
        return true
    }

    /// The content codings to undo. The list is empty for a response without codings or without a body, and if the
    /// caller undoes them. It is also empty for a part of a coded body, which cannot be decoded alone (RFC 9110,
    /// section 15.3.7).
    ///
    /// - Throws: `URLError` for codings that cannot be undone: see ``ContentCoding/list(_:)``. Also for a transfer
    ///   coding other than `chunked`, and for chunks that libcurl does not recognize.
    var contentCodings: [ContentCoding] {
        get throws(URLError) {
            if hasNoBody { return [] }
            guard !head.hasOtherTransferCoding else { throw URLError(.cannotDecodeContentData) }
            guard !isChunked || head.isChunkedForLibcurl else { throw URLError(.cannotParseResponse) }
            return decodesBody && head.statusCode != 206 ? try head.contentCodings : []
        }
    }

    /// Begins to wait for the decision whether another hop follows the response.
    mutating func awaitDecision() {
        isUndecided = true
    }

    /// Records whether another hop follows the response.
    mutating func decide(isFollowed: Bool) {
        isUndecided = false
        isRedirected = isFollowed
    }

    /// Receives the number of bytes of a chunked body that libcurl has read, before it passes on the pieces in them.
    ///
    /// libcurl skips a chunk extension of any length without a report to its user.
    ///
    /// - Returns: `false` if the bytes read before were too many for the size and the extension of a chunk.
    mutating func receive(chunked count: Int) -> Bool {
        if isChunked, framing > headLimit { return false }
        framing += count
        return true
    }

    /// The reason for a failure after ``receive(chunked:)`` returned `false`.
    var excessiveFraming: String { "a chunk extension is longer than `maximumHeadSize`, \(headLimit) bytes" }

    /// Receives a piece of the body with `count` bytes.
    mutating func receive(_ count: Int) -> Piece {
        received += count
        framing = 0
        guard isRedirected else { return .deliver }
        return received > Self.redirectBodyLimit ? .refuse : .drop
    }

    /// Whether the length of the body is known. Otherwise only its end shows that it is complete.
    var declaresLength: Bool { contentLength != nil || hasNoBody }

    /// Whether the end of the connection is the end of the body, over HTTP/1 (RFC 9112, section 6.3).
    var endsWithConnection: Bool { head.isWhole && !isRedirected && !declaresLength && !isChunked }

    /// Whether only libcurl knows when the response is complete.
    var isEndless: Bool { isFinal && !declaresLength }

    /// Whether the response is that of the request, because no other hop follows.
    var isFinal: Bool { head.isWhole && !isUndecided && !isRedirected }

    /// Whether the whole response has arrived, even if libcurl still waits for something. The body of a redirect is not
    /// needed.
    var isComplete: Bool {
        isRedirected || (head.isWhole && !isUndecided && (hasNoBody || received == contentLength))
    }

    /// Whether the response has no body (RFC 9112, section 6.3).
    private var hasNoBody: Bool { request.isHead || head.statusCode == 204 || head.statusCode == 304 }

    /// Returns the action after the end of the hop.
    ///
    /// - Parameters:
    ///   - outcome: The outcome of the hop.
    ///   - isReused: Whether the connection was reused.
    func end(_ outcome: CurlOutcome, isReused: Bool) -> Next {
        guard outcome.kind != .ours else { return .fail }
        if isRedirected { return .follow }
        if outcome.kind == .success || hasResponse || isComplete { return .response }
        // The server has responded, and needs no more of the request (RFC 9113, section 8.1).
        if outcome.kind == .streamClosed, head.isWhole, !declaresLength { return .response }
        return mayBeginAgain(after: outcome, isReused: isReused) ? .beginAgain : .fail
    }

    /// Returns whether a reused connection failed before any part of a response arrived, so that the request may be
    /// sent again.
    ///
    /// In most cases libcurl sends the request again itself. It does not if an HTTP/2 server rejects only this request
    /// with a GOAWAY frame (RFC 9113, section 6.8) or closes without one. It also does not if a body was being sent
    /// (7.88).
    private func mayBeginAgain(after outcome: CurlOutcome, isReused: Bool) -> Bool {
        outcome.kind == .connectionLoss && isReused && head.isEmpty && allFailedSendings <= Self.sendingLimit
            && request.isIdempotent && request.canRepeatBody
    }
}
#endif
