#if canImport(CCurl)
/// The connection settings of a ``CurlTransport``.
public struct CurlConfiguration: Sendable {
    /// The HTTP versions that a transport may use.
    public enum Version: Sendable {
        /// HTTP/2 if the server agrees to it during the TLS handshake (ALPN), HTTP/1.1 otherwise. HTTP/2 requires
        /// libcurl 7.88.
        case automatic
        /// HTTP/1.1 for all connections.
        case http1
        /// HTTP/2 for all connections, including those without TLS. For servers that are known to support it (RFC 9113,
        /// section 3.3). Requires libcurl 7.88.
        case http2PriorKnowledge
    }

    /// The proxy that connections use.
    public enum Proxy: Sendable {
        /// The proxy from `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, with the same meaning as in curl.
        /// libcurl reads them for each request. A thread of the transport that finds no proxy in them when it starts
        /// does not read them again.
        case environment
        /// No proxy, regardless of the environment.
        case none
        /// This proxy, as `http://host:port` or with another scheme that libcurl supports.
        ///
        /// The proxy forwards plain HTTP. TLS connections use a tunnel (CONNECT). `except` lists hosts and domains that
        /// are reached directly; `*` matches all hosts.
        case server(URL, user: String? = nil, password: String? = nil, except: [String] = [])
    }

    /// The timeout for connecting, including the name lookup and the TLS handshake, in whole milliseconds; 10 seconds
    /// by default. Less than a millisecond counts as a millisecond.
    public var connectTimeout = Duration.seconds(10)
    /// The timeout for a whole transfer, including the time in the queue; one week by default. A request can set its
    /// own timeout.
    public var resourceTimeout = Duration.seconds(7 * 24 * 60 * 60)
    /// The idle time, in whole seconds, after which the system checks whether the peer still responds (TCP keep-alive,
    /// RFC 9293, section 3.8.4). 60 seconds by default; less than a second disables the check. The system sends a
    /// probe, and repeats it after a third of this time. If the peer has not responded for ``unacknowledgedTimeout``,
    /// the connection is lost, and its requests fail with `networkConnectionLost`.
    public var keepAliveInterval = Duration.seconds(60)
    /// The time that sent data may stay unacknowledged before the connection counts as lost (the user timeout of RFC
    /// 5482). 90 seconds by default, and at least ``connectTimeout``. A connection is also lost if the server stops
    /// accepting a request body for that long.
    public var unacknowledgedTimeout = Duration.seconds(90)
    /// The maximum idle time of a connection that is reused, in whole seconds; 118 seconds by default, as in libcurl.
    /// Less than a second counts as a second.
    public var idleConnectionLifetime = Duration.seconds(118)
    /// The maximum age at which a connection is reused, in whole seconds. `nil`, the default, means no limit. Less than
    /// a second counts as a second.
    ///
    /// An older connection is closed. Requests thus reach servers that were added to a host name, and leave servers
    /// that were removed from it. An HTTP/2 connection is closed only when it is idle. Requires libcurl 7.80.
    public var connectionLifetime: Duration?
    /// The maximum number of open connections of a thread to one host, without those of WebSockets; 64 by default. Over
    /// HTTP/2, requests share connections. If it is less than 1, all requests fail with
    /// ``ErrandError/Code-swift.struct/invalidSetting``.
    public var maximumConnectionsPerHost = 64
    /// The maximum number of open connections of a thread to all hosts, without those of WebSockets; 512 by default.
    /// Also the maximum number of its active requests, even over HTTP/2. If it is less than 1, all requests fail with
    /// ``ErrandError/Code-swift.struct/invalidSetting``.
    ///
    /// Single requests to many hosts do not replace the connections that are used again and again. While more than half
    /// of this number are open or needed, the HTTP/1 connection of the first request to a host is closed after that
    /// request. Exceptions: another request to the host runs or waits, or the transport may use a proxy.
    public var maximumConnections = 512
    /// The number of threads of ``CurlTransport/executor``, at least 1; 1 by default.
    ///
    /// Each thread has its own connections. A task on the executor uses the connections of its thread, and any other
    /// task those of the first one. The other threads start when they are needed.
    public var executorThreads = 1
    /// The maximum size in bytes of a response's heads and trailers together; 256 KiB by default. They may also have at
    /// most 2,000 lines. The same size limits the extension of a chunk, and a proxy's response to CONNECT.
    public var maximumHeadSize = 256 << 10
    /// The HTTP versions that a transport may use. WebSockets and requests with trailer fields always use HTTP/1.1.
    public var version = Version.automatic
    /// The proxy that connections use.
    public var proxy = Proxy.environment
    /// The TLS settings: trusted authorities, client identity and protocol versions.
    public var tls = TLSConfiguration()
    /// The path of a Unix-domain socket that connections use in place of every host, such as a container engine's.
    public var unixSocketPath: String?
    /// The IP addresses for each `host:port`, in place of those from the name service. If a key has another form, or if
    /// a value is empty or has a text that is not an IP address, all requests fail with
    /// ``ErrandError/Code-swift.struct/invalidSetting``.
    public var resolvedHosts: [String: [String]] = [:]
    /// The keys of ``resolvedHosts`` in lowercase.
    var resolvedHostNames: Set<String> { Set(resolvedHosts.keys.map { $0.lowercased() }) }
    /// The name service that looks up the addresses of all other hosts; the system's by default.
    public var nameService = NameService.system
    /// The local IP address of connections, such as `192.0.2.7`, or a network interface, such as `eth1`.
    ///
    /// `nil`, the default, lets the system choose. If the machine has no such address or interface, requests fail with
    /// `cannotConnectToHost`.
    public var localAddress: String?

    /// Creates a configuration with the default values.
    public init() {}
}

extension CurlConfiguration: Confidential {
    /// The HTTP version, the proxy and the TLS settings, without secrets.
    public var description: String { "CurlConfiguration(version: \(version), proxy: \(proxy), tls: \(tls))" }
}

extension CurlConfiguration.Proxy: Confidential {
    /// The address of the proxy, without the user and the password.
    public var description: String {
        switch self {
        case .environment: "environment"
        case .none: "none"
        case .server(let url, let user, _, _): "\(url.redacted.absoluteString)\(user == nil ? "" : " with a user")"
        }
    }
}
#endif
