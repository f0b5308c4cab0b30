/// A type that sends a request to a server and returns the response.
///
/// A transport sends one request, follows redirects, and returns the response. It does not validate the response,
/// decode a value from it, or apply a retry policy. To fake the network in a test, use a stub instead, which needs no
/// transport.
///
/// ```swift
/// struct Offline: Transport {
///     func send(_ request: TransportRequest) async throws -> DataResponse {
///         throw URLError(.notConnectedToInternet)
///     }
/// }
/// ```
public protocol Transport: Sendable {
    /// Sends a request and waits for the response.
    ///
    /// If ``TransportRequest/streamsResponse`` is `true`, it returns as soon as the head has arrived. The reader of
    /// ``DataResponse/body`` then receives the body as it arrives. A transport that does not support this returns the
    /// whole body. Cancelling the calling task ends the wait immediately; releasing a streamed body cancels the
    /// transfer.
    ///
    /// - Throws: A `URLError` with the same code on every platform, or a ``TransportFailure``, which adds details. If
    ///   the request cannot be sent as it is, an ``ErrandError``. If the calling task is cancelled, one of these with
    ///   `cancelled`. If the body stream fails, its error. If the error occurs after the request was sent, it is
    ///   unknown whether the server acted on it.
    func send(_ request: TransportRequest) async throws -> DataResponse
}

extension Transport {
    /// The client certificate of the transport as text, or the path of its file. `nil` if it is missing, and for
    /// transports other than `CurlTransport`, which do not report it.
    var clientCertificate: String? {
        #if canImport(CCurl)
        (self as? CurlTransport)?.engines.clientCertificate
        #else
        nil
        #endif
    }
}

// The only place that defines the default transport.

#if canImport(CCurl)
extension Transport where Self == CurlTransport {
    /// The default transport of the platform: libcurl on Linux, `URLSession` elsewhere.
    public static var platformDefault: CurlTransport { .shared }
}
#else
extension Transport where Self == URLSessionTransport {
    /// The default transport of the platform: libcurl on Linux, `URLSession` elsewhere.
    public static var platformDefault: URLSessionTransport { .shared }
}
#endif

/// A complete and checked request for a transport.
public struct TransportRequest: Sendable {
    /// The method, URL, header fields and idle timeout, and the body if it is data. See also ``urlRequestWithBody``.
    public var urlRequest: URLRequest
    /// The body, if it is read while it is sent.
    public var bodyStream: BodyStream?
    /// The treatment of redirects.
    public var redirectPolicy = RedirectPolicy.follow
    /// Whether the body of the response is read as it arrives; `false` by default, which collects the body.
    public var streamsResponse = false
    /// The maximum size of a collected body in bytes, after decoding. A larger body fails the request. 64 MiB by
    /// default.
    public var maximumBodySize = TransportRequest.defaultMaximumBodySize
    /// The timeout for the whole transfer; `nil` uses the transport's timeout.
    public var resourceTimeout: Duration?
    /// The priority among waiting requests.
    public var priority = RequestPriority.normal
    /// The credential for a Digest challenge from the request's original origin (RFC 7616). If it is `nil`, the
    /// challenge is returned as the response.
    ///
    /// If the request has an `Authorization` field, only that field is sent, and the credential is not used.
    public var digestCredential: PasswordCredential?
    /// The names, in lowercase, of the header fields other than `Authorization` in which an interceptor has put
    /// credentials.
    package var credentialFields: Set<String> = []
    /// The names of the query items in which an interceptor has put credentials.
    package var credentialQueryNames: Set<String> = []
    /// The rules by which the run judges the response.
    package var rules = ResponseRules()
    /// The status codes that the request accepts; `nil` if they are not set.
    public package(set) var acceptedStatusCodes: StatusCodes? {
        get { rules.statusCodes }
        set { rules.statusCodes = newValue }
    }
    /// The progress of sent bytes.
    public var uploadProgress: TransferProgress?
    /// The progress of received bytes.
    public var downloadProgress: TransferProgress?

