public import Errand

/// An error response of an authorization server (RFC 6749, sections 4.1.2.1 and 5.2; RFC 8628, section 3.5).
///
/// ```swift
/// do {
///     try await session.signIn(client.tokens(from: redirect, for: authorization))
/// } catch let error as OAuthError where error.code == .accessDenied {
///     print("you have not allowed it")
/// }
/// ```
///
/// If ``/Errand/TokenAuthentication`` fails because of this error, the request fails with an ``/Errand/ErrandError``
/// that has it as its ``/Errand/ErrandError/underlyingError``. The code of that error is
/// ``/Errand/ErrandError/Code-swift.struct/authenticationFailed``, or
/// ``/Errand/ErrandError/Code-swift.struct/unacceptableStatusCode`` if the server failed or is overloaded. The server
/// says so with the status code 429, or 500 and higher, or with the code ``OAuthError/Code/serverError``,
/// ``OAuthError/Code/temporarilyUnavailable`` or ``OAuthError/Code/slowDown``.
///
/// Secrets of the request that the server repeats are replaced by `***`; in ``code``, only those of 8 characters or
/// more. Characters that are not printable ASCII are replaced by spaces.
public struct OAuthError: Error, Hashable, Sendable {
    /// The `error` of a response, for a `switch`. Servers and extensions add others, so a `switch` needs a `default`.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The value of `error`.
        public let rawValue: String

        /// Creates a code from the value of `error`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The same as ``rawValue``.
        public var description: String { rawValue }
    }

    /// The kind of error: the parameter or member `error` of the response.
    public let code: Code
    /// An explanation for developers: `error_description`, at most 500 characters; `nil` if it is missing.
    public let message: String?
    /// The address of a page about the error: `error_uri`, at most 500 characters; `nil` if it is missing.
    public let uri: String?
    /// The status code of the response; `nil` for an error in a redirect, and for a device code that expired without an
    /// error response.
    public let statusCode: Int?

    /// Creates an error, for tests.
    ///
    /// - Parameters:
    ///   - code: The value of `error`.
    ///   - message: The value of `error_description`; `nil` by default.
    ///   - uri: The value of `error_uri`; `nil` by default.
    ///   - statusCode: The status code of the response; `nil` by default.
    public init(_ code: Code, message: String? = nil, uri: String? = nil, statusCode: Int? = nil) {
        self.code = code
        self.message = message
        self.uri = uri
        self.statusCode = statusCode
    }

    /// An error that a server sent.
    ///
    /// - Parameters:
    ///   - secrets: The secrets of the request, which the error must not show.
    ///   - member: Returns a member of the response.
    /// - Returns: `nil` if the response has no `error`.
    init?(statusCode: Int? = nil, hiding secrets: [Secret], member: (String) -> String?) {
        func text(_ name: String, hiding secrets: [Secret]) -> String? {
            guard let value = member(name), !value.isEmpty else { return nil }
            return value.hiding(secrets).printableASCII(limit: 500)
        }
        // A short secret may be part of an error code by chance, so only longer ones are hidden there.
        let long = secrets.filter { $0.text.count >= 8 }
        guard let error = text("error", hiding: long) else { return nil }
        self.init(
            Code(rawValue: error), message: text("error_description", hiding: secrets),
            uri: text("error_uri", hiding: secrets),
            statusCode: statusCode)
    }
}

extension OAuthError.Code {
    /// A parameter is missing, invalid or repeated.
    public static let invalidRequest = OAuthError.Code(rawValue: "invalid_request")
    /// The server does not know the client, or its authentication failed.
    public static let invalidClient = OAuthError.Code(rawValue: "invalid_client")
    /// The code or the refresh token is invalid, expired, revoked or issued to another client. The user must sign in
    /// again.
    public static let invalidGrant = OAuthError.Code(rawValue: "invalid_grant")
    /// The client may not use this flow.
    public static let unauthorizedClient = OAuthError.Code(rawValue: "unauthorized_client")
    /// The server does not support this flow.
    public static let unsupportedGrantType = OAuthError.Code(rawValue: "unsupported_grant_type")
    /// The server does not support authorization codes.
    public static let unsupportedResponseType = OAuthError.Code(rawValue: "unsupported_response_type")
    /// The scope is unknown, invalid, or more than the user allowed.
    public static let invalidScope = OAuthError.Code(rawValue: "invalid_scope")
    /// The user or the server denied the request.
    public static let accessDenied = OAuthError.Code(rawValue: "access_denied")
    /// The server failed. Sent in a redirect, which cannot have the status 500.
    public static let serverError = OAuthError.Code(rawValue: "server_error")
    /// The server is overloaded or in maintenance. Sent in a redirect, which cannot have the status 503.
    public static let temporarilyUnavailable = OAuthError.Code(rawValue: "temporarily_unavailable")
    /// The user has neither allowed nor denied the request yet (RFC 8628). ``OAuthClient/tokens(for:)`` continues to
    /// wait.
    public static let authorizationPending = OAuthError.Code(rawValue: "authorization_pending")
    /// As ``authorizationPending``, and the interval increases by 5 seconds (RFC 8628).
    public static let slowDown = OAuthError.Code(rawValue: "slow_down")
    /// The device code expired before the user allowed or denied the request (RFC 8628).
    public static let expiredToken = OAuthError.Code(rawValue: "expired_token")
}

extension OAuthError: CustomStringConvertible, LocalizedError {
    /// The code and the server's explanation: `invalid_grant: the refresh token is revoked`.
    public var description: String { [code.rawValue, message].compactMap(\.self).joined(separator: ": ") }
    /// The same as ``description``.
    public var errorDescription: String? { description }
}

extension String {
    /// This text with each secret replaced, in plain and in form encoding.
    fileprivate func hiding(_ secrets: [Secret]) -> String {
        secrets.flatMap { [$0.text, $0.text.formURLEncoded, $0.text.basicEncoded] }.filter { !$0.isEmpty }
            .reduce(self) { $0.replacingOccurrences(of: $1, with: "***", options: .literal) }
    }

    /// This text, cut to `limit` characters, with a space for each character that is not printable ASCII.
    fileprivate func printableASCII(limit: Int) -> String {
        String(String.UnicodeScalarView(unicodeScalars.prefix(limit).map { " "..."~" ~= $0 ? $0 : " " }))
    }
}

extension OAuthError: TokenServerError {
    package var isTransient: Bool {
        if let statusCode, statusCode == 429 || statusCode >= 500 { return true }
        return [.serverError, .temporarilyUnavailable, .slowDown].contains(code)
    }
}
