/// Sends a token with every request, always the same: HTTP Bearer (RFC 6750).
///
/// ```swift
/// interceptors = [BearerAuthentication(token: token)]
/// ```
///
/// Whoever has the token can use it, so this is for TLS alone. A request that has an `Authorization` field itself is sent as
/// it is. Where a redirect leads to another origin, the field stays behind. For a token that expires and can be refreshed,
/// use ``TokenAuthentication``.
///
/// A token with a character that RFC 6750 does not allow fails each request with
/// ``ErrandError/Code-swift.struct/invalidCredential``, and nothing is sent.
public struct BearerAuthentication: Interceptor {
    private let credentials: Result<Secret, ErrandError>

    /// - Parameter token: Letters, digits and `-._~+/`, with any number of `=` at the end (RFC 6750, section 2.1).
    public init(token: String) {
        credentials = AccessToken(token).credentials
    }

    /// Adds the field, unless the request has it.
    ///
    /// - Throws: ``ErrandError`` with `invalidCredential`; whatever `next` throws.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        if request.hasAuthorization { return try await next(request) }
        return try await next(request.authorized(by: credentials.get(for: request)))
    }
}
