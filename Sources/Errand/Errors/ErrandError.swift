/// What went wrong with a request.
///
/// ```swift
/// do {
///     let user = try await UserRequest(id: 7).start().value
/// } catch let error as ErrandError {
///     switch error.code {
///     case .unacceptableStatusCode where error.statusCode == 404: print("no such user")
///     case .timedOut, .transportFailed: print("try again later")
///     default: print(error)
///     }
/// }
/// ```
///
/// The codes, and what is known with each:
///
/// ```
/// ErrandError
/// ├─ nothing was sent           method, url as far as they were known
/// │  ├─ missingBaseURL  invalidURL  invalidMethod  invalidHeaderField  invalidTimeout
/// │  ├─ invalidCredential
/// │  ├─ bodyEncodingFailed  bodyCountMismatch  bodyStreamAlreadyOpened
/// │  ├─ rateLimited  concurrencyLimited
/// │  ├─ circuitOpen             underlyingError: CircuitBreaker.OpenCircuit
/// │  ├─ unsupportedByTransport  notCached
/// │  └─ unexpectedRequest  stubsExhausted      in tests with stubs
/// ├─ no whole answer came       method, url, attempts
/// │  ├─ cancelled  timedOut
/// │  ├─ transportFailed         underlyingError: URLError
/// │  └─ authenticationFailed    underlyingError: what the refresh threw
/// ├─ the answer is no good      and statusCode, headers, bodyPrefix
/// │  ├─ unacceptableStatusCode  payload(as:) after decodeError(_:)
/// │  ├─ unacceptableContentType
/// │  ├─ elementTooLarge
/// │  └─ decodingFailed          underlyingError: DecodingError
/// ├─ the download is no file    method, url, attempts; statusCode, headers where an answer is to blame
/// │  ├─ invalidDigest  invalidDownloadTarget  downloadInProgress
/// │  ├─ insufficientDiskSpace  fileAccessFailed
/// │  └─ invalidContentRange  digestMismatch
/// ├─ a WebSocket ended
/// │  ├─ webSocketHandshakeFailed  webSocketProtocolViolated  webSocketMessageTooBig
/// │  └─ webSocketClosed         underlyingError: WebSocketClosure
/// └─ the pages make no list     and statusCode, headers where there was an answer
///    └─ invalidPagination  paginationLoop  tooManyPages
/// ```
///
/// The descriptions never show a header value, user info, a query value or a body, nor the keys of a dictionary in it; of
/// an answer's `Content-Type` they show the media type. What they hide is in the properties, for those who ask.
public struct ErrandError: Error, Sendable {
    /// The most bytes of a body that an error keeps: 65,536.
    public static let bodyPrefixLimit = 65_536

    /// What happened.
    public var code: Code
    /// One sentence more about what happened, without secrets. Not meant to be parsed.
    public var reason: String?
    /// The method of the request, where there was one.
    public var method: HTTPMethod?
    /// The URL of the request, without user info and fragment and with `***` for every query value.
    public var url: URL?
    /// How often the request was sent, the time that failed included; 0 when nothing was sent.
    public var attempts = 0
    /// The status code of the answer, where one came.
    public var statusCode: Int?
    /// The header fields of the answer. Their descriptions show no values, but the values are there.
    public var headers = HTTPHeaders()
    /// The first bytes of the answer's body, at most ``bodyPrefixLimit`` of them.
    public var bodyPrefix = Data()
    /// How far the transfer had come, as far as the transport tells; nil when nothing was sent.
    public var metrics: TransferMetrics?
    /// The error that caused this one, cleared of URLs and of values from the document.
    ///
    /// It is a `URLError` for what the transport says, a `DecodingError` or `EncodingError` for documents, and
    /// whatever was thrown for errors of your own.
    public var underlyingError: (any Error)?

    /// The server's own error document, put here by `decodeError(_:)`.
    var payload: (any Sendable)?

    /// An error of this code.
    ///
    /// - Parameters:
    ///   - code: What happened.
    ///   - reason: One sentence more about it, which must not show a secret.
    ///   - underlyingError: The error that caused this one.
    public init(_ code: Code, reason: String? = nil, underlyingError: (any Error)? = nil) {
        self.code = code
        self.reason = reason
        self.underlyingError = underlyingError.map(Self.withoutSecrets)
    }

    /// The server's own error document, where `decodeError(_:)` asked for one of this type and it was one.
    public func payload<Payload>(as type: Payload.Type) -> Payload? {
        payload as? Payload
    }
}
