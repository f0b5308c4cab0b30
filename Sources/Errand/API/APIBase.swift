/// The base class of every API client: it owns the session, builds the `URLRequest` and starts the request.
///
/// Derive a class for each API, which adds what all its requests share, and from it a leaf for each request, which
/// conforms to ``Request``:
///
/// ```swift
/// class PlaceholderAPI: APIBase {
///     override init() {
///         super.init()
///         baseURL = URL(string: "https://jsonplaceholder.typicode.com")
///     }
///
///     override func startRequest() -> Pipeline<DataResponse, any Error> {
///         super.startRequest()
///             .validateStatusCode(in: 200..<300)
///             .hasContentType("application/json")
///     }
/// }
///
/// final class UsersRequest: PlaceholderAPI, Request {
///     override init() {
///         super.init()
///         path = "/users"
///     }
///
///     func start() -> Pipeline<[User], any Error> {
///         sendRequest().decode([User].self)
///     }
/// }
/// ```
///
/// A request object holds values and is not `Sendable`: it is used where it was made. What it starts, a ``Pipeline``,
/// holds only `Sendable` values, goes anywhere and does not keep the request alive.
open class APIBase {
    /// What carries the request; by default one engine or session for the whole process, so that connections are reused:
    /// libcurl on Linux, `URLSession` elsewhere.
    open var session: any Transport = .platformDefault
    /// What cuts across the requests, in order, the first outermost: retrying, authentication, a cache, a log.
    ///
    /// One with a state of its own has to be the same for all requests that are to share it: keep it in a `static let`
    /// of the API class.
    open var interceptors: [any Interceptor] = []
    /// Whether the request is sent again when it fails, and when; nil, the default, for never.
    ///
    /// It stands in front of ``asynchronousHeaders`` and ``interceptors``, so that each attempt passes them.
    open var retryPolicy: RetryPolicy?
    /// What is called once before the request is sent, and once after; nil by default. It stands in front of
    /// ``retryPolicy``.
    open var hook: (any Hook)?

    /// Where the API is. Its own path and query are kept: `path` and `query` are put behind them.
    open var baseURL: URL?
    /// The method; GET by default.
    open var method = HTTPMethod.get
    /// The path behind the base URL's, with or without a slash in front; a value interpolated into it stays one segment.
    open var path: RequestPath = ""
    /// The query, in order, behind the base URL's own.
    open var query: Query = [:]
    /// The header fields. Set them, or override the property to compute them.
    open var headers = HTTPHeaders()
    /// The body; none by default. Set it, or override the property to compute it.
    ///
    /// It is encoded by ``buildURLRequest()``. A `Content-Type` in ``headers`` wins over the body's own.
    open var body = RequestBody.empty
    /// What an ``HTTPCache`` among the ``interceptors`` may answer with; without one, nothing is kept.
    open var cachePolicy = URLRequest.CachePolicy.useProtocolCachePolicy
    /// How long the transfer may make no progress, in seconds above zero; 60 by default.
    ///
    /// The request fails with ``ErrandError/Code-swift.struct/timedOut`` then. To bound the whole of it, use
    /// ``resourceTimeout``.
    open var timeoutInterval: TimeInterval = 60
    /// How long one sending of the request may take in all, redirects included; nil leaves it to the transport.
    ///
    /// With a ``retryPolicy`` it is the time of all attempts, with the waits between them. To bound `retry(_:)` of a
    /// pipeline and decoding too, use `timeout(_:clock:)`.
    open var resourceTimeout: Duration?
    /// The most bytes that the answer's body may have, decoded; 64 MiB by default.
    ///
    /// One byte more stops the transfer, and fails with ``ErrandError/Code-swift.struct/transportFailed`` and
    /// `URLError.dataLengthExceedsMaximum`, also when a small compressed body expands beyond it.
    open var maximumBodySize = APIBase.defaultMaximumBodySize
    /// What is done with redirects; they are followed by default.
    open var redirectPolicy = RedirectPolicy.follow
    /// Who goes first when requests wait for a connection.
    open var priority = RequestPriority.normal

    /// The most bytes of a buffered answer, unless a request says otherwise: 64 MiB.
    public static let defaultMaximumBodySize = 64 << 20

    /// The request as it was last built; nil before ``startRequest()``.
    public internal(set) var request: URLRequest?
    /// How much of the body has been sent.
    public var uploadProgress: TransferProgress { TransferProgress(counts, .up) }
    /// How much of the answer's body has been received.
    public var downloadProgress: TransferProgress { TransferProgress(counts, .down) }
    /// What answers in place of the transport, in tests; see `stubJSONResponse(statusCode:data:headers:)`.
    ///
    /// The request is built and checked, and the answer validated and decoded, as ever.
    public var dataTaskPipeline: Pipeline<DataResponse, any Error>?

    /// The peer of a WebSocket in place of the transport, in tests; see ``Stubbable/stubWebSocket(subprotocols:compression:serve:)``.
    public var webSocketStub: WebSocketStub?

