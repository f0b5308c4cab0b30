/// Answers the server's challenge with a user and a digest of the password: HTTP Digest (RFC 7616).
///
/// ```swift
/// interceptors = [DigestAuthentication(user: "ursula", password: password)]
/// ```
///
/// The transport does it: libcurl on Linux, `URLSession` elsewhere; `URLSession` on Linux cannot, and refuses the request
/// with ``ErrandError/Code-swift.struct/unsupportedByTransport``. Each request is sent twice: the server answers the first
/// with its challenge. A body is sent the second time only, so one that can be read once will do. Only the request's own
/// origin is answered, and only challenges of this scheme: to one that asks for Basic the password is not given.
///
/// Over libcurl the first sending of a request with a body is without it, with `Content-Length: 0`, in the expectation that
/// the server refuses it: use this for what is protected, since another server takes the empty body for the whole one first.
/// Algorithms are MD5 and SHA-256, and their `-sess` forms. The quality of protection is `auth`. A server that offers
/// `auth-int` alone refuses every request with a body, since libcurl digests an empty one.
///
/// A request that has an `Authorization` field itself is sent as it is. A user or a password with a control character
/// fails each request with ``ErrandError/Code-swift.struct/invalidCredential``, and nothing is sent.
public struct DigestAuthentication: Interceptor {
    private let credential: Result<PasswordCredential, ErrandError>

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

    /// Hands the transport the credential, unless the request has one.
    ///
    /// - Throws: ``ErrandError`` with `invalidCredential`; whatever `next` throws.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        if request.hasAuthorization || request.digestCredential != nil { return try await next(request) }
        var request = request
        request.digestCredential = try credential.get(for: request)
        return try await next(request)
    }
}
