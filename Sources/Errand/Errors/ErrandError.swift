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
/// ├─ the request is rejected    method, url as far as they are known
/// │  ├─ missingBaseURL  invalidURL  invalidMethod  invalidHeaderField  invalidTimeout  invalidSetting
/// │  ├─ invalidCredential
/// │  ├─ bodyEncodingFailed  bodyCountMismatch  unexpectedBody  bodyStreamAlreadyOpened
/// │  ├─ unsupportedByTransport  notCached
/// │  └─ unexpectedRequest  stubsExhausted      in tests with stubs
/// ├─ no complete response came  method, url, attempts
/// │  ├─ cancelled  timedOut
/// │  ├─ transportFailed         underlyingError: URLError
/// │  └─ authenticationFailed  tokenUnavailable      underlyingError: the error of the refresh
/// ├─ the response is rejected   also statusCode, headers, bodyPrefix
/// │  ├─ unacceptableStatusCode  payload(as:) if an error document was decoded
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
/// The descriptions never show user info, a query value, a body, the keys of a dictionary in it, or a header value
/// except the media type of a response's `Content-Type`. ``headers`` and ``bodyPrefix`` contain what the descriptions
/// hide, and ``revealed`` shows it.
public struct ErrandError: Error, Sendable {
    /// The largest number of bytes of a body that an error keeps: 65,536.
    public static let bodyPrefixLimit = 65_536

    /// The kind of failure.
    public var code: Code
    /// The details of the failure, in one sentence without secrets. It is not intended for parsing.
    ///
    /// Examples: `timed out after 60 s without a byte from the server`, `connection refused by 127.0.0.1:8080`.
    ///
    /// A reason may contain text from the configuration or the server. Line breaks and other control characters in it
    /// become escapes such as `\n` when the reason is set, so that it cannot begin a line of a log.
    public var reason: String? {
        didSet { reason = reason?.onOneLogLine }
    }
    /// The method of the request; `nil` if it is not known.
    public var method: RequestMethod?
    /// The URL of the request, without user info and fragment and with `***` for every query value.
    public var url: URL? {
        get { exactURL.map { $0.isPathOnly ? $0 : $0.redacted } }
        set { exactURL = newValue }
    }
    /// The number of times that the request was sent, including the failed attempt; 0 if nothing was sent.
    public var attempts = 0
    /// The status code of the response; `nil` without a response.
    public var statusCode: Int?
    /// The header fields of the response. Their descriptions show no values, but the properties do.
    public var headers = HeaderFields()
    /// The first bytes of the response body, or of a value in a stream, at most ``bodyPrefixLimit``; empty without a
    /// response.
    public var bodyPrefix = Data()
    /// The metrics of the transfer until it failed; `nil` if nothing was sent or the transport measures nothing.
    public var metrics: TransferMetrics?
    /// The error that caused this one, without URLs and values from the document.
    ///
    /// A text that a type gives its own `DecodingError` is kept, so it must not quote a value that is secret.
    ///
    /// It is a `URLError` for failures of the transport, a `DecodingError` or `EncodingError` for documents, and the
    /// thrown error for custom errors.
    public var underlyingError: (any Error)?

    /// The URL with its secrets.
    package var exactURL: URL?
    /// Who has responded, or would have.
    package var peer = Peer.server
    /// The server's own error document; `nil` if none was decoded.
    var payload: (any Sendable)?
    /// Whether a limit of the client refused the request before it was sent. A cache treats this like a failure of the
    /// network.
    package var isRefusedByLimit = false
    /// Whether the request was not sent, because it could not get a token. The error says nothing about the server of
    /// the request.
    package internal(set) var isTokenFailure = false
    /// Whether a stream has converted the error into the API's own one.
    var isConverted = false
    /// The decoder for the error document: that of the API that sent the request; `nil` for JSON without settings.
    var payloadDecoder: (any DataDecoder)?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - reason: The details of the failure, in one sentence that must not contain a secret.
    ///   - underlyingError: The error that caused this one.
    public init(_ code: Code, reason: String? = nil, underlyingError: (any Error)? = nil) {
        self.code = code
        self.reason = reason?.onOneLogLine
        self.underlyingError = underlyingError.map(Self.withoutSecrets)
    }

    /// Creates an error whose reason has several lines, for the comparisons of tests.
    package init(_ code: Code, lines: [String]) {
        self.code = code
        reason = lines.map(\.onOneLogLine).joined(separator: "\n")
    }

    /// The server's own error document, from `decodeError(_:)`, ``RequestSettings/errorDocument`` or a custom check;
    /// `nil` unless it has this type. A ``StatusDocument`` has the type of its document too.
    public func payload<Payload>(as type: Payload.Type) -> Payload? {
        payload as? Payload ?? (payload as? any StatusDocument)?.document as? Payload
    }
}

extension ErrandError {
    /// Adds the method and the URL of a request, unless the error already has them, and the number of attempts if it is
    /// higher.
    package func with(request: URLRequest, attempts: Int = 0) -> ErrandError {
        var error = self
        // A method that is not a token may contain a line break, which does not belong in a log.
        error.method = error.method ?? request.httpMethod.flatMap { $0.isHTTPToken ? RequestMethod(rawValue: $0) : nil }
        error.exactURL = error.exactURL ?? request.url
        error.attempts = max(error.attempts, attempts)
        return error
    }

    /// Adds the name of a property before the reason, unless the reason already names one.
    func about(_ property: String) -> ErrandError {
        guard reason?.hasPrefix("`") != true else { return self }
        var error = self
        error.reason = "`\(property)`" + (reason.map { ": \($0)" } ?? " cannot be encoded")
        return error
    }

