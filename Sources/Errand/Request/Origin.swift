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

    private static func defaultPort(of scheme: String) -> Int { scheme == "https" ? 443 : 80 }
}

extension URLRequest {
    /// The origin of the URL; `nil` if the URL is not an HTTP URL.
    package var origin: Origin? { url.flatMap(Origin.init) }
}
