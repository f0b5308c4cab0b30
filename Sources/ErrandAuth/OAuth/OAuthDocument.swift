import Errand

/// A response of an authorization server that is not checked yet.
struct OAuthReply: Sendable {
    let response: DataResponse
    let request: OAuthFormRequest
    /// The name of the endpoint in errors.
    let endpoint: String
    /// The secrets of the request, which errors must not show.
    let secrets: [Secret]

    /// Returns the document of the response.
    ///
    /// - Throws: The errors of ``OAuthDocument``.
    func document() throws -> OAuthDocument {
        try OAuthDocument(response, of: request, endpoint, hiding: secrets)
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
    func url(_ name: String, or other: String) throws(ErrandError) -> URL {
        guard let url = optionalURL(name) ?? optionalURL(other) else {
            throw failure(.decodingFailed, "the response has no `\(name)` that is a URL")
        }
        return url
    }

    /// An absolute URL; `nil` if it is missing or invalid.
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
        error.url = request.url
        error.attempts = 1
        error.statusCode = response.statusCode
        return error
    }
}
