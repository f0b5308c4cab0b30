/// An interceptor that sends a key with every request, in a header field or in the query.
///
/// ```swift
/// interceptors = [APIKeyAuthentication(key, in: .header("X-Api-Key"))]
/// interceptors = [APIKeyAuthentication(key, in: .query("api_key"))]
/// ```
///
/// A request that already has a field or an item of that name is sent unchanged. A redirect to another origin does not
/// receive the field. A query item is dropped at any redirect, because the server specifies the complete new URL.
///
/// Prefer a header field, because servers and proxies write URLs into their logs. Errand's own output never shows the
/// value.
public struct APIKeyAuthentication: Interceptor {
    /// The place in the request for a key.
    public enum Placement: Hashable, Sendable {
        /// A header field of this name.
        case header(String)
        /// A query item of this name.
        case query(String)
    }

    private let key: Result<Secret, ErrandError>
    private let placement: Placement

    /// Creates an interceptor for a key.
    ///
    /// - Parameters:
    ///   - key: The key. An empty key, or one with a control character, fails each request with
    ///     ``ErrandError/Code-swift.struct/invalidCredential``.
    ///   - placement: The place for the key. An invalid name fails each request in the same way. So does the name of a
    ///     field that describes the body or the accepted responses: such fields are printed, and sent to other origins.
    public init(_ key: String, in placement: Placement) {
        self.placement = placement
        self.key = Result { () throws(ErrandError) in
            try placement.check()
            if key.isEmpty || key.hasControlCharacter {
                throw ErrandError(.invalidCredential, reason: "the key is empty, or has a control character")
            }
            return Secret(key)
        }
    }

    /// Adds the key, unless the request has a field or an item of that name.
    ///
    /// - Throws: ``ErrandError`` with `invalidCredential`, or the error of `next`.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        var request = request
        // Later interceptors need this to distinguish users, regardless of which code set the field.
        switch placement {
        case .header(let name): request.credentialFields.insert(name.lowercased())
        case .query(let name): request.credentialQueryNames.insert(name)
        }
        if placement.isTaken(in: request.urlRequest) { return try await next(request) }
        let key = try key.get(for: request).text
        switch placement {
        case .header(let name):
            request.urlRequest.setHeaderField(name, key)
        case .query(let name):
            let item = URLQueryItem(name: name, value: key)
            request.urlRequest.url = try RequestURL(base: request.urlRequest.url, path: "", query: URLQuery([item]))
                .resolved()
        }
        return try await next(request)
    }
}

extension APIKeyAuthentication.Placement {
    fileprivate func check() throws(ErrandError) {
        switch self {
        case .header(let name) where !name.isHTTPToken:
            throw ErrandError(.invalidCredential, reason: "the name of the key's header field is not a valid token")
        case .header(let name) where name.isHarmlessFieldName || name.isSentToOtherOrigins:
            throw ErrandError(
                .invalidCredential,
                reason: "the header field \(name) must not contain a key: it is logged or sent to other origins")
        case .query(let name) where name.isEmpty:
            throw ErrandError(.invalidCredential, reason: "the name of the key's query item is empty")
        case .header, .query:
            break
        }
    }

    fileprivate func isTaken(in request: URLRequest) -> Bool {
        switch self {
        case .header(let name):
            return request.value(forHTTPHeaderField: name) != nil
        case .query(let name):
            let components = request.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
            return components?.queryItems?.contains { $0.name == name } == true
        }
    }
}
