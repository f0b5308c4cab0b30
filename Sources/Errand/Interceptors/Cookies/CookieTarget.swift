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
        isSecure = ["https", "wss"].contains(scheme) || Self.isLoopback(host)
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

    /// The host and its parent domains: `a.b.c`, `b.c`, `c`. An IP address has no parents, and neither has a name that
    /// is longer than DNS allows.
    var domains: [String] {
        guard host.utf8.count <= 253, !Self.isAddress(host) else { return [host] }
        let starts = host.indices.filter { $0 == host.startIndex || host[host.index(before: $0)] == "." }
        return starts.map { String(host[$0...]) }
    }

    private static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host.hasSuffix(".localhost") || host == "::1"
            || (host.hasPrefix("127.") && isAddress(host))
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
