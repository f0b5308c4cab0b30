extension CookieJar {
    /// A cookie of a server (RFC 6265bis, section 5.7).
    ///
    /// Its description shows everything but the value, which may be a secret. Encoding writes the value in clear.
    public struct Cookie: Codable, Hashable, Sendable {
        /// What a server asks of browsers for requests from other sites (RFC 6265bis, section 4.1.2.7).
        public enum SameSite: String, Codable, Hashable, Sendable {
            /// For requests from the same site only.
            case strict
            /// For requests from the same site, and when a user follows a link.
            case lax
            /// For all requests.
            case none
        }

        /// The name; never empty.
        public let name: String
        /// The value as the server wrote it, with quotation marks. Bytes that are not UTF-8 were read as ISO 8859-1.
        public let value: String
        /// The host that the cookie is for, in lowercase letters and without a leading dot.
        public let domain: String
        /// Whether the cookie is for ``domain`` alone, and not for its subdomains.
        public let isHostOnly: Bool
        /// The path that the cookie is for, and for all paths below.
        public let path: String
        /// When the cookie expires; `nil` for a cookie of the session.
        public let expires: Date?
        /// Whether the cookie is sent over secure connections only.
        public let isSecure: Bool
        /// Whether the server asked browsers to hide the cookie from scripts.
        public let isHTTPOnly: Bool
        /// The server's `SameSite` attribute; `nil` if it is missing or unknown.
        ///
        /// It does not keep a cookie from being sent: a client without pages has no other site that a request could come
        /// from (RFC 6265bis, section 5.2).
        public let sameSite: SameSite?
    }
}

extension CookieJar.Cookie {
    /// What the cookie replaces: another with the same identity.
    struct Identity: Hashable {
        let name: String
        let domain: String
        let isHostOnly: Bool
        let path: String
    }

    var identity: Identity { Identity(name: name, domain: domain, isHostOnly: isHostOnly, path: path) }

    func isExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }

    /// Whether a request gets this cookie (RFC 6265bis, section 5.8.3), apart from its expiry.
    func isSent(to target: CookieTarget) -> Bool {
        (isHostOnly ? target.host == domain : target.matches(domain: domain))
            && target.matches(path: path)
            && (target.isSecure || !isSecure)
    }
}

extension CookieJar.Cookie {
    /// Reads a cookie that was written before.
    ///
    /// - Throws: `DecodingError` also for a cookie that no server can set, such as one with a line break in its value.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        name = try fields.decode(String.self, forKey: .name)
        value = try fields.decode(String.self, forKey: .value)
        domain = try fields.decode(String.self, forKey: .domain)
        isHostOnly = try fields.decode(Bool.self, forKey: .isHostOnly)
        path = try fields.decode(String.self, forKey: .path)
        expires = try fields.decodeIfPresent(Date.self, forKey: .expires)
        isSecure = try fields.decode(Bool.self, forKey: .isSecure)
        isHTTPOnly = try fields.decode(Bool.self, forKey: .isHTTPOnly)
        sameSite = try fields.decodeIfPresent(SameSite.self, forKey: .sameSite)
        let read = try? SetCookie("\(name)=\(value)")
        guard read?.name == name, read?.value == value, !domain.isEmpty, domain == domain.lowercased(),
            path.hasPrefix("/")
        else { throw DecodingError.dataCorruptedError(forKey: .name, in: fields, debugDescription: "not a cookie") }
    }
}

extension CookieJar.Cookie: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name, domain and path; never the value.
    public var description: String { "\(name) of \(isHostOnly ? "" : "*.")\(domain)\(path)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The description alone, so that `dump` does not show the value either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
