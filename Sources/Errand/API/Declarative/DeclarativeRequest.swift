/// A request as a plain value: what it sends, and what its response means. A service says where it goes.
///
/// ```swift
/// struct BookRequest: DeclarativeRequest {
///     typealias Output = Book
///     let id: Int
///     var path: RequestPath { "/books/\(id)" }
/// }
///
/// let book = try await BookRequest(id: 7).schedule(with: Library()).value
/// ```
///
/// Everything but `Output` has a default: a GET of the service's base URL, whose response must have a status of 200 to 299.
/// ``decode(_:)`` makes the output; for `Void`, `Data`, `String` and `Decodable` outputs it has a default too. What it has in
/// common with a service is in ``RequestSettings``. A property may have any type that says the same, such as `String` for a
/// path or `[String: String]` for header fields; one that does not fit fails the request with
/// ``ErrandError/Code-swift.struct/invalidSetting``.
///
/// Unlike a leaf of an API class, which is an object, inherits the settings of its API and can have operators, this is a
/// `Sendable` value that takes its settings from an ``APIService``. The implementation is the same, and so are checks,
/// interceptors, stubs and errors.
public protocol DeclarativeRequest<Output>: RequestSettings, Stubbable {
    /// What the request returns.
    associatedtype Output: Sendable
    /// The document that the server describes a failure with, such as ``ProblemDetails``; none by default. It is the
    /// ``ErrandError/payload(as:)`` of an error with an unacceptable status.
    associatedtype ErrorDocument: Decodable & Sendable = NoErrorDocument
    /// The type of ``method``: ``RequestMethod`` or `String`.
    associatedtype MethodSetting = RequestMethod
    /// The type of ``url``: `URL`, `String`, or an optional of these.
    associatedtype URLSetting = URL?
    /// The type of ``path``: ``RequestPath``, `String`, or an array of segments.
    associatedtype PathSetting = RequestPath
    /// The type of ``query``: ``URLQuery``, `[URLQueryItem]`, or a dictionary of values that a query can have.
    associatedtype QuerySetting = URLQuery
    /// The type of ``pagePosition``: ``PagePosition``, or an optional of it.
    associatedtype PagePositionSetting = PagePosition?
    /// The type of ``defaultHeaders``: ``HeaderFields`` or `[String: String]`.
    associatedtype DefaultHeadersSetting = HeaderFields
    /// The type of ``body``: ``RequestBody``, `String`, `Data`, or a value that the API's encoder encodes.
    associatedtype BodySetting: Sendable = RequestBody

    /// The method; GET by default.
    var method: MethodSetting { get }
    /// The whole URL, in place of the base URL and of ``path``; `nil` by default.
    ///
    /// ``query`` is added to its own query. The header fields and the interceptors of the service apply to it too: where they
    /// are secret, the URL must be one that may receive them.
    var url: URLSetting { get }
    /// The path after the base URL; empty by default.
    var path: PathSetting { get }
    /// The query; empty by default.
    var query: QuerySetting { get }
    /// The page to ask for; `nil` by default. See ``APIBase/pagePosition`` and ``Pages``.
    var pagePosition: PagePositionSetting { get }
    /// Header fields for all requests of a kind, which ``RequestSettings/headers`` replace; none by default, and for a
    /// ``JSONRequest`` its `Accept`.
    var defaultHeaders: DefaultHeadersSetting { get }
    /// The body; empty by default.
    var body: BodySetting { get }

    /// Checks the values of the request before it is sent; does nothing by default.
    ///
    /// - Throws: What the request fails with; nothing is sent.
    func validate() async throws

    /// Changes the request after everything else is in it; does nothing by default.
    ///
    /// The result is checked like any other request. It is called once for each scheduling, not for each attempt, and before the
    /// interceptors. A stream is given as ``body``, and not put into the request here.
    ///
    /// - Throws: What the request fails with; nothing is sent.
    func prepare(_ request: inout URLRequest) async throws

    /// Makes the output of a response whose status is accepted.
    ///
    /// - Throws: What the request fails with; ``DataResponse/decode(_:decoder:)`` and ``DataResponse/text()`` throw
    ///   errors that describe the response.
    func decode(_ response: DataResponse) throws -> Output
}
