/// The identity of a request. Requests with equal keys can share a transfer.
struct CoalescingKey: Hashable, Sendable {
    private let method: String
    private let url: URL
    /// The header fields by lowercase name, without trace fields, which are different for each request.
    private let fields: [String: String]
    private let followsRedirects: Bool
    private let maximumBodySize: Int
    private let timeoutInterval: TimeInterval
    private let resourceTimeout: Duration?
    private let cachePolicy: URLRequest.CachePolicy
    private let digestCredential: PasswordCredential?
    private let clientCertificate: String?
    private let transport: TransportIdentity?
    private let priority: RequestPriority
    /// The cookie jars: each request must receive the cookies of its jar.
    private let redirectHooks: [ObjectIdentifier]

    /// - Returns: `nil` for a request that cannot be shared: with a body, with an unsafe method, or with redirects that
    ///   a closure decides. Two closures may decide differently, and two values of a transport may send with different
    ///   identities.
    init?(_ request: TransportRequest) {
        let urlRequest = request.urlRequest
        method = urlRequest.httpMethod ?? "GET"
        transport = request[TransportIdentity.self]
        priority = request.priority
        switch request.redirectPolicy {
        case .follow: followsRedirects = true
        case .ignore: followsRedirects = false
        case .decide: return nil
        }
        guard let url = urlRequest.url, method == "GET" || method == "HEAD", transport?.isComparable ?? true,
            request.bodyStream == nil, urlRequest.httpBody == nil, urlRequest.httpBodyStream == nil
        else { return nil }
        self.url = url
        let named = (urlRequest.allHTTPHeaderFields ?? [:]).map { ($0.key.lowercased(), $0.value) }
            .filter { !TraceContext.fieldNames.contains($0.0) }
        fields = Dictionary(named) { "\($0), \($1)" }
        maximumBodySize = request.maximumBodySize
        timeoutInterval = urlRequest.timeoutInterval
        resourceTimeout = request.resourceTimeout
        cachePolicy = urlRequest.cachePolicy
        digestCredential = request.digestCredential
        clientCertificate = request.clientCertificate
        redirectHooks = request.redirectHooks.map(\.owner)
    }
}
