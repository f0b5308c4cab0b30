/// The base class of all API clients. It holds the settings, builds the `URLRequest` and starts the request.
///
/// Derive a class for each API, which adds what all its requests share. Derive from it a leaf for each request, which
/// conforms to ``Request``:
///
/// ```swift
/// class PlaceholderAPI: APIBase {
///     override init() {
///         super.init()
///         baseURL = URL(string: "https://jsonplaceholder.typicode.com")
///         acceptedStatusCodes = 200..<300
///         acceptedContentTypes = [.json]
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
/// What no setting says, an override adds to each request with operators, after the run with its retries:
///
/// ```swift
/// override func startRequest() -> Pipeline<DataResponse, any Error> {
///     super.startRequest().decodeError(ProblemDetails.self)
/// }
/// ```
///
/// A request object holds values and is not `Sendable`: use it where it was created. The ``Pipeline`` that it starts
/// holds only `Sendable` values. It can be sent to any task, and does not keep the request alive.
open class APIBase: Stubbable {
    /// The transport that sends the request; that of a service replaces it. `nil`, the default, means one that the
    /// whole process shares, so that connections are reused: libcurl on Linux, `URLSession` elsewhere.
    open var session: (any Transport)?
    /// The interceptors through which the request passes, the outermost first: retries, authentication, a cache, a log.
    ///
    /// An interceptor with state must be the same object for all requests that share it. Keep it in a `static let` of
    /// the API class.
    /// In a leaf, add to those of the class with `interceptors.append(…)`. An assignment replaces them, and with them
    /// the authentication of the class.
    open var interceptors: [any Interceptor] = [] {
        didSet { credentials.record(interceptors) }
    }
    /// The observers of what is sent, such as spans and metrics; none by default. Those of a service are called too.
    open var observers: [any ExchangeObserver] = []
    /// The policy that decides whether and when the request is sent again after a failure. `nil`, the default, means
    /// never. That of a service replaces it.
    ///
    /// It comes before ``asynchronousHeaders`` and ``interceptors``, so that each attempt passes through them.
    open var retryPolicy: RetryPolicy?
    /// The hook that is called once before the request is sent and once with its outcome; `nil` by default. That of a
    /// service replaces it. It comes before ``retryPolicy``.
    open var hook: RequestHook?
    /// The closure that returns header fields which must be awaited, such as a token from a keychain; `nil` by default.
    ///
    /// It is called when the request is sent, and for each further attempt of a retry. Fields of ``headers`` replace
    /// its fields. The closure captures `Sendable` values, because it may run after the request object was released.
    open var asynchronousHeaders: AsynchronousHeaderFields?

    /// The decoder that `decode(_:)` uses for responses of this API. `nil`, the default, means the service's, or else a
    /// ``/ErrandJSON/FastJSONDecoder``.
    open var decoder: (any DataDecoder)?
    /// The encoder that `.json(_:)` uses for bodies of this API. `nil`, the default, means the service's, or else a
    /// ``/ErrandJSON/FastJSONEncoder``.
    open var encoder: (any DataEncoder)?
    /// The accepted status codes. `nil`, the default, means the service's, or else that operators judge the status. A
    /// status outside 200 to 299 that nothing accepts then fails `decode(_:)`, `decodeVoid()`, streams and pages.
    ///
    /// A leaf can widen or narrow what its class accepts:
    ///
    /// ```swift
    /// acceptedStatusCodes?.insert(404)
    /// ```
    ///
    /// Any other status fails with ``ErrandError/Code-swift.struct/unacceptableStatusCode``, as
    /// ``Pipeline/validateStatusCode(in:)`` does.
    open var acceptedStatusCodes: StatusCodes?
    /// The accepted media types of response bodies, including ranges such as `application/*` and `*/*+json`. `nil`, the
    /// default, means the service's, or else every type.
    ///
    /// Any other type fails with ``ErrandError/Code-swift.struct/unacceptableContentType``. A response without a body
    /// is accepted.
    open var acceptedContentTypes: [ContentType]?

