/// The parts of a request's URL: a base URL, a path and a query.
struct RequestURL {
    var base: URL?
    var path: RequestPath
    var query: URLQuery
    /// The name of the property that holds the base URL, for error messages.
    var baseName = "baseURL"
    /// Whether the base is a complete URL in place of the base URL, so that its path may have values.
    var isComplete: Bool { baseName != "baseURL" }

    /// Appends the path to the base URL's own path, and the query to its own query. The base URL's fragment is removed.
    ///
    /// - Throws: ``ErrandError`` with `missingBaseURL` or `invalidURL`.
    func resolved() throws(ErrandError) -> URL {
        guard let base else {
            throw ErrandError(
                .missingBaseURL,
                reason: "the request has no base URL: set `baseURL` or `url`, or send it with a service")
        }
        if let simple = simpleURL(base) { return simple }
        guard var components = URLComponents(url: base, resolvingAgainstBaseURL: true),
            let scheme = components.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = components.host, !host.isEmpty
        else {
            throw ErrandError(
                .invalidURL, reason: "`\(baseName)` must be a URL with the scheme http or https and a host")
        }
        components.scheme = scheme
        components.fragment = nil
        components.percentEncodedPath = try joinedPath(after: components.percentEncodedPath)
        let queries = [components.percentEncodedQuery, try query.percentEncoded()].compactMap(\.self)
            .filter { !$0.isEmpty }
        // The empty query of a base identifies another resource than none (RFC 3986, section 6.2.3).
        if !queries.isEmpty { components.percentEncodedQuery = queries.joined(separator: "&") }
        guard let url = components.url else {
            throw ErrandError(.invalidURL, reason: "`\(baseName)` and `path` do not make a valid URL")
        }
        return url
    }

    /// The URL in the error of a request that cannot be built: base and path without a query. Without a base, it is the
    /// path. It is the base with its query if the path is empty, is a URL itself, or forms no URL with the base.
    var attempted: URL? {
        let bytes = path.text.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let text = String(decoding: bytes, as: UTF8.self)
        let path = text.percentEncoded(allowing: .pathCharacters, keepingEscapes: true)
        guard !path.contains("://"), !path.isEmpty else { return base }
        // A path that begins with two slashes would be read as a URL with a host.
        guard let base else { return path.utf8.starts(with: "//".utf8) ? nil : URL(string: path) }
        guard var components = URLComponents(url: base, resolvingAgainstBaseURL: true), components.host != nil else {
            return base
        }
        (components.query, components.fragment) = (nil, nil)
        components.percentEncodedPath = Self.joined(components.percentEncodedPath, path)
        return components.url ?? base
    }

    /// Returns the text of the base followed by the path, which costs less than `URLComponents`; `nil` if that is not
    /// enough. Neither the request nor the base may have a query. The path may have only ASCII letters, digits, `-`,
    /// `_` and slashes.
    private func simpleURL(_ base: URL) -> URL? {
        let (text, path) = (base.absoluteString, path.text)
        guard query.isEmpty, self.path.fault == nil, base.baseURL == nil, path.isPlain(withSlashes: true), base.isHTTP,
            text.hasLowercaseSchemeAndNoQuery
        else { return nil }
        if path.isEmpty { return base }
        guard path.utf8.first == UInt8(ascii: "/"), text.utf8.last != UInt8(ascii: "/") else { return nil }
        return URL(string: text + path)
    }

    /// Checks the path, and returns it appended to that of the base URL.
    private func joinedPath(after basePath: String) throws(ErrandError) -> String {
        if let fault = path.fault { throw ErrandError(.invalidURL, reason: fault.rawValue) }
        let path = path.text
        if path.isEmpty { return basePath }
        if path.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) {
            let reason = "`path` holds a ? or #: use `query`, or write %3F or %23 where it belongs to the path"
            throw ErrandError(.invalidURL, reason: reason)
        }
        // The path is escaped first: to Swift, a slash and a combining mark after it form one other character, but a
        // server sees a slash.
        let escaped = path.percentEncoded(allowing: .pathCharacters, keepingEscapes: true)
        let segments = escaped.lowercased().replacingOccurrences(of: "%2e", with: ".").split(separator: "/")
        if segments.contains(".") || segments.contains("..") {
            throw ErrandError(.invalidURL, reason: "`path` has a segment of dots, which leads out of the base URL")
        }
        if let colon = path.firstIndex(of: ":"), path[colon...].hasPrefix("://"), String(path[..<colon]).isHTTPToken {
            throw ErrandError(.invalidURL, reason: "`path` is an absolute URL; set `url` instead")
        }
        return Self.joined(basePath, escaped)
    }

    /// Joins two paths with exactly one slash between them.
    private static func joined(_ base: String, _ path: String) -> String {
        switch (base.hasSuffix("/"), path.hasPrefix("/")) {
        case (true, true): base + path.dropFirst()
        case (false, false): base + "/" + path
        default: base + path
        }
    }
}

extension String {
    /// Returns `true` if this HTTP URL has a scheme in lowercase, and no query and no fragment.
    fileprivate var hasLowercaseSchemeAndNoQuery: Bool {
        withBytes { bytes in
            for byte in bytes where byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { return false }
            return bytes.starts(with: "http:".utf8) || bytes.starts(with: "https:".utf8)
        }
    }
}

