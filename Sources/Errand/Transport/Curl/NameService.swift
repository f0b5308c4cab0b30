#if canImport(CCurl)
/// The service that finds the addresses of a host.
///
/// ```swift
/// configuration.nameService = .function { host in
///     ResolvedHost(addresses: try await registry.instances(of: host), timeToLive: .seconds(5))
/// }
/// ```
///
/// If the transport may use a proxy, the proxy looks up host names, and a ``function(_:)`` is not called.
public enum NameService: Sendable {
    /// The system: `/etc/hosts`, DNS, and what else it is set up to ask.
    case system
    /// A DNS server that is asked over HTTPS (RFC 8484), at this URL. The system looks up that server's own name, if it has
    /// one, and TLS trusts it as it trusts other servers.
    case https(URL)
    /// A function, which is called with the host in small letters, once for all requests that wait for it.
    ///
    /// It is cancelled after ``CurlConfiguration/connectTimeout``, and the requests fail with `timedOut`. If it throws or has no
    /// address, they fail with `cannotFindHost`.
    case function(@Sendable (_ host: String) async throws -> ResolvedHost)
}

/// What a function says of a host, see ``NameService/function(_:)``.
public struct ResolvedHost: Sendable {
    /// IPv4 and IPv6 addresses, without brackets. They are tried in this order.
    public var addresses: [String]
    /// How long new connections may use them before the function is asked again; a minute by default, and 0 for no longer than
    /// the requests that wait now.
    public var timeToLive: Duration

    /// The addresses of a host.
    public init(addresses: [String], timeToLive: Duration = .seconds(60)) {
        self.addresses = addresses
        self.timeToLive = timeToLive
    }
}
#endif
