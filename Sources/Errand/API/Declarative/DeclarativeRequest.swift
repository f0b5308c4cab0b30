/// A request as a plain value, which declares the data to send and how to decode the response. A service provides the
/// destination.
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
/// Everything except `Output` has a default: a GET request for the service's base URL, whose response must have a
/// status from 200 to 299. ``decode(_:)`` creates the output. For `Void`, `Data`, `String` and `Decodable` outputs, it
/// has a default too.
///
/// ``RequestSettings`` declares the properties that a request and a service have in common. A property accepts several
/// types, such as `String` for a path or `[String: String]` for header fields. If its type does not fit, the request
/// fails with ``ErrandError/Code-swift.struct/invalidSetting``.
///
/// A leaf of an API class is an object that inherits the settings of its API and can have operators. In contrast, a
/// declarative request is a `Sendable` value that takes its settings from an ``APIService``. Both share their
/// implementation, with the same checks, interceptors, stubs and errors.
public protocol DeclarativeRequest<Output>: RequestSettings, RequestMethodNames, Stubbable {
    /// The document with which the server describes a failure, such as ``ProblemDetails``; none by default. An error
    /// with an unacceptable status provides it as ``ErrandError/payload(as:)``.
    associatedtype ErrorDocument: Decodable & Sendable = Never

    /// The HTTP method; GET by default.
    @_nonoverride var method: MethodSetting { get }
    /// The complete URL, which replaces the base URL and ``path``; `nil` by default.
    ///
    /// ``query`` is appended to its own query. The header fields and the interceptors of the service apply to it too.
    /// If they contain secrets, the URL must be one that may receive them.
    @_nonoverride var url: URLSetting { get }
    /// The path, appended to that of the base URL; empty by default.
    @_nonoverride var path: PathSetting { get }
    /// The query; empty by default.
    @_nonoverride var query: QuerySetting { get }
    /// The page to request; `nil` by default. See ``APIBase/pagePosition`` and ``Pages``.
    @_nonoverride var pagePosition: PagePositionSetting { get }
    /// Header fields for all requests of a kind; none by default, and `Accept` for a ``JSONRequest``.
    /// ``RequestSettings/headers`` replace them.
    @_nonoverride var defaultHeaders: DefaultHeadersSetting { get }
    /// The body; empty by default. The default body of a ``JSONRequest`` is its payload.
    ///
    /// It is encoded each time the request is sent, before ``prepare(_:)`` and outside the caller's actor.
    @_nonoverride var body: BodySetting { get }

    /// Checks the values of the request before it is sent. By default, does nothing.
    ///
    /// - Throws: The error with which the request fails. Nothing is sent.
    func validate() async throws

    /// Changes the request after all other settings were applied. By default, does nothing.
    ///
    /// The result is checked like any other request. The method is called once each time the request is sent, before
    /// the interceptors, and not for each attempt of a ``RetryPolicy``. A WebSocket calls the method for each
    /// connection. To send a stream, set it as ``body``, not in the request here.
    ///
    /// - Throws: The error with which the request fails. Nothing is sent.
    func prepare(_ request: inout URLRequest) async throws

    /// Creates the output from a response with an accepted status.
    ///
    /// - Throws: The error with which the request fails. ``DataResponse/decode(_:decoder:)`` and
    ///   ``DataResponse/text()`` throw errors that describe the response.
    @_nonoverride func decode(_ response: DataResponse) throws -> Output

    /// A method of this name does not compile: it belongs to a service.
    @_nonoverride func asynchronousHeaders() -> NoSetting
    /// A method of this name does not compile: ``RequestSettings/headers`` is a property.
    @_nonoverride func headers() -> NoSetting
}
