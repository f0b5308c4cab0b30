/// Puts a base URL, a path and query items together; fails with a clear error where they make no URL.
struct RequestURL {
    var base: URL?
    var path: String
    var queryItems: [URLQueryItem]

    /// The path goes behind the base URL's own path, and the items behind its own query.
    ///
    /// - Throws: ``ErrandError`` with `missingBaseURL` or `invalidURL`.
    func resolved() throws(ErrandError) -> URL {
        guard let base else { throw ErrandError(.missingBaseURL, reason: "the request has no base URL") }
        if let simple = simpleURL(base) { return simple }
        guard var components = URLComponents(url: base, resolvingAgainstBaseURL: true),
            let scheme = components.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = components.host, !host.isEmpty
        else {
            throw ErrandError(.invalidURL, reason: "the base URL must have the scheme http or https, and a host")
        }
        components.scheme = scheme
        components.fragment = nil
        components.percentEncodedPath = try joinedPath(behind: components.percentEncodedPath)
        let query = [components.percentEncodedQuery, encodedQuery].compactMap(\.self).filter { !$0.isEmpty }
        components.percentEncodedQuery = query.isEmpty ? nil : query.joined(separator: "&")
        guard let url = components.url else {
            throw ErrandError(.invalidURL, reason: "the base URL and the path make no URL")
        }
        return url
    }

    /// The URL where nothing has to be taken apart: a base without a query, and a path of plain segments.
    private func simpleURL(_ base: URL) -> URL? {
        let text = base.absoluteString
        guard queryItems.isEmpty, base.baseURL == nil, path.isPlainPath, base.isHTTP, text.hasSmallSchemeAndNoQuery
        else { return nil }
        if path.isEmpty { return base }
        guard path.utf8.first == UInt8(ascii: "/"), text.utf8.last != UInt8(ascii: "/") else { return nil }
        return URL(string: text + path)
    }

    private func joinedPath(behind basePath: String) throws(ErrandError) -> String {
        if path.isEmpty { return basePath }
        if path.contains(where: { $0 == "?" || $0 == "#" }) {
            let reason = "the path holds a ? or #: use queryItems, or write %3F or %23 where it belongs to the path"
            throw ErrandError(.invalidURL, reason: reason)
        }
        let segments = path.lowercased().replacingOccurrences(of: "%2e", with: ".").split(separator: "/")
        if segments.contains(".") || segments.contains("..") {
            throw ErrandError(.invalidURL, reason: "the path has a segment of dots, which leads out of the base URL")
        }
        if let colon = path.firstIndex(of: ":"), path[colon...].hasPrefix("://"), String(path[..<colon]).isHTTPToken {
            throw ErrandError(.invalidURL, reason: "the path is a whole URL: use baseURL for it")
        }
        let separator = basePath.hasSuffix("/") || path.hasPrefix("/") ? "" : "/"
        let front = basePath.hasSuffix("/") && path.hasPrefix("/") ? String(basePath.dropLast()) : basePath
        return front + separator + path.percentEncoded(allowing: .pathCharacters, keepingEscapes: true)
    }

    /// Everything but the unreserved characters is escaped, so that `+`, `&`, `=` and a space read back as they were
    /// by any server, whether or not it takes `+` for a space.
    private var encodedQuery: String? {
        guard !queryItems.isEmpty else { return nil }
        return queryItems.map { item in
            let name = item.name.percentEncoded(allowing: .unreservedCharacters)
            return item.value.map { "\(name)=\($0.percentEncoded(allowing: .unreservedCharacters))" } ?? name
        }
        .joined(separator: "&")
    }
}

extension String {
    /// This text in UTF-8 with every byte escaped that is not allowed (RFC 3986, section 2.1).
    ///
    /// - Parameter keepingEscapes: Whether a `%` before two hexadecimal digits is an escape already and stays.
    fileprivate func percentEncoded(allowing allowed: Set<UInt8>, keepingEscapes: Bool = false) -> String {
        let bytes = Array(utf8)
        var encoded: [UInt8] = []
        encoded.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            let isEscape =
                keepingEscapes && byte == UInt8(ascii: "%") && index + 2 < bytes.count
                && bytes[index + 1].isHexDigit && bytes[index + 2].isHexDigit
            if isEscape || allowed.contains(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), UInt8.hexDigits[Int(byte >> 4)], UInt8.hexDigits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}

extension String {
    /// Whether this URL begins with a small letter, and has no query and no fragment.
    fileprivate var hasSmallSchemeAndNoQuery: Bool {
        withBytes { bytes in
            for byte in bytes where byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { return false }
            return bytes.first == UInt8(ascii: "h")
        }
    }

    /// Whether nothing in this path has to be escaped, refused or looked at twice.
    fileprivate var isPlainPath: Bool {
        withBytes { bytes in
            for byte in bytes {
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    continue
                default: return false
                }
            }
            return true
        }
    }
}

extension UInt8 {
    fileprivate static let hexDigits = Array("0123456789ABCDEF".utf8)

    fileprivate var isHexDigit: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }
}

extension Set<UInt8> {
    private static let alphanumerics = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

    /// RFC 3986, section 2.3.
    fileprivate static let unreservedCharacters = Set((alphanumerics + "-._~").utf8)

    /// RFC 3986, section 3.3: `pchar` and the slash.
    fileprivate static let pathCharacters = Set((alphanumerics + "-._~!$&'()*+,;=:@/").utf8)
}
