/// The key of stored responses: the resource and the user.
///
/// Both are digests (SHA-256, 64 hexadecimal digits), so that a store receives neither URLs nor credentials.
public struct CacheKey: Hashable, Sendable {
    /// The digest of the URL, without fragment and user info.
    public let resource: String
    /// The digest of the values that separate one user's responses from another's.
    public let partition: String

    /// Creates a key from the values that a store has saved.
    public init(resource: String, partition: String) {
        self.resource = resource
        self.partition = partition
    }

    /// Creates the key of a request.
    ///
    /// - Parameter partition: A text that identifies the user. `nil` uses the request's own values: each header field
    ///   that a redirect to another origin would drop, the user info of the URL, the credential for Digest, and the
    ///   client certificate.
    init(_ request: TransportRequest, url: URL, partition: String?) {
        resource = Self.resource(of: url)
        self.partition = SHA256.hexDigest(texts: partition.map { ["named", $0] } ?? Self.credentials(of: request, url))
    }

    /// Returns the digest of a URL. It is equal for all equivalent forms of the URL (RFC 9110, section 4.2.3).
    static func resource(of url: URL) -> String {
        SHA256.hexDigest(texts: [normalized(url)])
    }

    /// Returns `true` if both URLs are the same resource.
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

    /// The fields that are different for each request, and that are not credentials.
    private static let ofEachRequest = Set(TraceContext.fieldNames)
        .union(["idempotency-key", "request-id", "x-correlation-id", "x-request-id"])
}
