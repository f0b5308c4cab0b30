extension CookieJar {
    /// A cookie of a server (RFC 6265bis, section 5.7).
    ///
    /// Its description does not contain the value, which may be a secret. Encoding writes the value in plain text.
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

    /// Decodes an encoded cookie.
    ///
    /// - Throws: `DecodingError`, also for an invalid name, value, domain or path, such as a value with a line break.
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
        let parsed = try? SetCookie("\(name)=\(value)")
        guard parsed?.name == name, parsed?.value == value, !domain.isEmpty, domain == domain.lowercased(),
            path.hasPrefix("/")
        else { throw DecodingError.dataCorruptedError(forKey: .name, in: fields, debugDescription: "not a cookie") }
    }
}

extension CookieJar.Cookie: Confidential {
    /// The name, domain and path; never the value.
    public var description: String { "\(name) of \(isHostOnly ? "" : "*.")\(domain)\(path)" }
}

extension CookieJar.Cookie {
    /// The longest time that a cookie is kept: 400 days (RFC 6265bis, section 5.5).
    static let maximumAge = 400 * 86_400

    /// The cookie that a response sets (RFC 6265bis, section 5.7).
    ///
    /// - Parameters:
    ///   - text: The value of a `Set-Cookie` field.
    ///   - target: The request that the response is for.
    ///   - suffixes: The domains that cookies must not be set for.
    ///   - now: The current time.
    init(_ text: String, for target: CookieTarget, suffixes: PublicSuffixes, now: Date) throws(CookieFault) {
        let field = try SetCookie(text)
        self.init(
            name: field.name, value: field.value,
            domain: try Self.domain(of: field, for: target, suffixes),
            isHostOnly: Self.isHostOnly(field, for: target, suffixes),
            path: field.path ?? target.defaultPath,
            expires: Self.expiry(of: field, now: now),
            isSecure: field.isSecure, isHTTPOnly: field.isHTTPOnly, sameSite: field.sameSite)
        guard target.isSecure || !isSecure else { throw .insecure }
        try checkPrefix(field)
    }

    /// A cookie is for the host alone if its domain is missing, or if its domain is the host itself and an IP address
    /// or a public suffix.
    private static func isHostOnly(_ field: SetCookie, for target: CookieTarget, _ suffixes: PublicSuffixes) -> Bool {
        field.domain.isEmpty
            || (field.domain == target.host && (CookieTarget.isAddress(target.host) || suffixes.contains(field.domain)))
    }

    private static func domain(
        of field: SetCookie, for target: CookieTarget, _ suffixes: PublicSuffixes
    ) throws(CookieFault) -> String {
        if isHostOnly(field, for: target, suffixes) { return target.host }
        guard !suffixes.contains(field.domain) else { throw .publicSuffix }
        guard target.matches(domain: field.domain) else { throw .otherDomain }
        return field.domain
    }

    /// The expiry of a cookie. `Max-Age` has precedence over `Expires`.
    private static func expiry(of field: SetCookie, now: Date) -> Date? {
        let latest = now + TimeInterval(maximumAge)
        if let age = field.maxAge { return age > 0 ? min(now + TimeInterval(age), latest) : .distantPast }
        return field.expires.map { min($0, latest) }
    }

    /// Checks the conditions that the prefix of a name requires (RFC 6265bis, section 4.1.3).
    private func checkPrefix(_ field: SetCookie) throws(CookieFault) {
        let name = name.asciiLowercased
        if name.hasPrefix("__secure-"), !isSecure { throw .securePrefix }
        if name.hasPrefix("__host-"), !isSecure || !field.domain.isEmpty || field.path != "/" { throw .hostPrefix }
    }
}

/// The parts of a request's URL that decide which cookies apply.
struct CookieTarget {
    /// The host in lowercase; an IPv6 address has no brackets.
    let host: String
    /// The percent-encoded path; at least `/`.
    let path: String
    /// Whether the connection counts as secure: TLS, or a loopback connection, which other machines cannot read.
    let isSecure: Bool

    /// Returns `nil` if the URL has no host, or its scheme is not `http`, `https`, `ws` or `wss`.
    init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), ["http", "https", "ws", "wss"].contains(scheme),
            var host = url.host?.lowercased(), !host.isEmpty
        else { return nil }
        if host.hasPrefix("[") { host = String(host.dropFirst().dropLast()) }
        self.host = host
        let path = url.path(percentEncoded: true)
        self.path = path.hasPrefix("/") ? path : "/" + path
        isSecure = ["https", "wss"].contains(scheme) || host.isLoopback
    }

    /// Returns `true` if the host is this domain or one of its subdomains (RFC 6265bis, section 5.1.3).
    func matches(domain: String) -> Bool {
        host == domain || (host.hasSuffix("." + domain) && !Self.isAddress(host))
    }

    /// Returns `true` if the URL's path is this path or below it.
    func matches(path cookiePath: String) -> Bool { Self.isPath(path, below: cookiePath) }

    /// Returns `true` if a path equals another or is below it (RFC 6265bis, section 5.1.4).
    static func isPath(_ path: String, below parent: String) -> Bool {
        guard path.utf8.starts(with: parent.utf8) else { return false }
        return path.utf8.count == parent.utf8.count || parent.hasSuffix("/")
            || path.utf8.dropFirst(parent.utf8.count).first == UInt8(ascii: "/")
    }

    /// The path of a cookie without a `Path` attribute: the directory of the request (RFC 6265bis, section 5.1.4).
    var defaultPath: String {
        let directory = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        return directory.isEmpty ? "/" : String(directory)
    }

    /// The host and its parent domains: `a.b.c`, `b.c`, `c`. An IP address has no parents. Those of a name that
    /// is longer than DNS allows are left out, because there may be any number of them.
    var domains: [String] {
        guard host.utf8.count <= 253, !Self.isAddress(host) else { return [host] }
        let starts = host.indices.filter { $0 == host.startIndex || host[host.index(before: $0)] == "." }
        return starts.map { String(host[$0...]) }
    }

    /// Returns `true` if a host is an IP address. A name whose last label is a number counts as one (WHATWG URL,
    /// section 3.5).
    static func isAddress(_ host: String) -> Bool {
        if host.contains(":") { return true }
        let last = host.split(separator: ".").last ?? ""
        if last.lowercased().hasPrefix("0x") { return last.dropFirst(2).allSatisfy(\.isHexDigit) }
        return !last.isEmpty && last.utf8.allSatisfy(\.isDigit)
    }
}

/// Why a `Set-Cookie` field is ignored.
enum CookieFault: String, Error {
    case controlCharacter = "the cookie contains a control character"
    case missingName = "the cookie has no name"
    case tooLong = "name and value of the cookie have more than 4096 bytes"
    case invalidURL = "the cookie is for a URL that is not an HTTP URL"
    case publicSuffix = "the domain of the cookie is a public suffix, which belongs to many owners"
    case otherDomain = "the domain of the cookie is not the host of the URL or a domain above it"
    case insecure = "a cookie with the attribute Secure needs a secure connection"
    case securePrefix = "a cookie whose name begins with __Secure- needs the attribute Secure"
    case hostPrefix = "a cookie whose name begins with __Host- needs Secure, Path=/ and no Domain"
    case overlaysSecure =
        "a cookie with the attribute Secure and the same name is stored, and the connection is not secure"
}
