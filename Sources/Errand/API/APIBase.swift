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
/// holds only `Sendable` values, can be sent to any task and does not keep the request alive.
open class APIBase: Pageable, Stubbable {
    /// What carries the request; by default one engine or session for the whole process, so that connections are reused:
    /// libcurl on Linux, `URLSession` elsewhere.
    open var session: any Transport = .platformDefault
    /// What the requests pass, in order, the first outermost: retrying, authentication, a cache, a log.
    ///
    /// An interceptor with state must be the same object for all requests that share it: keep it in a `static let` of the
    /// API class.
    open var interceptors: [any Interceptor] = []
    /// Whether and when the request is sent again after a failure; `nil`, the default, for never.
    ///
    /// It comes before ``asynchronousHeaders`` and ``interceptors``, so that each attempt passes them.
    open var retryPolicy: RetryPolicy?
    /// What is called once before the request is sent and once after it; `nil` by default. It comes before ``retryPolicy``.
    open var hook: (any RequestHook)?
    /// Header fields that have to be awaited, such as a token from a keychain: called each time the request is sent. Fields of
    /// ``headers`` replace them.
    ///
    /// It is a closure of `Sendable` values, since it runs when the request object may be gone.
    open var asynchronousHeaders: (@Sendable () async throws -> HeaderFields)?

    /// What `decode(_:)` uses for the responses of this API; a ``FastJSONDecoder`` by default.
    open var decoder: any DataDecoder = PlainJSONCoder()
    /// What `.json(_:)` uses for the bodies of this API; a ``FastJSONEncoder`` by default.
    open var encoder: any DataEncoder = PlainJSONCoder()
    /// The status codes that are not a failure; `nil`, the default, accepts every one.
    ///
    /// A leaf can widen or narrow what its class accepts:
    ///
    /// ```swift
    /// acceptedStatusCodes?.insert(404)
    /// ```
    ///
    /// Any other status fails with ``ErrandError/Code-swift.struct/unacceptableStatusCode``, as
    /// ``Pipeline/validateStatusCode(in:)`` does.
    open var acceptedStatusCodes: Set<Int>?
    /// The media types of bodies that are not a failure, ranges such as `application/*` and `*/*+json` among them; `nil`, the
    /// default, accepts every one.
    ///
    /// Any other type fails with ``ErrandError/Code-swift.struct/unacceptableContentType``. A response without a body passes.
    open var acceptedContentTypes: [ContentType]?

    /// Where the API is. Its own path and query are kept: `path` and `query` are added to them.
    open var baseURL: URL?
    /// The whole URL of this request, in place of ``baseURL`` and ``path``; `nil` by default. ``query`` is added to its own.
    ///
    /// The header fields and the interceptors of the class apply to it too: where they are secret, the URL must be one that
    /// may receive them.
    open var url: URL?
    /// The method; GET by default.
    open var method = RequestMethod.get
    /// The path after the base URL's, with or without a slash at its start; a value interpolated into it stays one segment.
    open var path: RequestPath = ""
    /// The query, in order, after the base URL's own.
    open var query: URLQuery = [:]
    /// The page of a list to ask for; `nil`, the default, for none. ``Pages`` sets it for each page.
    ///
    /// ```swift
    /// request.pagePosition = PaginationStyle.pageNumber(size: 50, startingAt: 3).firstPosition
    /// ```
    ///
    /// Its query items replace those of the same name in ``query``, ``url`` and ``baseURL``. A position that a link names is a whole URL, in place of base
    /// URL, path and query. A link to another origin than the API's, which the style does not trust either, fails with
    /// ``ErrandError/Code-swift.struct/invalidPagination`` when the request is started: the API's class may add credentials to its
    /// requests.
    open var pagePosition: PagePosition?
    /// The header fields. Set them, or override the property to compute them.
    open var headers = HeaderFields()
    /// The body; none by default. Set it, or override the property to compute it.
    ///
    /// It is encoded by ``buildURLRequest()``, unless ``RequestBody/encodedWhenSent()`` puts that off. A `Content-Type` in ``headers`` replaces the body's own.
    open var body = RequestBody.empty
    /// What an ``HTTPCache`` among the ``interceptors`` may respond with; without one, nothing is kept.
    ///
    /// This property and those below it apply unless they have their defaults and a service says something else.
    open var cachePolicy = URLRequest.CachePolicy.useProtocolCachePolicy
    /// How long the transfer may make no progress, in seconds above zero; 60 by default.
    ///
    /// The request then fails with ``ErrandError/Code-swift.struct/timedOut``. To limit the time of the whole request, use
    /// ``resourceTimeout``.
    open var timeoutInterval = APIBase.defaultTimeoutInterval
    /// How long the whole request may take, redirects included; `nil` leaves it to the transport.
    ///
    /// It can also be set to a number of seconds: `resourceTimeout = 0.3`.
    ///
    /// With a ``retryPolicy`` it is the time of all attempts, with the waits between them. To limit `retry(_:)` of a pipeline
    /// and decoding too, use `timeout(_:clock:)`.
    open var resourceTimeout: Duration?
    /// The most bytes that the response's body may have, decoded; 64 MiB by default.
    ///
    /// One byte more stops the transfer, and fails with ``ErrandError/Code-swift.struct/transportFailed`` and
    /// `URLError.dataLengthExceedsMaximum`, also when a small compressed body expands beyond it.
    open var maximumBodySize = APIBase.defaultMaximumBodySize
    /// What is done with redirects; they are followed by default.
    open var redirectPolicy = RedirectPolicy.follow
    /// Which requests go first when several wait for a connection.
    open var priority = RequestPriority.normal

