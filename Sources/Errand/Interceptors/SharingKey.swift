/// The properties that requests must have in common to share one transfer.
struct SharingKey: Hashable, Sendable {
    private enum Redirects: Hashable, Sendable {
        case followed, ignored, decided
    }

    /// The header fields by lowercase name, without trace fields, which are different for each request.
    private let fields: [String: String]
    private let redirects: Redirects
    private let maximumBodySize: Int
    private let timeoutInterval: TimeInterval
    private let resourceTimeout: Duration?
    private let cachePolicy: URLRequest.CachePolicy
    private let digestCredential: PasswordCredential?
    private let clientCertificate: String?
    private let transport: TransportIdentity?
    /// The cookie jars: each request must receive the cookies of its jar.
    private let redirectHooks: [ObjectIdentifier]

    init(_ request: TransportRequest) {
        let urlRequest = request.urlRequest
        let named = (urlRequest.allHTTPHeaderFields ?? [:]).map { ($0.key.lowercased(), $0.value) }
            .filter { !TraceContext.fieldNames.contains($0.0) }
        fields = Dictionary(named) { "\($0), \($1)" }
        redirects =
            switch request.redirectPolicy {
            case .follow: .followed
            case .ignore: .ignored
            case .decide: .decided
            }
        maximumBodySize = request.maximumBodySize
        timeoutInterval = urlRequest.timeoutInterval
        resourceTimeout = request.resourceTimeout
        cachePolicy = urlRequest.cachePolicy
        digestCredential = request.digestCredential
        clientCertificate = request.clientCertificate
        transport = request[TransportIdentity.self]
        redirectHooks = request.redirectHooks.map(\.owner)
    }

    /// Whether requests with equal terms can share one transfer. Two closures may decide differently on redirects, and
    /// two values of a transport may send with different identities.
    var canBeShared: Bool { redirects != .decided && transport?.isComparable ?? true }
}
