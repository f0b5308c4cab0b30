/// An interceptor that sends a user and a password with every request: HTTP Basic (RFC 7617).
///
/// ```swift
/// interceptors = [BasicAuthentication(user: "ursula", password: password)]
/// ```
///
/// The password is sent unencrypted, so use it only over TLS. A request that already has an `Authorization` field is
/// sent unchanged. A redirect to another origin does not receive the field.
///
/// A user with a colon, or a user or password with a control character, fails each request with
/// ``ErrandError/Code-swift.struct/invalidCredential``, and nothing is sent.
public struct BasicAuthentication: Interceptor, Authenticating {
    private let credentials: Result<Secret, ErrandError>

    /// Creates an interceptor for a user and a password.
    ///
    /// - Parameters:
    ///   - user: The user, without a colon; sent in UTF-8, composed (NFC).
    ///   - password: The password, sent in the same way. It may be empty, and may contain colons.
    public init(user: String, password: String) {
        credentials = Result { () throws(ErrandError) in
            if user.utf8.contains(UInt8(ascii: ":")) {
                throw ErrandError(.invalidCredential, reason: "the user name must not contain a colon (RFC 7617)")
            }
            if user.hasControlCharacter || password.hasControlCharacter {
                throw ErrandError(.invalidCredential, reason: "the user name or the password has a control character")
            }
            let pair = "\(user):\(password)".composed
            return Secret("Basic \(Data(pair.utf8).base64EncodedString())")
        }
    }

    /// Adds the field, unless the request already has it.
    ///
    /// - Throws: ``ErrandError`` with `invalidCredential`, or the error of `next`.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        if request.hasAuthorization { return try await next(request) }
        return try await next(request.authorized(by: credentials.get(for: request)))
    }
}

/// An interceptor that sends the same token with every request: HTTP Bearer (RFC 6750).
///
/// ```swift
/// interceptors = [BearerAuthentication(token: token)]
/// ```
///
/// Anyone who has the token can use it, so use it only over TLS. A request that already has an `Authorization` field is
/// sent unchanged. A redirect to another origin does not receive the field. For a token that expires and can be
/// refreshed, use ``TokenAuthentication``.
///
/// A token with a character that RFC 6750 does not allow fails each request with
/// ``ErrandError/Code-swift.struct/invalidCredential``, and nothing is sent.
public struct BearerAuthentication: Interceptor, Authenticating {
    private let credentials: Result<Secret, ErrandError>

    /// Creates an interceptor for a token.
    ///
    /// - Parameter token: Letters, digits and `-._~+/`, with any number of `=` at the end (RFC 6750, section 2.1).
    public init(token: String) {
        credentials = AccessToken(token).credentials
    }

    /// Adds the field, unless the request already has it.
    ///
    /// - Throws: ``ErrandError`` with `invalidCredential`, or the error of `next`.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        if request.hasAuthorization { return try await next(request) }
        return try await next(request.authorized(by: credentials.get(for: request)))
    }
}

/// An interceptor that sends a key with every request, in a header field, in the query or in a cookie.
///
/// ```swift
/// interceptors = [APIKeyAuthentication(key, in: .header("X-Api-Key"))]
/// interceptors = [APIKeyAuthentication(key, in: .query("api_key"))]
/// ```
///
/// A request that already has a field, an item or a cookie of that name is sent unchanged. A redirect to another origin
/// receives neither the field nor the cookie. A query item is dropped at any redirect, because the server specifies the
/// complete new URL.
///
/// Prefer a header field, because servers and proxies write URLs into their logs. Errand's own output never shows the
/// value.
public struct APIKeyAuthentication: Interceptor, Authenticating {
    /// The place in the request for a key.
    public enum Placement: Hashable, Sendable {
        /// A header field of this name.
        case header(String)
        /// A query item of this name.
        case query(String)
        /// A cookie of this name, after those that the request has already.
        case cookie(String)
    }

    private let key: Result<Secret, ErrandError>
    private let placement: Placement

    /// Creates an interceptor for a key.
    ///
    /// - Parameters:
    ///   - key: The key. An empty key, or one with a control character, fails each request with
    ///     ``ErrandError/Code-swift.struct/invalidCredential``. So does a key that cookies cannot have: they consist of
    ///     ASCII characters without spaces, `"`, `,`, `;` and `\`.
    ///   - placement: The place for the key. An invalid name fails each request in the same way. So does the name of a
    ///     field that is logged or sent to other origins, such as `Accept`.
    public init(_ key: String, in placement: Placement) {
        self.placement = placement
        self.key = Result { () throws(ErrandError) in
            try placement.check()
            if key.isEmpty || key.hasControlCharacter {
                throw ErrandError(.invalidCredential, reason: "the key is empty, or has a control character")
            }
            if case .cookie = placement, !key.utf8.allSatisfy(\.isCookieOctet) {
                throw ErrandError(.invalidCredential, reason: "the key has a character that cookies cannot have")
            }
            return Secret(key)
        }
    }

