/// What requests for the same have to have in common for one transfer to do for all of them.
struct TransferTerms: Hashable, Sendable {
    private enum Redirects: Hashable, Sendable {
        case followed, ignored, decided
    }

    /// By their names in small letters, without those of a trace, of which each request has its own.
    private let fields: [String: String]
    private let redirects: Redirects
    private let maximumBodySize: Int
    private let timeoutInterval: TimeInterval
    private let resourceTimeout: Duration?
    private let cachePolicy: URLRequest.CachePolicy
    private let digestCredential: PasswordCredential?
    private let clientCertificate: String?
    private let transport: TransportIdentity?
    /// Of requests with different cookie jars, each has to get its own cookies.
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

    /// Whether equal terms mean that one transfer is enough for several requests. Two closures may decide differently on redirects,
    /// and two values of a transport may send with different identities.
    var canBeShared: Bool { redirects != .decided && transport?.isComparable ?? true }
}
