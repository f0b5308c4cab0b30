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
public struct BasicAuthentication: Interceptor {
    private let credentials: Result<Secret, ErrandError>

    /// Creates an interceptor for a user and a password.
    ///
    /// - Parameters:
    ///   - user: The user, without a colon; sent in UTF-8, composed (NFC).
    ///   - password: The password. It may be empty, and may contain colons.
    public init(user: String, password: String) {
        credentials = Result { () throws(ErrandError) in
            if user.utf8.contains(UInt8(ascii: ":")) {
                throw ErrandError(.invalidCredential, reason: "the user name must not contain a colon (RFC 7617)")
            }
            if user.hasControlCharacter || password.hasControlCharacter {
                throw ErrandError(.invalidCredential, reason: "the user name or the password has a control character")
            }
            let pair = "\(user):\(password)".precomposedStringWithCanonicalMapping
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