    /// Adds the limit to the error of a body that is too long, unless the reason has been extended before.
    func naming(maximumBodySize limit: Int) -> ErrandError {
        guard code == .transportFailed, let reason, reason == URLError.Code.dataLengthExceedsMaximum.meaning else {
            return self
        }
        var error = self
        error.add("maximumBodySize is \(limit) bytes")
        return error
    }

    /// Appends a sentence to the reason.
    mutating func add(_ sentence: String) {
        reason = [reason, sentence].compactMap(\.self).joined(separator: "; ")
    }

    /// Converts the failure of a transport or a stub to an error with the code `cancelled`, `timedOut` or
    /// `transportFailed`. An ``ErrandError`` is kept.
    package init(transportFailure error: any Error) {
        switch error {
        case let error as ErrandError:
            self = error
        case let error as TransportFailure:
            self.init(transportFailure: error.error)
            // No observer runs in an initializer.
            reason = (error.reason ?? reason)?.onOneLogLine
            metrics = error.metrics
        case is CancellationError:
            self.init(.cancelled)
        default:
            let cause = URLError(bridging: error)
            switch cause?.code {
            // The texts of these two codes would only repeat the name of the error's own code.
            case .cancelled: self.init(.cancelled, underlyingError: error)
            case .timedOut: self.init(.timedOut, underlyingError: error)
            default: self.init(.transportFailed, reason: cause?.code.meaning, underlyingError: error)
            }
        }
    }
}

extension Error {
    /// Whether the error says that a task or request was cancelled.
    ///
    /// It is `true` for an ``ErrandError`` with the code `cancelled`, for `CancellationError`, for `URLError` with the
    /// code `cancelled`, and for a ``TransportFailure`` of that. It is `false` for every other error. A custom error
    /// type that wraps one of these is not inspected: check before you map the error to your own type.
    ///
    /// ```swift
    /// } catch where error.isCancellation {
    ///     return
    /// }
    /// ```
    public var isCancellation: Bool {
        switch self {
        case is CancellationError: true
        case let error as ErrandError: error.code == .cancelled
        case let error as TransportFailure: error.error.code == .cancelled
        default: URLError(bridging: self)?.code == .cancelled
        }
    }
}

/// A failure that determines whether a pipeline's `retry(_:)` repeats the run that ended with it. A pipeline itself
/// does not know the codes of ``ErrandError``.
protocol RetriedFailure: Error {
    /// Whether another attempt may succeed.
    var isTransient: Bool { get }
    /// Whether the request can be sent again without performing its effects twice.
    var isSafeToRepeat: Bool { get }
    /// Whether the run could not begin because an earlier one has read its body. `retry(_:)` then returns the failure
    /// of the earlier run.
    var isUnrepeatable: Bool { get }
    /// Returns this failure with a sentence about the retry.
    func adding(_ sentence: String) -> Self
}

extension ErrandError: RetriedFailure {
    var isUnrepeatable: Bool { code == .bodyStreamAlreadyOpened }

    func adding(_ sentence: String) -> ErrandError {
        // A retry within this one, or a policy, may have said why already.
        guard reason?.contains("not sent again") != true else { return self }
        var error = self
        error.add(sentence)
        return error
    }
}

extension ErrandError {
    /// The status codes after which another attempt may succeed; the default of ``RetryPolicy/statusCodes``.
    package static let transientStatusCodes: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

    /// The transport failures after which another attempt may succeed; the default of ``RetryPolicy/errorCodes``.
    static let transientURLErrorCodes: Set<URLError.Code> = [
        .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .networkConnectionLost, .notConnectedToInternet,
        .timedOut,
    ]

    /// Whether another attempt may succeed after this failure.
    ///
    /// It is `true` for a timeout, for a connection that failed or was lost, and for the status codes 408, 425, 429,
    /// 500, 502, 503 and 504. It is also `true` for `transportFailed` without a `URLError`. It is `false` for other
    /// status codes, for a response that cannot be decoded or has another media type, for an invalid request, and for
    /// `cancelled`. The same status codes and `URLError` codes are the defaults of ``RetryPolicy``.
    public var isTransient: Bool {
        switch code {
        case .timedOut: true
        case .transportFailed:
            underlyingError.flatMap(URLError.init(bridging:)).map { Self.transientURLErrorCodes.contains($0.code) }
                ?? true
        case .unacceptableStatusCode: failedStatusCode.map(Self.transientStatusCodes.contains) ?? false
        default: false
        }
    }

    /// The status code of the response, or of the token server's response.
    private var failedStatusCode: Int? {
        statusCode ?? (underlyingError as? ErrandError)?.statusCode
            ?? (underlyingError as? any TokenServerError)?.statusCode
    }

    /// Whether the request can be sent again without performing its action twice.
    ///
    /// It is `true` if nothing was sent (``attempts`` is 0), if the method is not known, or if it is idempotent: GET,
    /// HEAD, OPTIONS, PUT, DELETE or TRACE (RFC 9110, section 9.2.2).
    public var isSafeToRepeat: Bool {
        attempts == 0 || method.map(RequestMethod.idempotent.contains) ?? true
    }
}

/// An error response of a token server, with the properties that retries and refreshes need. Its description contains
/// no secret, and can be part of the reason of another error.
package protocol TokenServerError: Error, CustomStringConvertible {
    /// The status code of the response; `nil` if there was none.
    var statusCode: Int? { get }
    /// Whether the same request may succeed later: the server is overloaded or has failed.
    var isTransient: Bool { get }
}