/// The base URL of a service or an endpoint: a literal with or without a scheme, a text, or a `URL`.
///
/// ```swift
/// APIService(baseURL: "staging.example.com/v1")                        // https
/// APIService(baseURL: "localhost:8080")                                // http
/// APIService(baseURL: BaseURL("build-7:8080", isSecure: false))        // http
/// APIService(baseURL: BaseURL(url))
/// ```
///
/// A text without a scheme gets `https`, and `http` if its host is the machine itself: `localhost`, `127.0.0.1` or
/// `[::1]`.
///
/// A text that is not a URL fails the request with ``ErrandError/Code-swift.struct/invalidURL``.
public struct BaseURL: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The URL; `nil` if the text is not a valid URL.
    public let url: URL?

    /// Creates a base URL from a URL.
    public init(_ url: URL) {
        self.url = url
    }

    /// Creates a base URL from a text.
    ///
    /// - Parameters:
    ///   - text: A URL, with or without a scheme.
    ///   - isSecure: Whether a text without a scheme gets `https`, or `http` if `false`; `nil`, the default, decides by
    ///     the host.
    public init(_ text: String, isSecure: Bool? = nil) {
        let isSecure = isSecure ?? !text.beginsWithLoopbackHost
        url = URL(string: text.hasURLScheme ? text : (isSecure ? "https://" : "http://") + text)
    }

    /// Creates a base URL from a literal, with the scheme of ``init(_:isSecure:)`` unless it has one.
    public init(stringLiteral text: String) {
        self.init(text)
    }
}

extension BaseURL: Confidential {
    /// The URL without user information and query values.
    public var description: String { url?.redacted.absoluteString ?? "an invalid URL" }
}

extension String {
    /// Whether this text starts with a scheme and `://` (RFC 3986, section 3.1).
    fileprivate var hasURLScheme: Bool {
        guard let end = utf8.firstIndex(of: UInt8(ascii: ":")), utf8[end...].starts(with: "://".utf8),
            let first = utf8.first, first.isASCIILetter
        else { return false }
        return utf8[..<end].allSatisfy { $0.isASCIILetter || $0.isDigit || "+-.".utf8.contains($0) }
    }

    /// Whether this is the name or the address of a host on this machine: lowercased, and without brackets.
    package var isLoopback: Bool {
        if hasPrefix("127.") { return utf8.dropFirst(4).allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") } }
        return self == "localhost" || hasSuffix(".localhost") || self == "::1" || hasPrefix("::1%")
    }

    /// Whether this text without a scheme starts with a host that is the machine itself.
    fileprivate var beginsWithLoopbackHost: Bool {
        let text = lowercased()
        return ["localhost", "127.0.0.1", "[::1]"].contains { host in
            text.hasPrefix(host) && text.dropFirst(host.count).first.map { ":/?#".contains($0) } ?? true
        }
    }
}

extension UInt8 {
    fileprivate var isASCIILetter: Bool { 0x41...0x5A ~= self || 0x61...0x7A ~= self }
}

extension URL {
    /// The URL with `ws` replaced by `http`, and `wss` by `https` (RFC 6455, section 3).
    var withHTTPScheme: URL { withScheme(["ws": "http", "wss": "https"]) }
    /// The URL with `http` replaced by `ws`, and `https` by `wss`.
    package var withWebSocketScheme: URL { withScheme(["http": "ws", "https": "wss"]) }

    /// Whether this URL and another have the same origin. `ws` counts as `http`, and `wss` as `https`.
    func hasOrigin(of other: URL) -> Bool { Origin(withHTTPScheme) == Origin(other.withHTTPScheme) }

    private func withScheme(_ replacements: [String: String]) -> URL {
        guard let scheme, let replacement = replacements[scheme.lowercased()] else { return self }
        return URL(string: replacement + absoluteString.dropFirst(scheme.count)) ?? self
    }
}

/// The scheme, host and port of an HTTP URL (RFC 6454, section 4), to which credentials and limits belong.
package struct Origin: Hashable, Sendable, CustomStringConvertible {
    /// `http` or `https`.
    package let scheme: String
    /// The host in lowercase; an IPv6 address has no brackets.
    package let host: String
    /// The port of the URL, or the scheme's default port.
    package let port: Int

    /// Creates the origin of a URL; `nil` if the URL is not an HTTP URL with a host.
    package init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host?.lowercased(), !host.isEmpty
        else { return nil }
        self.scheme = scheme
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        port = url.port ?? Self.defaultPort(of: scheme)
    }

    /// The origin as text, such as `https://api.example.com` or `http://localhost:8080`. The scheme's default port is
    /// omitted.
    package var description: String {
        "\(scheme)://\(bracketedHost)\(port == Self.defaultPort(of: scheme) ? "" : ":\(port)")"
    }

    /// The host and port as error messages show them, such as `api.example.com:443` or `[::1]:8080`.
    package var address: String { "\(bracketedHost):\(port)" }

    private var bracketedHost: String { host.contains(":") ? "[\(host)]" : host }

    static func defaultPort(of scheme: String) -> Int { scheme == "https" ? 443 : 80 }
}

extension URLRequest {
    /// The origin of the URL; `nil` if the URL is not an HTTP URL.
    package var origin: Origin? { url.flatMap(Origin.init) }
}

extension URLComponents {
    /// The value of the `Host` field as it is sent: without the scheme's default port, and without the zone of an IPv6
    /// address, which has a meaning only on this machine (RFC 6874, section 4).
    package var hostField: String? {
        let defaultPort = Origin.defaultPort(of: scheme?.lowercased() ?? "http")
        return percentEncodedHost.map { host in
            let host = host.withoutZone
            return port.flatMap { $0 == defaultPort ? nil : "\(host):\($0)" } ?? host
        }
    }
}

extension StringProtocol {
    /// A host, with or without a port, without the zone of its IPv6 address: `[fe80::1%25eth0]:80` is `[fe80::1]:80`.
    package var withoutZone: String {
        guard first == "[", let zone = firstIndex(of: "%"), let end = self[zone...].firstIndex(of: "]") else {
            return String(self)
        }
        return String(self[..<zone]) + String(self[end...])
    }
}
