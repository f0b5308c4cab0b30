/// Where requests go and under what terms, apart from what they ask: production, staging, a test server.
///
/// ```swift
/// struct Staging: Service {
///     let baseURL = "staging.example.com"
///     let headers: HTTPHeaders = ["X-Tenant": "acme"]
/// }
///
/// let response = UsersRequest().schedule(with: Staging())
/// ```
///
/// An API class is the service of its own requests: it has properties of the same names. What a service names takes the
/// place of what the class says, but for the header fields, which give way to the request's own: the request's over
/// ``asynchronousHeaders()`` over ``headers``.
public protocol Service<Failure>: Sendable {
    /// What requests to this service fail with; `any Error` unless ``mapError(_:)`` says otherwise.
    associatedtype Failure: Error = any Error
    /// A `URL`, a `String`, or an optional of these.
    associatedtype Base: BaseURLConvertible = URL?

    /// Takes the place of the request's base URL; nil leaves it.
    var baseURL: Base { get }
    /// Whether a base without a scheme is spoken to over TLS; true by default.
    var isSecure: Bool { get }
    /// Sent with every request, where the request has no field of that name itself.
    var headers: HTTPHeaders { get }
    /// Takes the place of the request's session; nil leaves it.
    var session: (any Transport)? { get }
    /// Takes the place of the request's interceptors; nil leaves them.
    ///
    /// An interceptor with a state of its own is stored in the service, not made anew by each call.
    var interceptors: [any Interceptor]? { get }
    /// Takes the place of the request's retry policy; nil leaves it, and ``RetryPolicy/never`` switches it off.
    var retryPolicy: RetryPolicy? { get }
    /// Takes the place of the request's hook; nil leaves it.
    var hook: (any Hook)? { get }

    /// Header fields that have to be waited for, such as a token from a keychain: asked for each time a request is sent.
    ///
    /// - Throws: What the request is to fail with; it is not sent then.
    func asynchronousHeaders() async throws -> HTTPHeaders
    /// Every failure of a request to this service, as the service's own error.
    func mapError(_ error: any Error) -> Failure
}

extension Service {
    /// A secure one.
    public var isSecure: Bool { true }
    /// None.
    public var headers: HTTPHeaders { [:] }
    /// The request's own.
    public var session: (any Transport)? { nil }
    /// The request's own.
    public var interceptors: [any Interceptor]? { nil }
    /// The request's own.
    public var retryPolicy: RetryPolicy? { nil }
    /// The request's own.
    public var hook: (any Hook)? { nil }
    /// None.
    public func asynchronousHeaders() async throws -> HTTPHeaders { [:] }
}

extension Service where Base == URL? {
    /// The request's own.
    public var baseURL: URL? { nil }
}

extension Service where Failure == any Error {
    /// The failure as it is.
    public func mapError(_ error: any Error) -> any Error { error }
}

/// What can say where an API is.
public protocol BaseURLConvertible: Sendable {
    /// The URL; nil for none.
    ///
    /// - Parameter isSecure: Whether `https` or `http` is put in front of a text without a scheme.
    /// - Throws: ``ErrandError`` with `invalidURL`.
    func baseURL(isSecure: Bool) throws -> URL?
}

extension URL: BaseURLConvertible {
    /// The URL itself.
    public func baseURL(isSecure: Bool) throws -> URL? { self }
}

extension String: BaseURLConvertible {
    /// `api.example.com/v1`, `localhost:8080` or a whole URL.
    public func baseURL(isSecure: Bool) throws -> URL? {
        let hasScheme = range(of: "^[A-Za-z][A-Za-z0-9+.-]*://", options: .regularExpression) != nil
        let text = hasScheme ? self : (isSecure ? "https://" : "http://") + self
        guard let url = URL(string: text) else { throw ErrandError(.invalidURL, reason: "the base URL is none") }
        return url
    }
}

extension Optional: BaseURLConvertible where Wrapped: BaseURLConvertible {
    /// What is wrapped, if anything.
    public func baseURL(isSecure: Bool) throws -> URL? { try self?.baseURL(isSecure: isSecure) }
}

extension Service {
    /// The base URL as a URL.
    func resolvedBaseURL() throws -> URL? { try baseURL.baseURL(isSecure: isSecure) }
}