    /// The most bytes of a collected body, unless a request says otherwise: 64 MiB.
    public static let defaultMaximumBodySize = TransportRequest.defaultMaximumBodySize

    /// The request as it was last built; `nil` before ``startRequest()``.
    public internal(set) var request: URLRequest?
    /// How much of the request's body has been sent.
    public var uploadProgress: TransferProgress { TransferProgress(counts, .up) }
    /// How much of the response's body has been received.
    public var downloadProgress: TransferProgress { TransferProgress(counts, .down) }
    /// The response in place of the transport's, in tests; see `stubJSONResponse(statusCode:data:headers:)`.
    ///
    /// The request is built and checked, and the response validated and decoded, as without it.
    public var dataTaskPipeline: Pipeline<DataResponse, any Error>?
    /// Stubs besides ``dataTaskPipeline``, which `Streaming/` defines.
    var stubs = TypedValues()

    /// How much of both bodies has been transferred.
    private let counts = TransferCounts()
    /// What the request is being started as.
    private(set) var kind = StartKind.response
    /// The stream that an override of ``buildURLRequest()`` put into the request, and the body made of it: the same
    /// stream has to be the same body, so that it is read once.
    var streamFromHook: (stream: InputStream, body: BodyStream)?

    /// A GET of the base URL.
    public init() {}

    /// Builds what will be sent. Override it to add to the result of `super`.
    ///
    /// It is called by ``startRequest()``, on the caller's thread, once for each start.
    ///
    /// - Throws: ``ErrandError`` for settings that do not make a request, and for a body that cannot be encoded.
    open func buildURLRequest() throws -> URLRequest {
        try buildURLRequest(with: try resolvedSettings())
    }

    /// The request as a pipeline: built now, sent when the pipeline is run. Override it to validate every response.
    ///
    /// - Returns: A pipeline of the response, whatever its status unless ``acceptedStatusCodes`` says otherwise. It fails with
    ///   an ``ErrandError``, or with what an override of ``buildURLRequest()`` threw.
    open func startRequest() -> Pipeline<DataResponse, any Error> {
        let settings: Settings
        do { settings = try resolvedSettings() } catch { return sending(with: Settings(), failure: error).pipeline }
        var pipeline = sending(with: settings).pipeline
        if let codes = settings.acceptedStatusCodes { pipeline = pipeline.validateStatusCode(in: codes) }
        if let types = settings.acceptedContentTypes { pipeline = pipeline.hasContentType(types) }
        return pipeline
    }

    /// The request with everything that applies to it; what a leaf's ``Request/start()`` begins with.
    ///
    /// Its failures are converted by ``mapError(_:)``.
    public final func sendRequest() -> Pipeline<DataResponse, any Error> {
        let api: APIBase.Type = type(of: self)
        return startRequest().mapError { api.mapError($0) }
    }

    /// Converts what the requests of this class fail with into the API's own error; returns it unchanged by default.
    ///
    /// ```swift
    /// override class func mapError(_ error: any Error) -> any Error { LibraryError(error) }
    /// ```
    ///
    /// It applies to ``sendRequest()``, to streams with their bodies and events, to downloads, and to WebSockets, after retries and interceptors.
    /// Operators after them, such as `decode(_:)`, fail with errors of their own. A service's ``APIService/mapError(_:)`` receives
    /// the result. It is a class method, since the request object may be gone when a request fails.
    open class func mapError(_ error: any Error) -> any Error { error }

    /// What applies to this request: its own settings, and those of the service in scope.
    func resolvedSettings() throws -> Settings {
        let own = Settings(
            baseURL: baseURL, headers: headers,
            asynchronousHeaders: asynchronousHeaders.map { [AsynchronousHeaders(fields: $0)] } ?? [], session: session,
            interceptors: .adding(interceptors), retryPolicy: retryPolicy, hook: hook,
            decoder: PlainJSONCoder.isType(of: decoder) ? nil : decoder,
            encoder: PlainJSONCoder.isType(of: encoder) ? nil : encoder, acceptedStatusCodes: acceptedStatusCodes,
            acceptedContentTypes: acceptedContentTypes, terms: ownTerms)
        guard let scope = ServiceScope.current, scope.includes(self) else { return own }
        return try scope.settings.get().resolved(over: own)
    }

    /// What is done before the request is sent.
    var preparation: RequestPreparation? { nil }

    /// The request's own time limits and the like.
    var ownTerms: RequestTerms { termsOfProperties }

    /// Starts the request as something else than a collected response.
    func starting<Value>(as kind: StartKind, _ body: () throws -> Value) rethrows -> Value {
        let previous = self.kind
        self.kind = kind
        defer { self.kind = previous }
        return try body()
    }
}

/// What a request is started as.
enum StartKind {
    /// For a response whose body is collected.
    case response
    /// For a response whose body is read as it arrives.
    case stream
    /// For a file, which counts its own progress: its parts are one transfer.
    case download
    /// For a WebSocket, whose base URL may have the scheme ws or wss.
    case webSocket
}
