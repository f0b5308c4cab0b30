/// The failure of a request.
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
/// The codes, and the properties that are set with each:
///
/// ```
/// ErrandError
/// ├─ nothing was sent           method, url as far as they are known
/// │  ├─ missingBaseURL  invalidURL  invalidMethod  invalidHeaderField  invalidTimeout  invalidSetting
/// │  ├─ invalidCredential
/// │  ├─ bodyEncodingFailed  bodyCountMismatch  bodyStreamAlreadyOpened
/// │  ├─ unsupportedByTransport  notCached
/// │  └─ unexpectedRequest  stubsExhausted      in tests with stubs
/// ├─ no complete response came  method, url, attempts
/// │  ├─ cancelled  timedOut
/// │  ├─ transportFailed         underlyingError: URLError
/// │  └─ authenticationFailed  tokenUnavailable      underlyingError: the error of the refresh
/// ├─ the response is rejected   also statusCode, headers, bodyPrefix
/// │  ├─ unacceptableStatusCode  payload(as:) after decodeError(_:)
/// │  ├─ unacceptableContentType
/// │  ├─ elementTooLarge
/// │  └─ decodingFailed          underlyingError: DecodingError
/// ├─ the download failed        method, url, attempts; statusCode, headers if a response is the cause
/// │  ├─ invalidDigest  invalidDownloadTarget  downloadInProgress
/// │  ├─ insufficientDiskSpace  fileAccessFailed
/// │  └─ invalidContentRange  digestMismatch
/// └─ the pagination is invalid  also statusCode, headers if there was a response
///    └─ invalidPagination  paginationLoop  tooManyPages
/// ```
///
/// The descriptions never show a header value, user info, a query value, a body, or the keys of a dictionary in it.
/// Only the media type of a response's `Content-Type` is shown. The properties contain what the descriptions hide.
public struct ErrandError: Error, Sendable {
    /// The largest number of bytes of a body that an error keeps: 65,536.
    public static let bodyPrefixLimit = 65_536

    /// The kind of failure.
    public var code: Code
    /// The details of the failure, in one sentence without secrets. It is not intended for parsing.
    ///
    /// Examples: `timed out after 60 s without a byte from the server`, `connection refused by 127.0.0.1:8080`.
    public var reason: String?
    /// The method of the request; `nil` if it is not known.
    public var method: RequestMethod?
    /// The URL of the request, without user info and fragment and with `***` for every query value.
    public var url: URL?
    /// The number of times that the request was sent, including the failed attempt; 0 if nothing was sent.
    public var attempts = 0
    /// The status code of the response; `nil` without a response.
    public var statusCode: Int?
    /// The header fields of the response. Their descriptions show no values, but the properties do.
    public var headers = HeaderFields()
    /// The first bytes of the response body, at most ``bodyPrefixLimit``; empty without a response.
    public var bodyPrefix = Data()
    /// The metrics of the transfer until it failed; `nil` if nothing was sent or the transport measures nothing.
    public var metrics: TransferMetrics?
    /// The error that caused this one, without URLs and values from the document.
    ///
    /// It is a `URLError` for failures of the transport, a `DecodingError` or `EncodingError` for documents, and the
    /// thrown error for custom errors.
    public var underlyingError: (any Error)?

    /// The server's own error document, stored by `decodeError(_:)`.
    var payload: (any Sendable)?
    /// Whether a limit refused the request before it was sent, in place of the server. A cache treats this like a
    /// failure of the network.
    package var isRefusedByLimit = false
    /// The decoder for `decodeError(_:)`: that of the API that sent the request; `nil` for JSON without settings.
    var payloadDecoder: (any DataDecoder)?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - reason: The details of the failure, in one sentence that must not contain a secret.
    ///   - underlyingError: The error that caused this one.
    public init(_ code: Code, reason: String? = nil, underlyingError: (any Error)? = nil) {
        self.code = code
        self.reason = reason
        self.underlyingError = underlyingError.map(Self.withoutSecrets)
    }

    /// The server's own error document; `nil` unless `decodeError(_:)` decoded a document of this type.
    public func payload<Payload>(as type: Payload.Type) -> Payload? {
        payload as? Payload
    }
}
