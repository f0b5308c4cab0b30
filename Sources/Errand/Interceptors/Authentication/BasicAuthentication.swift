/// Sends a user and a password with every request: HTTP Basic (RFC 7617).
///
/// ```swift
/// interceptors = [BasicAuthentication(user: "ursula", password: password)]
/// ```
///
/// The password goes over the wire as it is, so this is for TLS alone. A request that has an `Authorization` field itself is
/// sent as it is. Where a redirect leads to another origin, the field stays behind.
///
/// A user with a colon, or either with a control character, fails each request with
/// ``ErrandError/Code-swift.struct/invalidCredential``, and nothing is sent.
public struct BasicAuthentication: Interceptor {
    private let credentials: Result<Secret, ErrandError>

    /// - Parameters:
    ///   - user: The user, without a colon; sent in UTF-8, composed (NFC).
    ///   - password: The password; it may be empty, and may have colons.
    public init(user: String, password: String) {
        credentials = Result { () throws(ErrandError) in
            if user.utf8.contains(UInt8(ascii: ":")) {
                throw ErrandError(.invalidCredential, reason: "the user has a colon")
            }
            if user.hasControlCharacter || password.hasControlCharacter {
                throw ErrandError(.invalidCredential, reason: "the user or the password has a control character")
            }
            let pair = "\(user):\(password)".precomposedStringWithCanonicalMapping
            return Secret("Basic \(Data(pair.utf8).base64EncodedString())")
        }
    }

    /// Adds the field, unless the request has it.
    ///
    /// - Throws: ``ErrandError`` with `invalidCredential`; whatever `next` throws.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        if request.hasAuthorization { return try await next(request) }
        return try await next(request.authorized(by: credentials.get(for: request)))
    }
}
