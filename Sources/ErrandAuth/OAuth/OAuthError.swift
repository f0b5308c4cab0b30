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

    /// The kind of error: the member `error`.
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
    /// - Parameter member: Returns a member of the response.
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

/// The JSON document in a response of an authorization server.
///
/// Its errors contain neither the body nor the header fields of the response, which may hold tokens.
struct OAuthDocument: Sendable {
    private let members: JSONValue
    private let response: DataResponse
    private let request: OAuthFormRequest

    /// - Parameters:
    ///   - endpoint: The name of the endpoint in errors.
    ///   - secrets: The secrets of the request, which errors must not show.
    /// - Throws: ``OAuthError`` for an error response; ``/Errand/ErrandError`` if the response is not a JSON object or
    ///   its status code is not 2xx.
    init(
        _ response: DataResponse, of request: OAuthFormRequest, _ endpoint: String, hiding secrets: [Secret]
    ) throws {
        self.response = response
        self.request = request
        let members = (try? FastJSONDecoder().decode(JSONValue.self, from: response.data)) ?? .null
        self.members = members
        // Checked for each status code: some servers send errors with the status 200.
        let error = OAuthError(statusCode: response.statusCode, hiding: secrets) { members[$0]?.string }
        if let error { throw error }
        guard (200..<300).contains(response.statusCode) else {
            throw failure(
                .unacceptableStatusCode,
                "the \(endpoint) responded with status \(response.statusCode), and the body is not an OAuth error")
        }
        guard case .object = members else {
            throw failure(.decodingFailed, "the response of the \(endpoint) is not a JSON object")
        }
    }

    /// The tokens of the document.
    ///
    /// - Parameter scope: The scope of the tokens if the document does not contain one.
    func tokens(scope: [String], now: Date) throws(ErrandError) -> OAuthTokens {
        let value = try text("access_token")
        let type = members["token_type"]?.string ?? "Bearer"
        // A missing type counts as Bearer. A token of an unknown type must not be used (RFC 6749, section 7.1).
        guard type.equalsIgnoringASCIICase("Bearer") else {
            throw failure(.decodingFailed, "the type of the access token is not Bearer")
        }
        let expiresAt = duration("expires_in").map { now.addingTimeInterval($0 / .seconds(1)) }
        return OAuthTokens(
            accessToken: AccessToken(value, expiresAt: expiresAt),
            refreshToken: members["refresh_token"]?.string.flatMap { $0.isEmpty ? nil : $0 },
            scope: grantedScope ?? scope)
    }

    /// The granted scope: a string of tokens with spaces between them (RFC 6749, section 3.3), or an array, which some
    /// servers send. `nil` if it is missing or anything else.
    private var grantedScope: [String]? {
        let texts = members["scope"]?.string.map { [$0] } ?? members["scope"]?.array?.compactMap(\.string)
        return texts?.flatMap { $0.split(separator: " ") }.map(String.init)
    }

    /// A required string.
    func text(_ name: String) throws(ErrandError) -> String {
        guard let text = members[name]?.string, !text.isEmpty else {
            throw failure(.decodingFailed, "the response has no `\(name)`")
        }
        return text
    }

    /// A required absolute URL, under either of two names.
    func url(_ name: String, or other: String? = nil) throws(ErrandError) -> URL {
        guard let url = optionalURL(name) ?? other.flatMap(optionalURL) else {
            throw failure(.decodingFailed, "the response has no `\(name)` that is a URL")
        }
        return url
    }

    func optionalURL(_ name: String) -> URL? {
        members[name]?.string.flatMap { URL(lenient: $0) }.flatMap { $0.scheme == nil ? nil : $0 }
    }

    /// A number of seconds, which some servers write as a string, limited to 0 seconds to 100 years; `nil` if it is
    /// missing or invalid.
    func duration(_ name: String) -> Duration? {
        let seconds = members[name]?.double ?? members[name]?.string.flatMap(Double.init)
        guard let seconds, !seconds.isNaN else { return nil }
        let century = 100.0 * 365 * 24 * 60 * 60
        return .seconds(min(max(seconds, 0), century))
    }

    /// Creates an error with the request and the status code.
    func failure(_ code: ErrandError.Code, _ reason: String) -> ErrandError {
        var error = ErrandError(code, reason: reason)
        error.method = .post
        error.url = request.url.redacted
        error.attempts = 1
        error.statusCode = response.statusCode
        return error
    }
}
