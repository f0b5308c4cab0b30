/// A service as a plain value, without a type of its own.
///
/// ```swift
/// let staging = PlainService(baseURL: "staging.example.com", headers: ["X-Tenant": "acme"])
/// let users = try await UsersRequest().schedule(with: staging).value
/// ```
public struct PlainService: APIService {
    /// Where the API is, with or without a scheme; `nil` says nothing.
    public var baseURL: String?
    /// Whether a base URL without a scheme gets `https` or `http`.
    public var isSecure: Bool
    /// Header fields of every request.
    public var headers: HeaderFields
    /// What carries the request; `nil` says nothing.
    public var session: (any Transport)?
    /// Interceptors after those of the API, or in place of them.
    public var interceptors: InterceptorList
    /// Whether and when a request is sent again; `nil` says nothing.
    public var retryPolicy: RetryPolicy?
    /// What is called before and after the request; `nil` says nothing.
    public var hook: (any RequestHook)?
    private let fields: @Sendable () async throws -> HeaderFields

    /// A service with these settings; what is left out says nothing.
    public init(
        baseURL: String? = nil, isSecure: Bool = true, headers: HeaderFields = [:], session: (any Transport)? = nil,
        interceptors: InterceptorList = [], retryPolicy: RetryPolicy? = nil, hook: (any RequestHook)? = nil,
        asynchronousHeaders: @escaping @Sendable () async throws -> HeaderFields = { [:] }
    ) {
        self.baseURL = baseURL
        self.isSecure = isSecure
        self.headers = headers
        self.session = session
        self.interceptors = interceptors
        self.retryPolicy = retryPolicy
        self.hook = hook
        fields = asynchronousHeaders
    }

    /// The fields that the closure returns.
    public func asynchronousHeaders() async throws -> HeaderFields { try await fields() }
}

extension PlainService: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The base URL without secrets, and the names of the header fields.
    public var description: String {
        let url = baseURL.map { URL(string: $0)?.redacted.absoluteString ?? "no URL" }
        return "PlainService(\(url ?? "no base URL"), headers: \(headers))"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The description alone, so that `dump` shows no secret either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
