/// A token that authenticates its sender, and the time when it expires (RFC 6749, section 1.4).
///
/// Its descriptions show no part of the token.
public struct AccessToken: Hashable, Sendable {
    private let secret: Secret
    /// The scheme before the token in the `Authorization` field; `Bearer` by default.
    public let scheme: String
    /// The time when the server stops accepting the token; `nil` if it is not known.
    public let expiresAt: Date?

    /// Creates a token.
    ///
    /// - Parameters:
    ///   - value: The token: letters, digits and `-._~+/`, with any number of `=` at the end (RFC 6750, section 2.1).
    ///     In another field than `Authorization`, any text that is not empty and has no control characters, such as
    ///     `SID=31d4d96e` for `Cookie`. An invalid token fails the request with
    ///     ``ErrandError/Code-swift.struct/invalidCredential`` before it is sent.
    ///   - expiresAt: The time when the server stops accepting the token; `nil`, the default, if it is not known.
    ///   - scheme: The scheme (RFC 9110, section 11.1); `Bearer` by default.
    public init(_ value: String, expiresAt: Date? = nil, scheme: String = "Bearer") {
        secret = Secret(value)
        self.expiresAt = expiresAt
        self.scheme = scheme
    }

    /// The token itself.
    public var value: String { secret.text }

    /// The value of this header field, which contains the scheme only if it is `Authorization`.
    func value(in field: String) -> Result<Secret, ErrandError> {
        guard !field.equalsIgnoringASCIICase("Authorization") else { return credentials }
        guard !value.isEmpty, !value.hasControlCharacter else {
            return .failure(
                ErrandError(.invalidCredential, reason: "the token is empty, or has a control character"))
        }
        return .success(secret)
    }

    /// The value of the `Authorization` field.
    var credentials: Result<Secret, ErrandError> {
        guard scheme.isHTTPToken else {
            return .failure(ErrandError(.invalidCredential, reason: "the token's scheme is not a valid HTTP token"))
        }
        guard !value.hasPrefix("\(scheme) ") else {
            let reason = "the token begins with `\(scheme) `, which is added to it: leave it out"
            return .failure(ErrandError(.invalidCredential, reason: reason))
        }
        guard value.isToken68 else {
            let reason = "the token is empty or has a character outside token68 (RFC 9110, section 11.2)"
            return .failure(ErrandError(.invalidCredential, reason: reason))
        }
        return .success(Secret("\(scheme) \(value)"))
    }

    /// Returns `true` if both tokens have the same value and scheme, regardless of their expiry.
    package func isSame(as other: AccessToken?) -> Bool { secret == other?.secret && scheme == other?.scheme }
}

extension String {
    /// Whether the text is a `b64token` (RFC 6750, section 2.1), which is the same as `token68` in RFC 9110.
    fileprivate var isToken68: Bool {
        guard let end = utf8.lastIndex(where: { $0 != UInt8(ascii: "=") }) else { return false }
        return utf8[...end].allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "-._~+/".utf8.contains(byte)
            }
        }
    }
}
