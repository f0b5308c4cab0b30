#if canImport(CCurl)
/// How a ``CurlTransport`` connects.
public struct CurlConfiguration: Sendable {
    /// Which versions of HTTP may be spoken.
    public enum Version: Sendable {
        /// HTTP/2 where TLS agrees on it (ALPN), HTTP/1.1 everywhere else.
        case automatic
        /// HTTP/1.1 everywhere.
        case http1
        /// HTTP/2 everywhere, including connections without TLS, for servers that are known to support it (RFC 9113, section
        /// 3.3). Requires libcurl 7.88.
        case http2PriorKnowledge
    }

    /// Where connections go through.
    public enum Proxy: Sendable {
        /// What `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say, as users of curl expect: whether there is a
        /// proxy when the engine starts, and which for each request.
        case environment
        /// Straight to the server, whatever the environment says.
        case none
        /// Through this proxy: `http://host:port`, or any other scheme that libcurl takes.
        ///
        /// Plain HTTP is forwarded, TLS goes through a tunnel (CONNECT). `except` lists hosts and domains that are
        /// reached directly; `*` is all of them.
        case server(URL, user: String? = nil, password: String? = nil, except: [String] = [])
    }

    /// How long connecting may take, TLS included; 10 seconds by default.
    public var connectTimeout = Duration.seconds(10)
    /// How long all of a transfer may take, waiting included; a week by default. A request can set its own.
    public var resourceTimeout = Duration.seconds(7 * 24 * 60 * 60)
    /// How long a connection may be silent before the system asks the peer whether it is still there (TCP keep-alive,
    /// RFC 9293, section 3.8.4); 60 seconds by default, and 0 for never. A peer that leaves three of these questions
    /// unanswered, in as long again, has gone, and its requests fail with `networkConnectionLost`.
    public var keepAliveInterval = Duration.seconds(60)
    /// How long what was sent may stay unacknowledged before the connection counts as lost (the user timeout of RFC 5482);
    /// 90 seconds by default, and at least ``connectTimeout``. A server that takes nothing more of a body for that long
    /// loses the connection too.
    public var unacknowledgedTimeout = Duration.seconds(90)
    /// The longest time that an idle connection is kept, in whole seconds; 118 seconds by default.
    public var idleConnectionLifetime = Duration.seconds(118)
    /// The greatest age at which a connection is used again, in whole seconds. There is no limit by default, which is `nil`.
    ///
    /// An older connection is closed, so that requests reach servers that were added to a host name, and leave servers that were
    /// removed from it. An HTTP/2 connection is closed only when it is idle. Requires libcurl 7.80.
    public var connectionLifetime: Duration?
    /// How many connections to one host may be open; 64 by default. Over HTTP/2, requests share one.
    public var maximumConnectionsPerHost = 64
    /// How many connections may be open in all; 512 by default.
    public var maximumConnections = 512
    /// How many threads ``CurlTransport/executor`` has, 1 or more; 1 by default.
    ///
    /// Each is an engine, with connections of its own and the caps for itself. All but the first are used by tasks on the
    /// executor alone, and started for them.
    public var executorThreads = 1
    /// The most bytes that the head of an answer may have; 256 KiB by default. It may have 2,000 lines, whatever this is.
    public var maximumHeadSize = 256 << 10
    /// Which versions of HTTP may be spoken.
    public var version = Version.automatic
    /// Where connections go through.
    public var proxy = Proxy.environment
    /// Whom TLS trusts, and how it introduces itself.
    public var tls = TLSConfiguration()
    /// A Unix-domain socket to connect to in place of every host, as container engines are spoken to.
    public var unixSocketPath: String?
    /// Addresses for `host:port`, in place of what the name service says.
    public var resolvedHosts: [String: [String]] = [:]
    /// The name service that finds the addresses of all other hosts; the system's by default.
    public var nameService = NameService.system
    /// The local IP address of connections, such as `192.0.2.7`, or a network interface, such as `eth1`.
    ///
    /// `nil`, the default, lets the system choose. If the machine has no such address or interface, requests fail with
    /// `cannotConnectToHost`.
    public var localAddress: String?

    /// The defaults.
    public init() {}
}
#endif
