/// A token that stands for whoever sends it, and the time when it goes out of date (RFC 6749, section 1.4).
///
/// Its descriptions show neither the token nor anything of it.
public struct AccessToken: Hashable, Sendable {
    private let secret: Secret
    /// The scheme in front of the token in the `Authorization` field; `Bearer` by default.
    public let scheme: String
    /// When the server stops taking it; nil when that is not known.
    public let expiresAt: Date?

    /// - Parameters:
    ///   - value: The token: letters, digits and `-._~+/`, with any number of `=` at the end (RFC 6750, section 2.1).
    ///     Another fails the request with ``ErrandError/Code-swift.struct/invalidCredential`` when it is to be sent.
    ///   - expiresAt: When the server stops taking it; nil when that is not known.
    ///   - scheme: The scheme (RFC 9110, section 11.1).
    public init(_ value: String, expiresAt: Date? = nil, scheme: String = "Bearer") {
        secret = Secret(value)
        self.expiresAt = expiresAt
        self.scheme = scheme
    }

    /// The token itself.
    public var value: String { secret.text }

    /// What stands in the `Authorization` field.
    var credentials: Result<Secret, ErrandError> {
        guard scheme.isHTTPToken, value.isToken68 else {
            return .failure(ErrandError(.invalidCredential, reason: "the token has a character that no token may have"))
        }
        return .success(Secret("\(scheme) \(value)"))
    }

    /// Whether the server takes both for the same, whatever is known of when they end.
    func isSame(as other: AccessToken?) -> Bool { secret == other?.secret && scheme == other?.scheme }
}

extension String {
    /// RFC 6750, section 2.1 (`b64token`), and the same as RFC 9110's `token68`.
    fileprivate var isToken68: Bool {
        var isAtEnd = false
        for (index, byte) in utf8.enumerated() {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                if isAtEnd { return false }
            case UInt8(ascii: "=") where index > 0:
                isAtEnd = true
            default:
                return false
            }
        }
        return !isEmpty
    }
}
