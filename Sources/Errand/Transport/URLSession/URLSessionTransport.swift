/// `URLSession` as a transport.
///
/// ```swift
/// let configuration = URLSessionConfiguration.errand
/// configuration.httpMaximumConnectionsPerHost = 20
/// request.session = URLSessionTransport(configuration: configuration)
/// ```
///
/// The configuration holds: its cache, cookies, connections per host and resource timeout. Errand sees to the rest
/// itself, alike on every platform: it keeps the time, follows redirects, and leaves credentials behind when the
/// origin changes. What `URLSession` on Linux cannot do, the page about transports says.
public final class URLSessionTransport: Transport {
    /// The transport that requests use unless they are given another: one for the whole process.
    public static let shared = URLSessionTransport()

    let session: URLSession
    private let resourceTimeout: Duration
    /// The configuration's own fields, sent by us: the session would send them to every origin.
    private let additionalHeaders: HeaderFields

    /// A transport over a session of its own, with connections of its own.
    ///
    /// - Parameter configuration: Copied. `timeoutIntervalForRequest` is not used: each request has its own.
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

    /// Sends a request, follows its redirects and waits for the response, or for its head when the body is streamed.
    ///
    /// A streamed body arrives as the session gives it. On Apple platforms the session waits for a slow reader; on Linux it
    /// cannot, and what was not read is kept in memory.
    ///
    /// - Throws: A ``TransportFailure`` or a `URLError`; an ``ErrandError`` with `cancelled` as soon as the calling task is
    ///   cancelled, or for a body that cannot be sent.
    public func send(_ request: TransportRequest) async throws -> DataResponse {
        guard request.streamsResponse else {
            return try await answer(to: request) { URLSessionExchange($0, deadline: $1) }.response
        }
        var (response, exchange) = try await answer(to: request) {
            URLSessionExchange($0, deadline: $1, buffer: BodyBuffer(capacity: Self.bodyBufferSize))
        }
        response.body = exchange.body
        return response
    }

    /// From how many bytes on the session is asked to wait for the reader of a streamed body.
    private static let bodyBufferSize = 256 << 10

    /// Goes from exchange to exchange, as redirects lead.
    private func answer(
        to request: TransportRequest,
        by makeExchange: (TransportRequest, Deadline<ContinuousClock>) -> URLSessionExchange
    ) async throws -> (response: DataResponse, exchange: URLSessionExchange) {
        let idle = Duration(bounding: request.urlRequest.timeoutInterval)
        let deadline = Deadline(idle: idle, total: request.resourceTimeout ?? resourceTimeout, clock: ContinuousClock())
        let whole = try await deadline.bounding(.requestBody) { try await request.withBodyInMemory() }
        var hop = try whole.preparedForURLSession()
        for field in additionalHeaders where hop.urlRequest.value(forHTTPHeaderField: field.name) == nil {
            try RequestCheck.check(field: field)
            hop.urlRequest.setValue(field.value, forHTTPHeaderField: field.name)
        }
        var chain = RedirectChain(hop)
        while true {
            hop.urlRequest = chain.request
            if chain.hasLeftOrigin { hop.digestCredential = nil }
            let exchange = makeExchange(hop, deadline)
            var response = try await exchange.response(over: session)
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
    /// This request with its stream read to its end: the session on Linux takes "nothing there yet" for the end, and sends
    /// half. (Apple's could send it piece by piece; as long as that is not run, it is not relied on.)
    fileprivate func withBodyInMemory() async throws -> TransportRequest {
        guard let bodyStream else { return self }
        if bodyStream.trailers != nil {
            throw ErrandError(.unsupportedByTransport, reason: "URLSession sends no trailers")
        }
        var request = self
        request.bodyStream = nil
        request.urlRequest.httpBody = try await bodyStream.contents()
        return request
    }
}

extension Transport where Self == URLSessionTransport {
    /// `URLSession`, shared by the whole process.
    public static var urlSession: URLSessionTransport { .shared }
}

extension URLSessionConfiguration {
    /// A configuration that keeps connections and nothing else: no cache, cookies or credentials, nothing on disk.
    ///
    /// A new one each time, to be changed at will.
    public static var errand: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCredentialStorage = nil
        // A request that was let go of on Linux keeps its connection until it ends by itself; a few must not use up all.
        configuration.httpMaximumConnectionsPerHost = 64
        return configuration
    }
}
