/// The scheme, host and port of an HTTP URL (RFC 6454, section 4): what credentials and limits belong to.
package struct Origin: Hashable, Sendable, CustomStringConvertible {
    /// `http` or `https`.
    package let scheme: String
    /// The host in small letters; an IPv6 address without its brackets.
    package let host: String
    /// The port of the URL, or the scheme's default port.
    package let port: Int

    /// The origin of a URL; `nil` when the URL is not an HTTP URL with a host.
    package init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host?.lowercased(), !host.isEmpty
        else { return nil }
        self.scheme = scheme
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        port = url.port ?? Self.defaultPort(of: scheme)
    }

    /// `https://api.example.com`, `http://localhost:8080`: the port is left out when it is the scheme's default.
    package var description: String {
        "\(scheme)://\(bracketedHost)\(port == Self.defaultPort(of: scheme) ? "" : ":\(port)")"
    }

    /// `api.example.com:443`, `[::1]:8080`: host and port as error messages show them.
    package var address: String { "\(bracketedHost):\(port)" }

    private var bracketedHost: String { host.contains(":") ? "[\(host)]" : host }

    private static func defaultPort(of scheme: String) -> Int { scheme == "https" ? 443 : 80 }
}

extension URLRequest {
    /// The origin of the URL; `nil` when that is not an HTTP URL.
    var origin: Origin? { url.flatMap(Origin.init) }
}