    /// Adds the key, unless the request has a field, an item or a cookie of that name.
    ///
    /// - Throws: ``ErrandError`` with `invalidCredential`, or the error of `next`.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        var request = request
        // The cassettes of ErrandTesting hide these values, regardless of which code set them.
        switch placement {
        case .header(let name): request.credentialFields.insert(name.lowercased())
        case .query(let name): request.credentialQueryNames.insert(name)
        case .cookie: request.credentialFields.insert("cookie")
        }
        if placement.isTaken(in: request.urlRequest) { return try await next(request) }
        let key = try key.get(for: request).text
        switch placement {
        case .header(let name):
            request.urlRequest.setHeaderField(name, key)
        case .query(let name):
            // The item is added after the URL's own query.
            let item = URLQueryItem(name: name, value: key)
            request.urlRequest.url = try RequestURL(base: request.urlRequest.url, path: "", query: URLQuery([item]))
                .resolved()
        case .cookie(let name):
            let others = request.urlRequest.value(forHTTPHeaderField: "Cookie").map { "\($0); " } ?? ""
            request.urlRequest.setHeaderField("Cookie", "\(others)\(name)=\(key)")
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
        case .cookie(let name) where !name.isHTTPToken:
            throw ErrandError(.invalidCredential, reason: "the name of the key's cookie is not a valid token")
        case .header, .query, .cookie:
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
        case .cookie(let name):
            let cookies = request.value(forHTTPHeaderField: "Cookie")?.split(separator: ";") ?? []
            return cookies.contains { $0.drop { $0 == " " }.hasPrefix("\(name)=") }
        }
    }
}

/// An interceptor that responds to the server's challenge with a user and a digest of the password: HTTP Digest (RFC
/// 7616).
///
/// ```swift
/// interceptors = [DigestAuthentication(user: "ursula", password: password)]
/// ```
///
/// The transport implements it: ``CurlTransport`` on Linux, `URLSession` elsewhere. `URLSession` on Linux does not
/// support it, and fails with ``ErrandError/Code-swift.struct/unsupportedByTransport``. A request to a protected
/// resource is sent twice, because the server responds to the first with its challenge; this also works if its body can
/// be read only once. Only Digest challenges of the request's own origin are accepted. A server that requests Basic
/// does not receive the password.
///
/// With ``CurlTransport``, a request with a body is first sent with `Content-Length: 0`, because the server is expected
/// to reject it. Use this only for protected resources: a resource without Digest would accept the empty body as
/// complete, and then receive the request again with its body. The first challenge that can be met counts. The
/// algorithms are MD5 and SHA-256, and their `-sess` variants. The quality of protection is `auth`, or `auth-int` if a
/// server offers nothing else and the body is data. If the server says that only its nonce is too old (`stale`), the
/// request is sent once more, unless its body can be read only once.
///
/// A request that already has an `Authorization` field is sent unchanged. A user or a password with a control character
/// fails each request with ``ErrandError/Code-swift.struct/invalidCredential``, and nothing is sent.
public struct DigestAuthentication: Interceptor, Authenticating {
    private let credential: Result<PasswordCredential, ErrandError>

    /// Creates an interceptor for a user and a password.
    ///
    /// - Parameters:
    ///   - user: The user; sent in UTF-8, composed (NFC).
    ///   - password: The password, which is not sent. Its digest is made in the same way.
    public init(user: String, password: String) {
        credential = Result { () throws(ErrandError) in
            if user.hasControlCharacter || password.hasControlCharacter {
                throw ErrandError(.invalidCredential, reason: "the user or the password has a control character")
            }
            return PasswordCredential(user: user, password: password)
        }
    }

    /// Sets the credential for the transport, unless the request has one.
    ///
    /// - Throws: ``ErrandError`` with `invalidCredential`, or the error of `next`.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        if request.hasAuthorization || request.digestCredential != nil { return try await next(request) }
        var request = request
        request.digestCredential = try credential.get(for: request)
        return try await next(request)
    }
}

extension Result where Failure == ErrandError {
    /// Returns the checked credential.
    ///
    /// - Throws: The ``ErrandError`` of the check, with the request that it prevents.
    func get(for request: TransportRequest) throws(ErrandError) -> Success {
        do {
            return try get()
        } catch {
            throw error.with(request: request.urlRequest)
        }
    }
}

extension String {
    /// Whether this contains a control character, such as a line break, a tab or a NUL (RFC 5234, `CTL`, and those of
    /// Unicode).
    package var hasControlCharacter: Bool { unicodeScalars.contains { $0.properties.generalCategory == .control } }
}

extension UInt8 {
    /// Whether the value of a cookie can have this byte (RFC 6265, section 4.1.1, `cookie-octet`).
    fileprivate var isCookieOctet: Bool { 0x21...0x7E ~= self && !"\",;\\".utf8.contains(self) }
}
