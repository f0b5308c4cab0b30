/// Everything that decides which response a user may get: the request, the credentials and the transport. It is the
/// ``TransportRequest/identity`` of a request.
///
/// `TimedCache` and `Coalescing` compare this value, and may compare further properties too. `HTTPCache` stores
/// responses for longer than a process, so it compares the resource, the ``TransportRequest/userTexts``, and the fields
/// that the server's `Vary` names, and stores nothing that a redirect has led to.
package struct RequestIdentity: Hashable, Sendable {
    /// The method; GET if the request has none.
    package let method: String
    private let url: URL
    /// The header fields by lowercase name, without trace fields, which are different for each request. Fields whose
    /// names differ only in case are joined.
    private let fields: [String: String]
    private let followsRedirects: Bool
    /// The owners of the actions at redirects, such as cookie jars. Each of them may add the fields of a user to the
    /// next request, and must see the responses to its requests.
    private let redirectHooks: [ObjectReference]
    private let digestCredential: PasswordCredential?
    /// `nil` if the transport is not known.
    private let transport: TransportIdentity?
    private let clientCertificate: String?
    /// The users for whom interceptors sign.
    private let signingUsers: [String]

    fileprivate init?(_ request: TransportRequest) {
        let urlRequest = request.urlRequest
        transport = request.sender
        guard let url = urlRequest.url, transport?.isComparable ?? true, !request.mayGainCredentials,
            request.bodyStream == nil, urlRequest.httpBody == nil, urlRequest.httpBodyStream == nil,
            let followsRedirects = request.redirectPolicy.isFollowing
        else { return nil }
        method = urlRequest.httpMethod ?? "GET"
        self.url = url
        self.followsRedirects = followsRedirects
        let fields = (urlRequest.allHTTPHeaderFields ?? [:]).map { ($0.key.lowercased(), $0.value) }
        self.fields = Dictionary(fields.filter { !TraceContext.fieldNames.contains($0.0) }) { "\($0), \($1)" }
        redirectHooks = request.redirectHooks.map(\.owner)
        digestCredential = request.digestCredential
        clientCertificate = request.clientCertificate
        signingUsers = request.signingUsers
    }
}

extension TransportRequest {
    /// The identity of the request, by which responses may be shared; see ``RequestIdentity``.
    ///
    /// It is `nil` for a request whose response cannot be shared: one with a body; one to which credentials may be
    /// added later; one for which a closure decides about redirects, because two closures may decide differently; one
    /// over a transport that cannot be compared, because two values of it may send with different identities.
    package var identity: RequestIdentity? { RequestIdentity(self) }

    /// The part of the identity that separates one user's responses from another's, as texts that may be secret: the
    /// header fields that a redirect to another origin would drop, except those that are different for each request;
    /// the user info of the URL; the credential for Digest; the client certificate; the users for whom interceptors
    /// sign.
    var userTexts: [String] {
        let fields = (urlRequest.allHTTPHeaderFields ?? [:]).map { ($0.key.lowercased(), $0.value) }
            .filter { !$0.0.isSentToOtherOrigins && !Self.fieldsOfEachRequest.contains($0.0) }
            .sorted { $0.0 < $1.0 }
        let (url, digest) = (urlRequest.url, digestCredential)
        let others = [url?.user, url?.password, digest?.user, digest?.password, clientCertificate]
        let users = ["\(signingUsers.count) users"] + signingUsers
        return others.flatMap { $0.map { ["some", $0] } ?? ["none"] } + users + fields.flatMap { [$0.0, $0.1] }
    }

    /// The fields that are different for each request, and that are not credentials.
    private static let fieldsOfEachRequest = TraceContext.fieldNames
        .union(["idempotency-key", "request-id", "x-correlation-id", "x-request-id"])
}

extension RedirectPolicy {
    /// Whether redirects are followed; `nil` if a closure decides.
    fileprivate var isFollowing: Bool? {
        switch self {
        case .follow: true
        case .ignore: false
        case .decide: nil
        }
    }
}
