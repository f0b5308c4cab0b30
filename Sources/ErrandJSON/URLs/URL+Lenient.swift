extension URL {
    /// Creates a URL from a text that a server sent or a user wrote, which may have characters that no URL has.
    ///
    /// These characters are escaped, those of a host name become Punycode, and nothing else changes. `URL(string:)`
    /// escapes them too, but then also the `%` of each existing escape in the same part of the URL: `%20` becomes
    /// `%2520`, which RFC 3986, section 2.4, forbids.
    ///
    /// - Parameter base: The URL to which a relative text is resolved. Unlike `URL(string:relativeTo:)`, the result is
    ///   an absolute URL.
    /// - Returns: The URL; `nil` if the text is not valid even then, for example because of its host.
    package init?(lenient text: String, relativeTo base: URL? = nil) {
        guard let url = URL(string: text.escapedAsURL, relativeTo: base)?.absoluteURL else { return nil }
        self = url
    }
}

extension URLComponents {
    /// Creates components from a text, and escapes it as `URL(lenient:)` does.
    package init?(lenient text: String) {
        self.init(string: text.escapedAsURL)
    }
}

extension String {
    /// This URL, or relative reference, with an escape for each byte that RFC 3986 does not allow in its part of the
    /// URL. Existing escapes are kept. Of the host, only an IPv6 address is escaped: Foundation converts a name to
    /// Punycode.
    fileprivate var escapedAsURL: String {
        if hasOnlyPlainURLCharacters { return self }
        let numberSign = utf8.firstIndex(of: UInt8(ascii: "#")) ?? endIndex
        let authority = self[..<numberSign].authority
        var escaped = self[..<authority.lowerBound] + self[authority].escapedAuthority
        escaped += self[authority.upperBound..<numberSign].escaped(allowing: .queryCharacters)
        if numberSign < endIndex {
            escaped += "#" + self[utf8.index(after: numberSign)...].escaped(allowing: .queryCharacters)
        }
        return String(escaped)
    }

    /// Whether every character is allowed everywhere after the host. Then nothing is escaped, as in most URLs.
    private var hasOnlyPlainURLCharacters: Bool {
        withBytes { bytes in
            for byte in bytes {
                switch byte {
                // `!`, `$`, `&` to `;`, `=`, `?` to `Z`, `_`, `a` to `z`, and `~`.
                case 0x21, 0x24, 0x26...0x3B, 0x3D, 0x3F...0x5A, 0x5F, 0x61...0x7A, 0x7E: continue
                default: return false
                }
            }
            return true
        }
    }
}

extension Substring {
    /// The range of the user information, the host and the port; empty and at the start if there is no authority.
    fileprivate var authority: Range<Index> {
        // There is a scheme if the first of these delimiters is a colon.
        let delimiter = utf8.firstIndex { ":/?".utf8.contains($0) }
        var start = startIndex
        if let delimiter, utf8[delimiter] == UInt8(ascii: ":") { start = utf8.index(after: delimiter) }
        guard utf8[start...].starts(with: "//".utf8) else { return startIndex..<startIndex }
        let begin = utf8.index(start, offsetBy: 2)
        return begin..<(utf8[begin...].firstIndex { "/?".utf8.contains($0) } ?? endIndex)
    }

    fileprivate var escapedAuthority: String {
        guard let at = utf8.lastIndex(of: UInt8(ascii: "@")) else { return escapedHost }
        return self[..<at].escaped(allowing: .userCharacters) + "@" + self[utf8.index(after: at)...].escapedHost
    }

    private var escapedHost: String {
        utf8.first == UInt8(ascii: "[") ? escaped(allowing: .addressCharacters) : String(self)
    }

    fileprivate func escaped(allowing allowed: Set<UInt8>) -> String {
        String(self).percentEncoded(allowing: allowed, keepingEscapes: true)
    }
}

extension Set<UInt8> {
    /// The characters of a path, a query and a fragment (RFC 3986, sections 3.3 to 3.5). A path itself has no question
    /// mark, because the first one ends it.
    fileprivate static let queryCharacters = pathCharacters.union("?".utf8)

    /// The characters of user information, with the colon before the password (RFC 3986, section 3.2.1).
    fileprivate static let userCharacters = pathCharacters.subtracting("@/".utf8)

    /// The characters of an IPv6 address in brackets, with its zone and the port (RFC 6874, section 2).
    fileprivate static let addressCharacters = userCharacters.union("[]".utf8)
}
