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
public struct BearerAuthentication: Interceptor {
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