    /// The base URL of the API. ``path`` and ``query`` are appended to its own path and query.
    open var baseURL: URL?
    /// The complete URL of this request, which replaces ``baseURL``; `nil` by default. ``path`` and ``query`` are
    /// appended to its own.
    ///
    /// The header fields and the interceptors of the class apply to it too. If they contain secrets, the URL must be
    /// one that may receive them. Those of a service do not apply if its base URL has another origin.
    open var url: URL?
    /// The HTTP method; GET by default.
    open var method = RequestMethod.get
    /// The path, appended to that of the base URL, with or without a leading slash. A value interpolated into it stays
    /// one segment.
    open var path: RequestPath = ""
    /// The query items, in order, appended to the base URL's own.
    open var query: URLQuery = [:]
    /// The page of a list to request. `nil`, the default, requests no page. ``Pages`` sets it for each page.
    ///
    /// ```swift
    /// request.pagePosition = PaginationStyle.pageNumber(size: 50, startingAt: 3).firstPosition
    /// ```
    ///
    /// Its query items replace those of the same name in ``query``, ``url`` and ``baseURL``. A position from a link is
    /// a complete URL, which replaces base URL, path and query.
    ///
    /// A link to another origin than that of the base URL fails with
    /// ``ErrandError/Code-swift.struct/invalidPagination`` when the request is started, because the API's class may add
    /// credentials to its requests. The style can declare other origins as trusted.
    open var pagePosition: PagePosition?
    /// The header fields. Set them, or override the property to compute them.
    ///
    /// In a leaf, add to those of the class with `headers["Accept"] = "text/csv"`. An assignment of all fields replaces
    /// those of the class.
    open var headers = HeaderFields() {
        didSet { credentials.record(headers) }
    }
    /// The body; empty by default. Set it, or override the property to compute it.
    ///
    /// ``buildURLRequest()`` encodes it, unless ``RequestBody/encodedWhenSent()`` defers the encoding.
    /// ``startRequest()`` also defers it for a long value. A `Content-Type` in ``headers`` replaces the body's own. The
    /// type of a multipart body gets the boundary; another type than a multipart one fails the request.
    open var body = RequestBody.empty
    /// The rule that decides what an ``HTTPCache`` or a ``TimedCache`` among the ``interceptors`` may return;
    /// `useProtocolCachePolicy` by default. Without such an interceptor, Errand caches nothing.
    ///
    /// If this property, or one of the five after it, is `nil`, that of the service applies, and else the default.
    open var cachePolicy: URLRequest.CachePolicy?
    /// The maximum time that the transfer may make no progress, in seconds; greater than zero, 60 by default.
    ///
    /// The request then fails with ``ErrandError/Code-swift.struct/timedOut``. To limit the time of the whole request,
    /// use ``resourceTimeout``. A value above a week counts as a week. Zero, a negative value and NaN fail the request
    /// with ``ErrandError/Code-swift.struct/invalidTimeout``.
    open var timeoutInterval: TimeInterval?
    /// The maximum time of the whole request, including redirects. By default, the limit of the transport applies.
    ///
    /// With a ``retryPolicy``, it limits all attempts together, including the waits between them. The time of custom
    /// closures and interceptors does not count, except that of ``asynchronousHeaders``, of a token refresh, and of
    /// earlier attempts. To limit all of this time, a pipeline's `retry(_:)` and the decoding too, use
    /// `timeout(_:clock:)`.
    open var resourceTimeout: Duration?
    /// The maximum size of the response body in bytes, after decompression; 64 MiB by default. Streams and downloads
    /// have no such limit.
    ///
    /// A larger body stops the transfer, which fails with ``ErrandError/Code-swift.struct/transportFailed`` and
    /// `URLError.dataLengthExceedsMaximum`. This includes a small compressed body that expands beyond the limit.
    open var maximumBodySize: Int?
    /// The policy for redirects. They are followed by default.
    open var redirectPolicy: RedirectPolicy?
    /// The priority of the request when several requests wait for a connection; `normal` by default.
    open var priority: RequestPriority?

    /// The default of ``maximumBodySize``: 64 MiB.
    public static let defaultMaximumBodySize = TransportRequest.defaultMaximumBodySize

