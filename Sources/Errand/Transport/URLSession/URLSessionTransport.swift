/// A transport that uses `URLSession`.
///
/// ```swift
/// let configuration = URLSessionConfiguration.errand
/// configuration.httpMaximumConnectionsPerHost = 20
/// request.session = URLSessionTransport(configuration: configuration)
/// ```
///
/// The cache, cookies, connections per host and resource timeout of the configuration apply. Errand handles the rest
/// itself, in the same way on every platform: timeouts, redirects, and the removal of credentials when the origin
/// changes. The page about transports lists what `URLSession` on Linux does not support.
public final class URLSessionTransport: Transport {
    /// The shared transport, one for the whole process.
    public static let shared = URLSessionTransport()

    package let session: URLSession
    private let resourceTimeout: Duration
    /// The additional header fields of the configuration. Errand sends them, because the session would send them to
    /// every origin.
    private let additionalHeaders: HeaderFields

    /// Creates a transport with its own session and its own connections.
    ///
    /// - Parameter configuration: The configuration, which is copied. `timeoutIntervalForRequest` is not used, because
    ///   each request has its own timeout.
    public init(configuration: URLSessionConfiguration = .errand) {
        let fields = configuration.httpAdditionalHeaders ?? [:]
        additionalHeaders = HeaderFields(fields.map { HeaderFields.Field("\($0.key)", "\($0.value)") })
        let stripped = configuration.copy() as? URLSessionConfiguration ?? configuration
        stripped.httpAdditionalHeaders = nil
        session = URLSession(configuration: stripped, delegate: URLSessionRelay(), delegateQueue: nil)
        resourceTimeout = Duration(bounding: configuration.timeoutIntervalForResource)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// Sends a request, follows redirects and returns the response. If the body is streamed, returns as soon as the
    /// head has arrived.
    ///
    /// A streamed body arrives in the session's pieces. On Apple platforms, the session waits for a slow reader. On
    /// Linux it cannot, and all unread data stays in memory.
    ///
    /// - Throws: A ``TransportFailure`` or a `URLError`; an ``ErrandError`` with `cancelled` as soon as the calling
    ///   task is cancelled, or for a request that cannot be sent; the error of a body stream.
    public func send(_ request: TransportRequest) async throws -> DataResponse {
        guard request.streamsResponse else {
            return try await response(to: request) { URLSessionExchange($0, deadline: $1) }.response
        }
        var (response, exchange) = try await response(to: request) {
            URLSessionExchange($0, deadline: $1, buffer: BodyBuffer(capacity: Self.bodyBufferSize))
        }
        response.body = exchange.body
        return response
    }

    /// The number of unread bytes of a streamed body at which the session's task waits, except on Linux: 256 KiB.
    private static let bodyBufferSize = 256 << 10

    /// Sends the request and follows its redirects, with one exchange for each hop. Returns the last exchange.
    private func response(
        to request: TransportRequest,
        by makeExchange: (TransportRequest, Deadline<ContinuousClock>) -> URLSessionExchange
    ) async throws -> (response: DataResponse, exchange: URLSessionExchange) {
        let idle = Duration(bounding: request.urlRequest.timeoutInterval)
        let deadline = Deadline(idle: idle, total: request.resourceTimeout ?? resourceTimeout, clock: ContinuousClock())
        let whole = try await deadline.bounding(.requestBody) {
            try await request.withBodyInMemory { deadline.touch() }
        }
        var hop = try whole.preparedForURLSession()
        for field in additionalHeaders where hop.urlRequest.value(forHTTPHeaderField: field.name) == nil {
            try RequestCheck.check(field: field)
            hop.urlRequest.setHeaderField(field.name, field.value)
        }
        var chain = RedirectChain(hop)
        while true {
            hop.urlRequest = chain.request
            if chain.hasLeftOrigin { hop.digestCredential = nil }
            let exchange = makeExchange(hop, deadline)
            var response = try await exchange.response(over: session)
            if response.statusCode == 101 {
                exchange.abandon()
                throw TransportFailure(URLError(.cannotParseResponse), reason: TransportFailure.unaskedUpgrade)
            }
            response.metrics?.redirects = chain.followed
            if let history = chain.history { response.redirects = history }
            let isFollowed: Bool
            do {
                isFollowed = try chain.follow(response)
            } catch {
                exchange.abandon()
                throw error
            }
            if !isFollowed { return (response, exchange) }
            exchange.abandon()
        }
    }
}

extension TransportRequest {
    /// Returns this request with its stream read into memory. On Linux, the session treats a read without data as the
    /// end of the stream and sends a truncated body. Apple's session could send the stream piece by piece, but that has
    /// not been run yet.
    ///
    /// - Parameter touch: Called for each piece.
    fileprivate func withBodyInMemory(touch: @escaping @Sendable () -> Void) async throws -> TransportRequest {
        guard let bodyStream else { return self }
        if bodyStream.trailers != nil {
            throw ErrandError(.unsupportedByTransport, reason: "URLSession sends no trailers")
        }
        return try await withStreamRead(touch: touch)
    }
}

extension Transport where Self == URLSessionTransport {
    /// The shared `URLSession` transport of the process.
    public static var urlSession: URLSessionTransport { .shared }
}

extension URLSessionConfiguration {
    /// A configuration that keeps only connections: it has no cache, cookies or credentials, and stores nothing on
    /// disk.
    ///
    /// Each access returns a new configuration, which can be changed freely.
    public static var errand: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCredentialStorage = nil
        // On Linux, an abandoned request keeps its connection until it ends by itself. A few of these must not use all
        // connections.
        configuration.httpMaximumConnectionsPerHost = 64
        return configuration
    }
}
