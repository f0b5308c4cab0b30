extension CookieJar.Cookie {
    /// The longest time that a cookie is kept: 400 days (RFC 6265bis, section 5.5).
    static let maximumAge = 400 * 86_400

    /// The cookie that a response sets (RFC 6265bis, section 5.7).
    ///
    /// - Parameters:
    ///   - field: The value of a `Set-Cookie` field.
    ///   - target: The request that the response is for.
    ///   - suffixes: The domains that cookies must not be set for.
    ///   - now: The current time.
    init(_ field: String, for target: CookieTarget, suffixes: PublicSuffixes, now: Date) throws(CookieFault) {
        let field = try SetCookie(field)
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

    /// A cookie is for the host alone if its domain is missing, is an IP address, or is a public suffix that is itself
    /// the host.
    private static func isHostOnly(_ field: SetCookie, for target: CookieTarget, _ suffixes: PublicSuffixes) -> Bool {
        field.domain.isEmpty
            || field.domain == target.host && (CookieTarget.isAddress(target.host) || suffixes.contains(field.domain))
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

    private func checkPrefix(_ field: SetCookie) throws(CookieFault) {
        let name = name.asciiLowercased
        if name.hasPrefix("__secure-"), !isSecure { throw .securePrefix }
        if name.hasPrefix("__host-"), !isSecure || !field.domain.isEmpty || field.path != "/" { throw .hostPrefix }
    }
}