    /// The client certificate of the transport that will send the request, as text or as the path of its file; `nil`
    /// if it is not known. Interceptors that combine requests compare it.
    package var clientCertificate: String?
    /// Whether a later interceptor may add credentials. The response must not be shared then. It is `true` only for an
    /// interceptor that shares responses and is called by another interceptor, which does not state its
    /// ``InterceptorPlacement``.
    package private(set) var mayGainCredentials = false
    /// Whether the request is the handshake of a WebSocket.
    package var opensWebSocket = false
    /// The actions of interceptors at redirects.
    package var redirectHooks: [RedirectHook] = []
    /// The ledger of the run that this request belongs to; `nil` outside of a run.
    var run: RunLedger?
    private var tags: [ObjectIdentifier: any Sendable] = [:]

    /// The number of the attempt that a ``RetryInterceptor`` makes, from 1; `nil` before the retry, or without one.
    public internal(set) var attempt: Int?

    /// The default maximum size of a collected body: 64 MiB.
    static let defaultMaximumBodySize = 64 << 20

    /// Accesses a value that an interceptor passes on with the request, by its type. Later interceptors receive it, and
    /// so do all attempts if it was set before a retry. For a value that all attempts share wherever it is set, see
    /// ``sharedByAttempts(_:)``.
    ///
    /// ```swift
    /// request[Account.self] = account
    /// ```
    public subscript<Value: Sendable>(type: Value.Type) -> Value? {
        get { tags.isEmpty ? nil : tags[ObjectIdentifier(type)] as? Value }
        set { tags[ObjectIdentifier(type)] = newValue }
    }

    /// Creates a transport request from a `URLRequest`.
    public init(_ urlRequest: URLRequest) {
        self.urlRequest = urlRequest
    }
}

extension TransportRequest {
    /// Creates a request that shows what a run called.
    init(_ urlRequest: URLRequest, calling called: CalledOperation?) {
        self.init(urlRequest)
        self[CalledOperation.self] = called
    }

    private var called: CalledOperation? { run?.called ?? self[CalledOperation.self] }

    /// The name of the operation: the type of the leaf or of the ``EndpointRequest``, such as `BooksRequest`. `nil` for
    /// an ``Endpoint`` that no such type has, and outside of a run.
    public var operation: String? { called?.name }

    /// The path with names in place of values, after the path of the base URL: `/v1/users/{id}`. It contains no
    /// interpolated value and no query, so that logs, metrics and limits can use it as a key. The path of the base URL
    /// and the literals are shown as they are, and what an override of ``APIBase/buildURLRequest()`` changes is not
    /// seen.
    ///
    /// A value has the name that its interpolation gives it: `path = "/users/\(id, as: "id")"`; without one, it is
    /// `{}`. `nil` for a path that is made of a text or an array, for a complete URL, and outside of a run.
    public var template: String? { called?.template }

    /// The transport that will send the request; `nil` if it is not known.
    package var sender: TransportIdentity? { run?.sender }
    /// The users for whom interceptors sign, perhaps only after those that share responses.
    package var signingUsers: [String] { run?.signingUsers ?? [] }

    /// Returns the value of this type that all attempts of the run share, such as an identifier for a log.
    ///
    /// ```swift
    /// let id = request.sharedByAttempts(RequestID.random())
    /// ```
    ///
    /// - Parameter value: The value if the run has none of its type yet. Outside of a run, it is always returned.
    public func sharedByAttempts<Value: Sendable>(_ value: @autoclosure () -> Value) -> Value {
        guard let run else { return value() }
        return run.sharedValue() ?? run.share(value())
    }

