/// Everything that decides which response a user may get: the request, the credentials and the transport.
///
/// Interceptors that share a response among requests compare this value. They may compare further properties too.
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

    /// - Returns: `nil` for a request whose response cannot be shared: one with a body; one to which credentials may be
    ///   added later; one for which a closure decides about redirects, because two closures may decide differently; one
    ///   over a transport that cannot be compared, because two values of it may send with different identities.
    package init?(_ request: TransportRequest) {
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
