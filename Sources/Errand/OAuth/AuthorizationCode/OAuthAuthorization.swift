/// An authorization request (RFC 6749, section 4.1.1) for which the user signs in, and what is needed to redeem its code.
///
/// ```swift
/// let authorization = try await client.authorization(redirectURI: "com.example.library:/signed-in", scope: ["books"])
/// open(authorization.url)
/// // The system calls back with the redirect.
/// let tokens = try await client.tokens(from: redirect, for: authorization)
/// ```
///
/// A server, which has another request of the browser between both calls, keeps ``state`` and ``codeVerifier`` in the session of that
/// browser, and makes this value again from them. Its description shows neither.
public struct OAuthAuthorization: Hashable, Sendable {
    /// Where the user signs in, in a browser.
    public let url: URL
    /// Where the server sends the browser after that, as it was sent to the server.
    public let redirectURI: String
    /// What the tokens have to allow.
    public let scope: [String]
    private let stateSecret: Secret
    let verifier: CodeVerifier

    /// What the redirect must have, so that nobody signs the user in with a code of their own (RFC 6749, section 10.12): 43 random
    /// characters.
    public var state: String { stateSecret.text }
    /// The secret with which the code is redeemed (RFC 7636): 43 random characters.
    public var codeVerifier: String { verifier.secret.text }

    /// Creates an authorization again, from what was kept of one.
    ///
    /// - Parameters:
    ///   - url: Where the user signs in.
    ///   - redirectURI: Where the server sends the browser after that.
    ///   - scope: What the tokens have to allow; empty by default.
    ///   - state: What the redirect must have.
    ///   - codeVerifier: The secret with which the code is redeemed.
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
