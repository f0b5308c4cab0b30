/// What answers are stored under: which resource, and for whom.
///
/// Both are digests (SHA-256, 64 hexadecimal digits), so that a store learns neither URLs nor credentials.
public struct CacheKey: Hashable, Sendable {
    /// The digest of the URL, without fragment and user info.
    public let resource: String
    /// The digest of what sets one user's answers apart from another's.
    public let partition: String

    /// A key as a store has written it down.
    public init(resource: String, partition: String) {
        self.resource = resource
        self.partition = partition
    }

    /// The key of a request.
    ///
    /// - Parameter partition: What sets users apart; nil takes what the request itself shows of them: each header field
    ///   that a redirect to another origin would not take along, the user info of the URL, the credential for Digest and
    ///   the client certificate.
    init(_ request: TransportRequest, url: URL, partition: String?) {
        resource = Self.resource(of: url)
        self.partition = SHA256.hexDigest(texts: partition.map { ["named", $0] } ?? Self.credentials(of: request, url))
    }

    /// The digest of a URL: the same for all ways of writing it that name the same (RFC 9110, section 4.2.3).
    static func resource(of url: URL) -> String {
        SHA256.hexDigest(texts: [normalized(url)])
    }

    /// Whether both are the same resource.
    static func isSame(_ one: URL, _ other: URL) -> Bool {
        one == other || normalized(one) == normalized(other)
    }

    private static func normalized(_ url: URL) -> String {
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return url.absoluteString }
        components.scheme = components.scheme?.lowercased()
        components.percentEncodedHost = components.percentEncodedHost?.lowercased()
        components.user = nil
        components.password = nil
        components.fragment = nil
        if components.port == (components.scheme == "https" ? 443 : 80) { components.port = nil }
        if components.percentEncodedPath.isEmpty { components.percentEncodedPath = "/" }
        return components.string ?? url.absoluteString
    }

    private static func credentials(of request: TransportRequest, _ url: URL) -> [String] {
        let fields = (request.urlRequest.allHTTPHeaderFields ?? [:]).map { ($0.key.lowercased(), $0.value) }
            .filter { !$0.0.isSentToOtherOrigins && !ofEachRequest.contains($0.0) }
            .sorted { $0.0 < $1.0 }
        let digest = request.digestCredential
        let others = [url.user, url.password, digest?.user, digest?.password, request.clientCertificate]
        return ["shown"] + others.flatMap { $0.map { ["some", $0] } ?? ["none"] } + fields.flatMap { [$0.0, $0.1] }
    }

    /// The fields of which each request has its own, and which are no credential.
    private static let ofEachRequest = Set(TraceContext.fieldNames)
        .union(["idempotency-key", "request-id", "x-correlation-id", "x-request-id"])
}