    /// How far both bodies have come.
    private let counts = TransferCounts()
    /// Where the request goes whatever the service and the class say, and the path too: a declarative request's `url`.
    var wholeURL: URL?
    /// Where the request goes instead, while `schedule(with:)` starts it.
    var service: (any Service)?
    /// The stream that ``body`` became, from when the request is built to when there is a pipeline for it.
    var bodyStream: BodyStream?
    /// Whether the body of ``request`` is read while it is sent.
    var sendsStream = false
    /// Whether the request is for a WebSocket, whose base may have the scheme ws or wss.
    var opensWebSocket = false
    /// Whether the request is being built for a stream, while `sendStream()` starts it.
    var opensStream = false
    /// Whether the request is being built for a download, which counts by itself: its parts are one transfer.
    var countsDownload = false
    /// The page to ask for, where a link names it whole; see `ask(for:)`.
    var pageLink: PageLink?
    /// The names in ``query`` that ask for the page.
    var pageNames: [String] = []
    /// The stream that an override of ``buildURLRequest()`` put into the request, and the body made of it: the same
    /// stream has to be the same body, so that it is read once.
    var streamFromHook: (stream: InputStream, body: BodyStream)?

    /// A GET of the base URL.
    public init() {}

    /// Header fields that have to be waited for, such as a token from a keychain: asked for each time a request is sent,
    /// and under what ``headers`` says.
    ///
    /// It is a closure of `Sendable` values, since it runs when the request object may be gone.
    open var asynchronousHeaders: (@Sendable () async throws -> HTTPHeaders)?

    /// Builds what will be sent. Override it to add to the result of `super`.
    ///
    /// It is called by ``startRequest()``, on the caller's thread, once for each start.
    ///
    /// - Throws: ``ErrandError`` for input that makes no request, and for a body that cannot be encoded.
    open func buildURLRequest() throws -> URLRequest {
        let base = try resolvedBaseURL()
        let target =
            try pageLink?.target(of: base) ?? RequestURL(base: base, path: wholeURL == nil ? path : "", query: query)
        var request = URLRequest(
            url: try target.resolved(), cachePolicy: cachePolicy, timeoutInterval: timeoutInterval)
        // Foundation compares what it is given with every method it knows.
        if method != .get { request.httpMethod = method.rawValue }
        request.allHTTPHeaderFields = try fields(service.map { $0.headers.merging(headers) } ?? headers)
        try addBody(to: &request)
        return request
    }

    /// The request on its way: built now, sent when the pipeline is run. Override it to validate every answer.
    ///
    /// - Returns: A pipeline of the whole answer, whatever its status. It fails with an ``ErrandError``, or with what
    ///   an override of ``buildURLRequest()`` threw.
    open func startRequest() -> Pipeline<DataResponse, any Error> {
        request = nil
        bodyStream = nil
        // The pipeline has it then, and lets go of it when it is done.
        defer { bodyStream = nil }
        do {
            let request = try buildURLRequest()
            self.request = request
            return try pipeline(for: request)
        } catch let error as ErrandError {
            return failing(with: describing(error))
        } catch {
            return failing(with: error)
        }
    }

    /// The request with everything that applies once per send; what a leaf's ``Request/start()`` begins with.
    public final func sendRequest() -> Pipeline<DataResponse, any Error> {
        startRequest()
    }
}

extension APIBase {
    /// What becomes of a request that cannot be built: nobody waits for its transfer any more.
    private func failing(with error: any Error) -> Pipeline<DataResponse, any Error> {
        Pipeline.fail(error).preceded { [uploadProgress, downloadProgress] () throws(any Error) in
            uploadProgress.end()
            downloadProgress.end()
        }
    }

    /// Where the request goes: as it says itself, or the service, or the class.
    private func resolvedBaseURL() throws -> URL? {
        let base = try wholeURL ?? service?.resolvedBaseURL() ?? baseURL
        return opensWebSocket ? base?.withHTTPScheme : base
    }

    /// The fields as Foundation takes them: repeated ones as one list, cookies as RFC 6265 lists them.
    private func fields(_ headers: HTTPHeaders) throws -> [String: String] {
        var fields: [String: String] = [:]
        for field in headers {
            try RequestCheck.check(field: field)
            guard let name = fields.keys.first(where: { $0.equalsIgnoringASCIICase(field.name) }) else {
                fields[field.name] = field.value
                continue
            }
            fields[name, default: ""] += (name.equalsIgnoringASCIICase("Cookie") ? "; " : ", ") + field.value
        }
        return fields
    }

    private func addBody(to request: inout URLRequest) throws(ErrandError) {
        bodyStream = nil
        let body = body
        switch try body.content(defaultEncoder: JSONEncoder()) {
        case .none: return
        case .data(let data): request.httpBody = data
        case .stream(let stream): bodyStream = stream
        }
        try add("Content-Type", body.type?.description, to: &request)
        try add("Content-Encoding", body.contentEncoding, to: &request)
    }

    /// Adds a field that the body brings, where the request has none of that name.
    private func add(_ name: String, _ value: String?, to request: inout URLRequest) throws(ErrandError) {
        guard let value, request.value(forHTTPHeaderField: name) == nil else { return }
        try RequestCheck.check(field: HTTPHeaders.Field(name, value))
        request.setValue(value, forHTTPHeaderField: name)
    }

    /// An error from before there was a request, with what is known of it.
    func describing(_ error: ErrandError) -> ErrandError {
        var request = request ?? (try? resolvedBaseURL()).map { URLRequest(url: $0) }
        request?.httpMethod = method.rawValue
        return request.map { error.with(request: $0) } ?? error
    }
}

extension APIBase: CustomReflectable {
    /// The method and the URL without secrets, so that `dump` shows none.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["method": method.rawValue, "url": (request?.url ?? baseURL)?.redacted.absoluteString ?? "none"])
    }
}
