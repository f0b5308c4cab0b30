public import Errand

/// An authorization request (RFC 6749, section 4.1.1), with the values that are needed later to redeem its code.
///
/// ```swift
/// let authorization = try await client.authorization(redirectURI: "com.example.library:/signed-in", scope: ["books"])
/// open(authorization.url)
/// // The system calls back with the redirect.
/// let tokens = try await client.tokens(from: redirect, for: authorization)
/// ```
///
/// A web application handles the two calls in different requests of the browser. It stores ``state`` and
/// ``codeVerifier`` in the browser's session and creates this value again from them. The description of this value
/// shows neither.
public struct OAuthAuthorization: Hashable, Sendable {
    /// The URL of the page where the user signs in, to be opened in a browser.
    public let url: URL
    /// The URI to which the server redirects the browser after the sign-in, exactly as in the authorization request.
    public let redirectURI: String
    /// The requested scope of the tokens.
    public let scope: [String]
    private let stateSecret: Secret
    let verifier: CodeVerifier

    /// The value that the redirect must contain (RFC 6749, section 10.12): 43 random characters. It prevents an
    /// attacker from signing the user in with the attacker's code.
    public var state: String { stateSecret.text }
    /// The secret that redeems the code (RFC 7636): 43 random characters.
    public var codeVerifier: String { verifier.secret.text }

    /// Creates an authorization again from stored values.
    ///
    /// - Parameters:
    ///   - url: The URL of the page where the user signs in.
    ///   - redirectURI: The URI to which the server redirects the browser.
    ///   - scope: The requested scope; empty by default.
    ///   - state: The value that the redirect must contain.
    ///   - codeVerifier: The secret that redeems the code.
    public init(url: URL, redirectURI: String, scope: [String] = [], state: String, codeVerifier: String) {
        self.url = url
        self.redirectURI = redirectURI
        self.scope = scope
        stateSecret = Secret(state)
        verifier = CodeVerifier(codeVerifier)
    }
}

extension OAuthAuthorization: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The endpoint without its query values.
    public var description: String { "OAuthAuthorization(\(url.redacted))" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The description alone, so that `dump` shows neither state nor verifier.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
