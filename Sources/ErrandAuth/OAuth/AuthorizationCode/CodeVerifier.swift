import Errand

/// The PKCE code verifier: the secret that proves that the client that redeems a code also requested it (RFC 7636,
/// section 4).
struct CodeVerifier: Hashable, Sendable {
    let secret: Secret

    init(_ text: String) {
        secret = Secret(text)
    }

    /// A verifier of 43 characters, the minimum length of RFC 7636, with 256 random bits.
    static func random() -> CodeVerifier { CodeVerifier(.randomToken()) }

    /// The code challenge for the method `S256`: the SHA-256 digest of the verifier in base64url.
    var challenge: String {
        var hash = SHA256()
        hash.update(Data(secret.text.utf8))
        return hash.digest.base64URLEncoded
    }
}

extension String {
    /// 256 bits from the system's random number generator in base64url: 43 characters that need no percent-encoding in
    /// a URL.
    static func randomToken() -> String {
        var generator = SystemRandomNumberGenerator()
        return Data((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }).base64URLEncoded
    }
}

extension Data {
    /// Base64url without padding (RFC 4648, section 5).
    fileprivate var base64URLEncoded: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
