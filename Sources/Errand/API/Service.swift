/// Where requests go and under what terms, apart from what they ask: production, staging, a test server.
///
/// ```swift
/// struct Staging: Service {
///     let baseURL = URL(string: "https://staging.example.com")
/// }
///
/// let response = UsersRequest().schedule(with: Staging())
/// ```
public protocol Service: Sendable {
    /// Takes the place of the request's base URL; nil leaves it.
    var baseURL: URL? { get }
    /// Sent with every request, where the request has no field of that name itself.
    var headers: HTTPHeaders { get }
    /// Takes the place of the request's session; nil leaves it.
    var session: (any Transport)? { get }
}

extension Service {
    /// The request's own.
    public var baseURL: URL? { nil }
    /// None.
    public var headers: HTTPHeaders { [:] }
    /// The request's own.
    public var session: (any Transport)? { nil }
}