    /// ``urlRequest`` with its body, even if that is read while it is sent, to show or to compare the whole request:
    /// `request.urlRequestWithBody.curlCommand()`.
    ///
    /// For such a body, `httpBodyStream` is an empty stream that represents it. A transport reads ``bodyStream``
    /// instead.
    public var urlRequestWithBody: URLRequest {
        guard let bodyStream else { return urlRequest }
        var request = urlRequest
        request.bodyStream = bodyStream
        return request
    }

    /// The size of the request body in bytes, 0 without a body; `nil` if it is unknown.
    var bodySize: Int64? { (bodyStream.map(\.count) ?? urlRequest.httpBody?.count ?? 0).map(Int64.init) }

    /// Whether the request can be sent again. It is `false` for a body that can be read only once. Such a request is
    /// not sent again, even if a ``Retrier`` decides to.
    public var canBeSentAgain: Bool {
        bodyStream?.canBeReadAgain ?? (urlRequest.httpBodyStream == nil)
    }

    /// Returns this request with the given ``mayGainCredentials``.
    func with(mayGainCredentials: Bool) -> TransportRequest {
        // Most requests need no copy.
        guard self.mayGainCredentials != mayGainCredentials else { return self }
        var request = self
        request.mayGainCredentials = mayGainCredentials
        return request
    }

    /// Returns this request with a wait subtracted from its resource timeout, of which at least 1 ms remains.
    package func after(_ wait: Duration) -> TransportRequest {
        var request = self
        request.resourceTimeout = resourceTimeout.map { max($0 - wait, .milliseconds(1)) }
        return request
    }

    /// Returns this request with its stream read into memory, for transports that cannot send the stream.
    ///
    /// - Parameter touch: Called for each piece.
    /// - Throws: The same errors as ``BodyStream/contents(touch:)``.
    func withStreamRead(touch: @Sendable () -> Void = {}) async throws -> TransportRequest {
        var request = self
        request.urlRequest.httpBody = try await bodyStream?.contents(touch: touch)
        request.bodyStream = nil
        return request
    }
}

extension URLRequest {
    /// Whether the method usually has a body, so that a missing one is declared with the length 0 (RFC 9110, section
    /// 8.6).
    package var expectsBody: Bool { ["POST", "PUT", "PATCH"].contains(httpMethod) }
}

extension TransportRequest: Confidential {
    /// The method and the URL, without secrets.
    public var description: String {
        [urlRequest.httpMethod, urlRequest.url?.redacted.absoluteString].compactMap(\.self).joined(separator: " ")
    }
}

extension TransportRequest {
    /// Whether the body is a placeholder for one that is created when the request is sent.
    var hasDeferredBody: Bool { if case .deferred? = bodyStream?.origin { true } else { false } }

    /// Returns this request with the body that its placeholder creates, checked; this request if it has no placeholder.
    func withDeferredBody() async throws -> TransportRequest {
        guard case .deferred(let make)? = bodyStream?.origin else { return self }
        if Task.isCancelled { throw ErrandError(.cancelled) }
        let request = try await with(body: make)
        try RequestCheck.check(request.urlRequest, bodyStream: request.bodyStream)
        return request
    }

    /// Returns this request with a body that is created outside the caller's actor.
    @concurrent private func with(
        body make: @Sendable () throws -> RequestBody.Content
    ) async throws -> TransportRequest {
        var request = self
        switch try make() {
        case .none: request.bodyStream = nil
        case .data(let data): (request.urlRequest.httpBody, request.bodyStream) = (data, nil)
        case .stream(let stream):
            try stream.checkUnopened()
            request.bodyStream = stream
        }
        return request
    }

    /// Whether the request has its own `Authorization` field, which interceptors do not replace.
    package var hasAuthorization: Bool { urlRequest.value(forHTTPHeaderField: "Authorization") != nil }

    /// Returns this request with an `Authorization` field (RFC 9110, section 11.6.2).
    func authorized(by credentials: Secret) -> TransportRequest {
        var request = self
        request.urlRequest.setValue(credentials.text, forHTTPHeaderField: "Authorization")
        return request
    }
}
