/// A request as a plain value: what it sends, and what it makes of the answer. A service says where it goes.
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
/// Everything but `Output` has a default: a GET of the service's base URL, whose answer must have a status of 200 to 299.
/// What it gives is decoded by ``decode(_:)``; for `Void`, `Data`, `String` and `Decodable` outputs that is there
/// too.
///
/// Unlike a leaf of an API class, which is an object, inherits what its API says and can be given operators, this is a
/// `Sendable` value that takes its terms from the ``Service``. Under it is the same implementation: checks, interceptors,
/// stubs and errors are the same.
public protocol DeclarativeRequest<Output>: Sendable, Stubbable {
    /// What the request gives.
    associatedtype Output: Sendable

    /// The method; GET by default.
    var method: HTTPMethod { get }
    /// The whole URL, in place of the service's base URL and of ``path``; nil by default.
    ///
    /// ``query`` goes behind its own query. The service's header fields are sent there too: where these are secret, the
    /// URL must be one that may have them.
    var url: URL? { get }
    /// The path behind the service's base URL; empty by default.
    var path: RequestPath { get }
    /// The query; empty by default.
    var query: Query { get }
    /// The page that is asked for, in place of what ``query`` or ``url`` say of it; nil by default. See ``Pages``.
    var page: PagePosition? { get }
    /// The header fields, which are sent over the service's; none by default.
    var headers: HTTPHeaders { get }
    /// Fields for all requests of a kind, which are sent where ``headers`` has none of that name; none by default, and
    /// for a ``JSONRequest`` its `Accept`.
    var defaultHeaders: HTTPHeaders { get }
    /// The body; empty by default.
    var body: RequestBody { get }
    /// The status codes of a good answer; 200 to 299 by default. Any other fails with
    /// ``ErrandError/Code-swift.struct/unacceptableStatusCode``.
    var acceptedStatusCodes: Range<Int> { get }
    /// Who goes first when requests wait for a connection.
    var priority: RequestPriority { get }
    /// What an ``HTTPCache`` among the service's interceptors may answer with.
    var cachePolicy: URLRequest.CachePolicy { get }
    /// How long the transfer may make no progress, in seconds above zero; 60 by default.
    var timeoutInterval: TimeInterval { get }
    /// How long one sending of the request may take in all, redirects included; nil, the default, leaves it to the
    /// transport.
    var resourceTimeout: Duration? { get }
    /// The most bytes that the answer's body may have, decoded; 64 MiB by default.
    var maximumBodySize: Int { get }
    /// What is done with redirects; they are followed by default.
    var redirectPolicy: RedirectPolicy { get }

    /// Checks the values of the request before anything is built or sent; does nothing by default.
    ///
    /// - Throws: What the request is to fail with.
    func validate() throws

    /// Changes the request at last, when all the rest is in it; does nothing by default.
    ///
    /// What it makes of it is checked as ever. It is called once for each scheduling, not for each sending.
    ///
    /// - Throws: What the request is to fail with; nothing is sent then.
    func prepare(_ request: inout URLRequest) throws

    /// Makes the output of an answer whose status is accepted.
    ///
    /// - Throws: What the request is to fail with; ``DataResponse/decode(_:decoder:)`` and ``DataResponse/text()`` throw
    ///   errors that know the answer.
    func decode(_ response: DataResponse) throws -> Output
}
