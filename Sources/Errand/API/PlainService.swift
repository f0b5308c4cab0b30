/// A service as a plain value, without its own type.
///
/// ```swift
/// let staging = PlainService(baseURL: "staging.example.com", headers: ["X-Tenant": "acme"])
/// let users = try await UsersRequest().schedule(with: staging).value
/// ```
public struct PlainService: APIService {
    /// The base URL of the API, with or without a scheme; `nil` keeps the API class's.
    public var baseURL: String?
    /// Whether a base URL without a scheme gets `https`, or `http` if `false`.
    public var isSecure: Bool
    /// Header fields of every request.
    public var headers: HeaderFields
    /// The transport that sends the request; `nil` keeps the API class's.
    public var session: (any Transport)?
    /// Interceptors that are added after those of the API, or replace them.
    public var interceptors: InterceptorList
    /// The policy that decides whether and when a request is sent again; `nil` keeps the API class's.
    public var retryPolicy: RetryPolicy?
    /// The hook that is called before and after the request; `nil` keeps the API class's.
    public var hook: (any RequestHook)?
    /// The maximum time in seconds that the transfer may make no progress, for requests that do not set it; `nil` keeps
    /// the default.
    public var timeoutInterval: TimeInterval?
    /// The maximum time of the whole request, for requests that do not set it; `nil` keeps the default.
    public var resourceTimeout: Duration?
    private let fields: @Sendable () async throws -> HeaderFields

    /// Creates a service with these settings. The API class's settings apply for omitted ones.
    public init(
        baseURL: String? = nil, isSecure: Bool = true, headers: HeaderFields = [:], session: (any Transport)? = nil,
        interceptors: InterceptorList = [], retryPolicy: RetryPolicy? = nil, hook: (any RequestHook)? = nil,
        timeoutInterval: TimeInterval? = nil, resourceTimeout: Duration? = nil,
        asynchronousHeaders: @escaping @Sendable () async throws -> HeaderFields = { [:] }
    ) {
        self.baseURL = baseURL
        self.isSecure = isSecure
        self.headers = headers
        self.session = session
        self.interceptors = interceptors
        self.retryPolicy = retryPolicy
        self.hook = hook
        self.timeoutInterval = timeoutInterval
        self.resourceTimeout = resourceTimeout
        fields = asynchronousHeaders
    }

    /// Returns the fields of the closure.
    public func asynchronousHeaders() async throws -> HeaderFields { try await fields() }
}

extension PlainService: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The base URL without secrets, and the names of the header fields.
    public var description: String {
        let url = baseURL.map { URL(lenient: $0.withScheme(isSecure: isSecure))?.redacted.absoluteString ?? "no URL" }
        return "PlainService(\(url ?? "no base URL"), headers: \(headers))"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }
    /// A mirror with only the description, so that `dump` shows no secret either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
