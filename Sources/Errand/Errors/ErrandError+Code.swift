extension ErrandError {
    /// The kind of failure, for a `switch`.
    ///
    /// Later versions may add codes, so a `switch` needs a `default`. A code is also a pattern for any error:
    ///
    /// ```swift
    /// do { … } catch ErrandError.Code.cancelled { return }
    /// ```
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name of the code, which can be the label of a metric.
        public let rawValue: String

        /// Creates a code from its name.
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
    /// The base URL, the path and the query do not make a valid HTTP URL. Nothing was sent.
    public static let invalidURL = ErrandError.Code(rawValue: "invalidURL")
    /// A configuration of the transport is invalid, or ``Endpoint/prepare(_:)`` has added a stream. The reason says
    /// which. Nothing was sent.
    public static let invalidSetting = ErrandError.Code(rawValue: "invalidSetting")
    /// The method is not a token (RFC 9110, section 5.6.2), an interceptor changed it, or a WebSocket has another
    /// method than GET. Nothing was sent.
    public static let invalidMethod = ErrandError.Code(rawValue: "invalidMethod")
    /// A header field's name is not a token, or its value has a control character (RFC 9110, section 5.5). It is also
    /// the code for an invalid media type, cookie or WebSocket subprotocol, and for a field that only the library may
    /// set. Nothing was sent, unless the field is a trailer field: then the body was sent.
    public static let invalidHeaderField = ErrandError.Code(rawValue: "invalidHeaderField")
    /// The timeout is not a positive number. Nothing was sent.
    public static let invalidTimeout = ErrandError.Code(rawValue: "invalidTimeout")
    /// A credential is empty, has a character that its scheme does not allow, or cannot be sent. It is also the code
    /// for invalid settings of a `MessageSignature`. Nothing was sent.
    public static let invalidCredential = ErrandError.Code(rawValue: "invalidCredential")
    /// The body, or a message of a WebSocket, could not be encoded or read. Nothing was sent, unless the body was being
    /// read while it was sent: then a part of it may have arrived.
    public static let bodyEncodingFailed = ErrandError.Code(rawValue: "bodyEncodingFailed")
    /// The body is longer or shorter than the declared size, there are two bodies, `Content-Length` is not a number, or
    /// the size of a part is negative. A part of a body that was read while it was sent may have arrived.
    public static let bodyCountMismatch = ErrandError.Code(rawValue: "bodyCountMismatch")
    /// The request has a body, but its method has none by its definition: GET, HEAD, DELETE or TRACE. Nothing was sent.
    /// ``RequestBody/withAnyMethod()`` allows it.
    public static let unexpectedBody = ErrandError.Code(rawValue: "unexpectedBody")
    /// The body is a stream that was opened before, and can be read only once. Nothing was sent this time.
    public static let bodyStreamAlreadyOpened = ErrandError.Code(rawValue: "bodyStreamAlreadyOpened")
    /// The transport does not support such a request. Nothing was sent.
    public static let unsupportedByTransport = ErrandError.Code(rawValue: "unsupportedByTransport")
    /// The request allows only a cached response (`URLRequest.cachePolicy`), and none is stored. Nothing was sent.
    public static let notCached = ErrandError.Code(rawValue: "notCached")
    /// The request was cancelled. The server may have received it. See also `isCancellation` of `Error`.
    public static let cancelled = ErrandError.Code(rawValue: "cancelled")
    /// A timeout passed before the response was complete; ``ErrandError/reason`` says which one. The server may have
    /// received the request.
    public static let timedOut = ErrandError.Code(rawValue: "timedOut")
    /// No complete response arrived. ``ErrandError/underlyingError`` is a `URLError` on every platform, or an error of
    /// a stub's or a custom transport's own type.
    public static let transportFailed = ErrandError.Code(rawValue: "transportFailed")
    /// The request could not get a token. ``ErrandError/underlyingError`` is the error with which the token server or
    /// the ``CredentialProvider`` refused to issue one. It is `nil` after too many rejected tokens, for a redirect
    /// that does not belong to an `OAuthAuthorization`, and in the error of an `OAuthSession` itself, if it has no
    /// tokens or no refresh token.
    ///
    /// A ``CredentialProvider`` throws an error with this code to refuse a token itself.
    public static let authenticationFailed = ErrandError.Code(rawValue: "authenticationFailed")
    /// A ``CredentialProvider`` provided no token, because it failed with a custom error or a cancellation, which is
    /// the ``ErrandError/underlyingError``. The next request calls it again.
    public static let tokenUnavailable = ErrandError.Code(rawValue: "tokenUnavailable")
    /// The status code is not one that the request, `validateStatusCode(in:)`, a download, an event stream or a
    /// WebSocket accepts. It is also the code for a token server that failed temporarily.
    public static let unacceptableStatusCode = ErrandError.Code(rawValue: "unacceptableStatusCode")
    /// The media type of the body is not one that the request, `hasContentType(_:)`, an event stream or a multipart
    /// stream accepts.
    public static let unacceptableContentType = ErrandError.Code(rawValue: "unacceptableContentType")
    /// A body, an element of a stream or a message cannot be decoded as the type that the caller expects;
    /// ``ErrandError/reason`` says where.
    public static let decodingFailed = ErrandError.Code(rawValue: "decodingFailed")
    /// A line, a value, an event or a part of a stream has more bytes than are allowed.
    public static let elementTooLarge = ErrandError.Code(rawValue: "elementTooLarge")
    /// A page contradicts the request or itself, or its next link leads to another origin. It is also the code for an
    /// invalid ``PaginationStyle`` or ``PageLimits``; then nothing was sent.
    public static let invalidPagination = ErrandError.Code(rawValue: "invalidPagination")
    /// The server repeats a page or a cursor, or sends too many successive pages without items.
    public static let paginationLoop = ErrandError.Code(rawValue: "paginationLoop")
    /// The list has more pages than ``PageLimits/pages`` allows.
    public static let tooManyPages = ErrandError.Code(rawValue: "tooManyPages")
    /// The digest for a download does not have the length of its algorithm, or is not hexadecimal. Nothing was sent.
    public static let invalidDigest = ErrandError.Code(rawValue: "invalidDigest")
    /// The target of a download cannot be a file. Nothing was sent.
    public static let invalidDownloadTarget = ErrandError.Code(rawValue: "invalidDownloadTarget")
    /// Another download, of this or another process, is writing to the same target. Nothing was sent.
    public static let downloadInProgress = ErrandError.Code(rawValue: "downloadInProgress")
    /// The disk has no room for the rest of a download. The received part is kept, and the next run resumes.
    public static let insufficientDiskSpace = ErrandError.Code(rawValue: "insufficientDiskSpace")
    /// The file of a download, a fixture, a cassette or the cookies cannot be written or read.
    /// ``ErrandError/underlyingError`` is the cause, if there is one, such as a `POSIXError` for a download.
    public static let fileAccessFailed = ErrandError.Code(rawValue: "fileAccessFailed")
    /// The server sent another part of a file than the requested one (RFC 9110, section 14.4).
    public static let invalidContentRange = ErrandError.Code(rawValue: "invalidContentRange")
    /// The received bytes do not have the digest that the caller or the server specified (RFC 9530). They are removed.
    public static let digestMismatch = ErrandError.Code(rawValue: "digestMismatch")
    /// A test's stubs have fewer responses than there were attempts.
    public static let stubsExhausted = ErrandError.Code(rawValue: "stubsExhausted")
    /// A test has stubs for its requests, but none for this one; ``ErrandError/reason`` names the most similar ones.
    /// Nothing was sent.
    public static let unexpectedRequest = ErrandError.Code(rawValue: "unexpectedRequest")
}
