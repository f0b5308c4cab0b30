#if canImport(CCurl)
/// The service that looks up the addresses of a host.
///
/// ```swift
/// configuration.nameService = .function { host in
///     ResolvedHost(addresses: try await registry.instances(of: host), timeToLive: .seconds(5))
/// }
/// ```
///
/// If the transport may use a proxy, a ``function(_:)`` is not called: the proxy or the system looks up host names.
public enum NameService: Sendable {
    /// The system's service: `/etc/hosts`, DNS and other configured sources.
    case system
    /// DNS over HTTPS (RFC 8484), with the server at this URL. If the URL contains a host name, the system looks it up.
    /// TLS verifies this server in the same way as other servers.
    case https(URL)
    /// A function that returns the addresses of a lowercase host name. Each thread of the transport calls it once for
    /// all requests that wait for that host.
    ///
    /// After ``CurlConfiguration/connectTimeout`` the function is cancelled, and the requests fail with `timedOut`. If
    /// it throws, or returns no address or a text that is not an address, they fail with `cannotFindHost`.
    case function(@Sendable (_ host: String) async throws -> ResolvedHost)
}

/// The result of ``NameService/function(_:)``: the addresses of a host.
public struct ResolvedHost: Sendable {
    /// The IPv4 and IPv6 addresses, without brackets, in the order in which they are tried.
    public var addresses: [String]
    /// The time for which new connections may use the addresses before the function is called again. One minute by
    /// default. With 0, only the requests that already wait use them.
    public var timeToLive: Duration

    /// Creates a result with the addresses of a host.
    public init(addresses: [String], timeToLive: Duration = .seconds(60)) {
        self.addresses = addresses
        self.timeToLive = timeToLive
    }
}

extension NameService: Confidential {
    /// The kind of name service, or its URL without secrets.
    public var description: String {
        switch self {
        case .system: "system"
        case .https(let url): url.redacted.absoluteString
        case .function: "function"
        }
    }
}
#endif
