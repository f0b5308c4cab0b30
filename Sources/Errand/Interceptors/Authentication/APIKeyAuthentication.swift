/// Sends a key with every request, in a header field or in the query, as many APIs ask for it.
///
/// ```swift
/// interceptors = [APIKeyAuthentication(key, in: .header("X-Api-Key"))]
/// interceptors = [APIKeyAuthentication(key, in: .query("api_key"))]
/// ```
///
/// A request that has a field or an item of that name itself is sent as it is. Where a redirect leads to another origin, the
/// field stays behind; an item of the query stays behind at any redirect, since the server names the whole new URL.
///
/// Servers and proxies write URLs into their logs, so a header field is the better place where there is a choice. What
/// Errand prints never shows the value of either.
public struct APIKeyAuthentication: Interceptor {
    /// Where a key goes.
    public enum Placement: Hashable, Sendable {
        /// In a header field of this name.
        case header(String)
        /// In an item of the query of this name.
        case query(String)
    }

    private let key: Result<Secret, ErrandError>
    private let placement: Placement

    /// - Parameters:
    ///   - key: The key. An empty one, or one with a control character, fails each request with
    ///     ``ErrandError/Code-swift.struct/invalidCredential``.
    ///   - placement: Where it goes. A name that is none, and a field that says what the body is or what is accepted, fail
    ///     each request in the same way: such fields are printed, and sent to other origins.
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
    /// - Throws: ``ErrandError`` with `invalidCredential`; whatever `next` throws.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        var request = request
        // What is behind this is to tell users apart, whoever set the field.
        switch placement {
        case .header(let name): request.credentialFields.insert(name.lowercased())
        case .query(let name): request.credentialQueryNames.insert(name)
        }
        if placement.isTaken(in: request.urlRequest) { return try await next(request) }
        let key = try key.get(for: request).text
        switch placement {
        case .header(let name):
            request.urlRequest.setValue(key, forHTTPHeaderField: name)
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
            throw ErrandError(.invalidCredential, reason: "the name of the key's field is no token")
        case .header(let name) where name.isHarmlessFieldName || name.isSentToOtherOrigins:
            throw ErrandError(.invalidCredential, reason: "a field of this name is no place for a secret")
        case .query(let name) where name.isEmpty:
            throw ErrandError(.invalidCredential, reason: "the key's query item has no name")
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