    /// The request that was built last, even if a check then rejected it; `nil` before ``startRequest()``, and if
    /// ``buildURLRequest()`` failed.
    public internal(set) var request: URLRequest?
    /// What that request calls.
    var called: CalledOperation?
    /// The progress of sending the request body.
    public var uploadProgress: TransferProgress { TransferProgress(counts, .up) }
    /// The progress of receiving the response body.
    public var downloadProgress: TransferProgress { TransferProgress(counts, .down) }
    /// A response that replaces the transport's in tests; see `stubJSONResponse(statusCode:data:headers:)`.
    ///
    /// The request is still built and checked, and the response validated and decoded. Set it before the start: a run
    /// whose stub was set later fails with ``ErrandError/Code-swift.struct/invalidSetting``.
    public var dataTaskPipeline: Pipeline<DataResponse, any Error>? {
        didSet { counts.countStubChange() }
    }
    /// A transport that replaces the session in tests if the request is an upgrade, such as to a WebSocket.
    package var upgradeStub: (any Transport)? {
        didSet { counts.countStubChange() }
    }

    /// The byte counts of both bodies, and the number of changes of the stubs.
    let counts = TransferCounts()
    /// The credentials that ``interceptors`` and ``headers`` once had.
    private(set) var credentials = CredentialsOnceSet()
    /// The start in progress, because ``startRequest()`` and ``buildURLRequest()`` have no parameters.
    var starting: StartInProgress?
    /// The stream that an override of ``buildURLRequest()`` set in the request, and the body created from it. The same
    /// stream must become the same body, so that it is read only once.
    var streamFromOverride: (stream: InputStream, body: BodyStream)?

    /// Creates a GET request for the base URL.
    public init() {}

    /// Builds the `URLRequest` to send. Override it to change the result of `super`.
    ///
    /// ``startRequest()`` calls it once for each start, on the caller's thread. Values that a
    /// ``/ErrandJSON/FastJSONEncoder`` encodes, except patches, and data to compress are then not encoded yet if they
    /// have more than 32 KiB. For a body that is not data yet, `httpBodyStream` is an empty stream that stands for it.
    /// Interceptors, and the `willSend` of a hook, see the whole body.
    ///
    /// - Throws: ``ErrandError`` for invalid settings, and for a body that cannot be encoded.
    open func buildURLRequest() throws -> URLRequest {
        try builtURLRequest()
    }

    /// Builds the request and returns a pipeline that sends it when it runs. Override it to validate every response.
    ///
    /// Prefer the settings ``acceptedStatusCodes`` and ``acceptedContentTypes``, which every kind of request uses. A
    /// retry does not see the operators that an override adds. They do not apply to the handshake of a WebSocket
    /// either, which this method does not start.
    ///
    /// - Returns: A pipeline of the response, with any status unless ``acceptedStatusCodes`` restricts it. `map`
    ///   receives every such response. It fails with an ``ErrandError``, or with the error of a user's closure or
    ///   override, converted by ``mapError(_:)``.
    open func startRequest() -> Pipeline<DataResponse, any Error> {
        // A leaf that calls this method in place of `sendRequest()` has not begun a start.
        guard case .building(let start, _) = starting else {
            let start = Start(.response, of: self)
            return planned(start).pipeline.mapError(start.conversion)
        }
        return planned(start).pipeline
    }

    /// Builds the request and returns its pipeline, with all settings applied. A leaf's ``Request/start()`` begins with
    /// it.
    ///
    /// ``mapError(_:)`` converts its failures. Called by an override of ``startRequest()``, it fails with
    /// ``ErrandError/Code-swift.struct/invalidSetting``.
    public final func sendRequest() -> Pipeline<DataResponse, any Error> {
        converted(Start(.response, of: self))
    }

    /// Converts a failure of this class's requests into the API's own error. By default, returns it unchanged.
    ///
    /// ```swift
    /// override class func mapError(_ error: any Error) -> any Error { LibraryError(error) }
    /// ```
    ///
    /// It is called once for each failure of a request, after retries and interceptors: for ``sendRequest()`` with the
    /// operators that an override of ``startRequest()`` adds, for ``startRequest()`` itself if a leaf calls it, for
    /// streams with their bodies and events, for downloads, and for WebSockets.
    ///
    /// Later operators, such as `decode(_:)`, fail with their own errors. A service's `mapError` receives the result.
    /// It is a class method, because a request may fail after the request object was released.
    open class func mapError(_ error: any Error) -> any Error { error }
}
