/// What makes requests identical: those of equal keys can share a transfer.
struct CoalescingKey: Hashable, Sendable {
    private let method: String
    private let url: URL
    /// By their names in small letters.
    private let fields: [String: String]
    private let followsRedirects: Bool
    private let maximumBodySize: Int
    private let timeoutInterval: TimeInterval
    private let resourceTimeout: Duration?
    private let cachePolicy: URLRequest.CachePolicy
    private let digestCredential: PasswordCredential?

    /// - Returns: Nil for a request that cannot be shared: with a body, not safe, or with redirects that a closure decides.
    init?(_ request: TransportRequest) {
        let urlRequest = request.urlRequest
        method = urlRequest.httpMethod ?? "GET"
        guard let url = urlRequest.url, method == "GET" || method == "HEAD",
            request.bodyStream == nil, urlRequest.httpBody == nil, urlRequest.httpBodyStream == nil
        else { return nil }
        switch request.redirectPolicy {
        case .follow: followsRedirects = true
        case .ignore: followsRedirects = false
        case .decide: return nil
        }
        self.url = url
        let named = (urlRequest.allHTTPHeaderFields ?? [:]).map { ($0.key.lowercased(), $0.value) }
        fields = Dictionary(named) { "\($0), \($1)" }
        maximumBodySize = request.maximumBodySize
        timeoutInterval = urlRequest.timeoutInterval
        resourceTimeout = request.resourceTimeout
        cachePolicy = urlRequest.cachePolicy
        digestCredential = request.digestCredential
    }
}
