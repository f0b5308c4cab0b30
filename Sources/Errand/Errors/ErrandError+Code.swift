extension ErrandError {
    /// What happened, to be switched on.
    ///
    /// More codes may come, so a `switch` over them needs a `default`. A code is also a pattern for any error:
    ///
    /// ```swift
    /// do { … } catch ErrandError.Code.cancelled { return }
    /// ```
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name of the code, fit to be the label of a metric.
        public let rawValue: String

        /// A code by its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The same as ``rawValue``.
        public var description: String { rawValue }

        /// Matches an ``ErrandError`` of this code.
        public static func ~= (code: Code, error: any Error) -> Bool {
            (error as? ErrandError)?.code == code
        }
    }
}

extension ErrandError.Code {
    /// The request has no base URL. Nothing was sent.
    public static let missingBaseURL = ErrandError.Code(rawValue: "missingBaseURL")
    /// The base URL and the path make no URL that can be asked. Nothing was sent.
    public static let invalidURL = ErrandError.Code(rawValue: "invalidURL")
    /// The method is no token (RFC 9110, section 5.6.2). Nothing was sent.
    public static let invalidMethod = ErrandError.Code(rawValue: "invalidMethod")
    /// A header field's name is no token, or its value has a control character (RFC 9110, section 5.5). Nothing was sent.
    public static let invalidHeaderField = ErrandError.Code(rawValue: "invalidHeaderField")
    /// The timeout is not a number, or not above zero. Nothing was sent.
    public static let invalidTimeout = ErrandError.Code(rawValue: "invalidTimeout")
    /// A user, password, token or key has a character that its scheme does not allow, or no place to go. Nothing was sent.
    public static let invalidCredential = ErrandError.Code(rawValue: "invalidCredential")
    /// The body could not be encoded, or its stream could not be read. Nothing was sent.
    public static let bodyEncodingFailed = ErrandError.Code(rawValue: "bodyEncodingFailed")
    /// The body is longer or shorter than the request says, or there are two bodies.
    public static let bodyCountMismatch = ErrandError.Code(rawValue: "bodyCountMismatch")
    /// The body is a stream that was opened before, and a stream can be read only once. Nothing was sent this time.
    public static let bodyStreamAlreadyOpened = ErrandError.Code(rawValue: "bodyStreamAlreadyOpened")
    /// The transport cannot send such a request. Nothing was sent.
    public static let unsupportedByTransport = ErrandError.Code(rawValue: "unsupportedByTransport")
    /// The request was to be answered from a cache only (`URLRequest.cachePolicy`), and nothing is stored for it. Nothing
    /// was sent.
    public static let notCached = ErrandError.Code(rawValue: "notCached")
    /// A ``RateLimit`` has too many requests waiting, or the time of this one would be over before its turn. Nothing was sent.
    public static let rateLimited = ErrandError.Code(rawValue: "rateLimited")
    /// A ``ConcurrencyLimit`` has too many requests waiting, or the time of this one was over before its turn. Nothing was
    /// sent.
    public static let concurrencyLimited = ErrandError.Code(rawValue: "concurrencyLimited")
    /// A ``CircuitBreaker`` lets no request through for now; ``ErrandError/underlyingError`` is a
    /// ``CircuitBreaker/OpenCircuit``, which says when it will. Nothing was sent.
    public static let circuitOpen = ErrandError.Code(rawValue: "circuitOpen")
    /// The caller has left. Whether the server got the request is not known.
    public static let cancelled = ErrandError.Code(rawValue: "cancelled")
    /// The time was over before the answer was whole. Whether the server got the request is not known.
    public static let timedOut = ErrandError.Code(rawValue: "timedOut")
    /// No whole answer came; ``ErrandError/underlyingError`` says why, as a `URLError` on every platform.
    public static let transportFailed = ErrandError.Code(rawValue: "transportFailed")
    /// No token could be had to send the request with, at first or after a 401; ``ErrandError/underlyingError`` says why.
    public static let authenticationFailed = ErrandError.Code(rawValue: "authenticationFailed")
    /// The status code is not one that `validateStatusCode(in:)` accepts.
    public static let unacceptableStatusCode = ErrandError.Code(rawValue: "unacceptableStatusCode")
    /// The media type of the body is not one that `hasContentType(_:)` accepts.
    public static let unacceptableContentType = ErrandError.Code(rawValue: "unacceptableContentType")
    /// The body is not the document that `decode(_:)` was asked for; ``ErrandError/reason`` says where.
    public static let decodingFailed = ErrandError.Code(rawValue: "decodingFailed")
    /// A line, a value or an event of a stream has more bytes than the caller allows.
    public static let elementTooLarge = ErrandError.Code(rawValue: "elementTooLarge")
    /// What a page says of itself makes no sense, or its next link leads to another origin; or what was configured makes
    /// none, and nothing was sent.
    public static let invalidPagination = ErrandError.Code(rawValue: "invalidPagination")
    /// The server repeats a page or a cursor, or gives one page without items after the other.
    public static let paginationLoop = ErrandError.Code(rawValue: "paginationLoop")
    /// There are more pages than ``PageLimits/pages`` allows.
    public static let tooManyPages = ErrandError.Code(rawValue: "tooManyPages")
    /// The digest of a download is none: not of its algorithm's length, or no hexadecimal digits. Nothing was sent.
    public static let invalidDigest = ErrandError.Code(rawValue: "invalidDigest")
    /// The target of a download is no place for a file. Nothing was sent.
    public static let invalidDownloadTarget = ErrandError.Code(rawValue: "invalidDownloadTarget")
    /// Another download of this process or of another is writing to the same target. Nothing was sent.
    public static let downloadInProgress = ErrandError.Code(rawValue: "downloadInProgress")
    /// The disk has no room for the rest of a download. What there is of it is kept, and the next run goes on from there.
    public static let insufficientDiskSpace = ErrandError.Code(rawValue: "insufficientDiskSpace")
    /// The file of a download cannot be written or read; ``ErrandError/underlyingError`` is a `POSIXError`.
    public static let fileAccessFailed = ErrandError.Code(rawValue: "fileAccessFailed")
    /// The part that a server sends of a file is not the one that was asked for (RFC 9110, section 14.4).
    public static let invalidContentRange = ErrandError.Code(rawValue: "invalidContentRange")
    /// The bytes that came do not have the digest that the caller or the server named (RFC 9530). They are removed.
    public static let digestMismatch = ErrandError.Code(rawValue: "digestMismatch")
    /// The answer to a WebSocket's handshake is no answer to it (RFC 6455, section 4.1): a wrong proof, say, or an extension
    /// that nobody asked for. A refusal with another status than 101 is ``unacceptableStatusCode``.
    public static let webSocketHandshakeFailed = ErrandError.Code(rawValue: "webSocketHandshakeFailed")
    /// The other side of a WebSocket broke the protocol (RFC 6455), and was told so.
    public static let webSocketProtocolViolated = ErrandError.Code(rawValue: "webSocketProtocolViolated")
    /// A message or a frame is longer than ``WebSocketOptions`` allows, and the WebSocket was closed.
    public static let webSocketMessageTooBig = ErrandError.Code(rawValue: "webSocketMessageTooBig")
    /// The WebSocket is closed; ``ErrandError/underlyingError`` is a ``WebSocketClosure`` where the other side closed it.
    public static let webSocketClosed = ErrandError.Code(rawValue: "webSocketClosed")
    /// A test's list of stubs has fewer answers than there were attempts.
    public static let stubsExhausted = ErrandError.Code(rawValue: "stubsExhausted")
    /// A test has stubs for its requests, and none for this one; ``ErrandError/reason`` names those that are nearest. Nothing
    /// was sent.
    public static let unexpectedRequest = ErrandError.Code(rawValue: "unexpectedRequest")
}
