/// An interceptor that responds to the server's challenge with a user and a digest of the password: HTTP Digest (RFC
/// 7616).
///
/// ```swift
/// interceptors = [DigestAuthentication(user: "ursula", password: password)]
/// ```
///
/// The transport implements it: ``CurlTransport`` on Linux, `URLSession` elsewhere. `URLSession` on Linux does not
/// support it, and fails with ``ErrandError/Code-swift.struct/unsupportedByTransport``. Each request is sent twice,
/// because the server responds to the first with its challenge. A body is sent only the second time, so a body that can
/// be read only once works. Only Digest challenges of the request's own origin are accepted. A server that requests
/// Basic does not receive the password.
///
/// With ``CurlTransport``, a request with a body is first sent with `Content-Length: 0`, because the server is expected
/// to reject it. Use this only for protected resources: a resource without Digest would accept the empty body as
/// complete. The first challenge that can be met counts. The algorithms are MD5 and SHA-256, and their `-sess`
/// variants. The quality of protection is `auth`, or `auth-int` if a server offers nothing else and the body is data.
/// If the server says that only its nonce is too old (`stale`), the request is sent once more, unless its body can be
/// read only once.
///
/// A request that already has an `Authorization` field is sent unchanged. A user or a password with a control character
/// fails each request with ``ErrandError/Code-swift.struct/invalidCredential``, and nothing is sent.
public struct DigestAuthentication: Interceptor {
    private let credential: Result<PasswordCredential, ErrandError>

    /// Creates an interceptor for a user and a password.
    ///
    /// - Parameters:
    ///   - user: The user; sent in UTF-8.
    ///   - password: The password, which is not sent.
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
