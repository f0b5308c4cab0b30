extension CookieJar {
    /// A cookie of a server (RFC 6265bis, section 5.7).
    ///
    /// Its description contains everything except the value, which may be a secret. Encoding writes the value in plain
    /// text.
    public struct Cookie: Codable, Hashable, Sendable {
        /// The server's instruction to browsers for requests from other sites (RFC 6265bis, section 4.1.2.7).
        public enum SameSite: String, Codable, Hashable, Sendable {
            /// Sent only with requests from the same site.
            case strict
            /// Sent with requests from the same site, and when a user follows a link.
            case lax
            /// Sent with all requests.
            case none
        }

        /// The name; never empty.
        public let name: String
        /// The value as the server wrote it, including quotation marks. Bytes that are not UTF-8 are decoded as ISO
        /// 8859-1.
        public let value: String
        /// The host that the cookie is for, in lowercase and without a leading dot.
        public let domain: String
        /// Whether the cookie is for ``domain`` alone, and not for its subdomains.
        public let isHostOnly: Bool
        /// The path that the cookie is for, including all paths below it.
        public let path: String
        /// The expiry; `nil` for a session cookie.
        public let expires: Date?
        /// Whether the cookie is sent only over secure connections.
        public let isSecure: Bool
        /// Whether the server asked browsers to hide the cookie from scripts.
        public let isHTTPOnly: Bool
        /// The server's `SameSite` attribute; `nil` if it is missing or unknown.
        ///
        /// It has no effect on which cookies are sent: a client without pages has no other site that could send a
        /// request (RFC 6265bis, section 5.2).
        public let sameSite: SameSite?
    }
}

extension CookieJar.Cookie {
    /// The values that identify a cookie. A new cookie replaces the stored one with the same identity.
    struct Identity: Hashable {
        let name: String
        let domain: String
        let isHostOnly: Bool
        let path: String
    }

    var identity: Identity { Identity(name: name, domain: domain, isHostOnly: isHostOnly, path: path) }

    func isExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }

    /// Returns `true` if a request to this target gets the cookie (RFC 6265bis, section 5.8.3). Does not check the
    /// expiry.
    func isSent(to target: CookieTarget) -> Bool {
        (isHostOnly ? target.host == domain : target.matches(domain: domain))
            && target.matches(path: path)
            && (target.isSecure || !isSecure)
    }
}

extension CookieJar.Cookie {
    /// Decodes an encoded cookie.
    ///
    /// - Throws: `DecodingError`, also for a cookie that no server can set, such as one with a line break in its value.
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
    /// The description alone, so that `dump` does not show the value.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
