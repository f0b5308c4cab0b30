#if canImport(CCurl)
/// How a ``CurlTransport`` connects.
public struct CurlConfiguration: Sendable {
    /// Which versions of HTTP may be spoken.
    public enum Version: Sendable {
        /// HTTP/2 where TLS agrees on it (ALPN), HTTP/1.1 everywhere else.
        case automatic
        /// HTTP/1.1 everywhere.
        case http1
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
    /// How many connections to one host may be open; 64 by default. Over HTTP/2, requests share one.
    public var maximumConnectionsPerHost = 64
    /// How many connections may be open in all; 512 by default.
    public var maximumConnections = 512
    /// How many threads ``CurlTransport/executor`` has, 1 or more; 1 by default.
    ///
    /// Each is an engine, with connections of its own and the caps for itself. All but the first are used by tasks on the
    /// executor alone, and started for them.
    public var executorThreads = 1
    /// The most bytes that the head of an answer may have; 256 KiB by default.
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

    /// The defaults.
    public init() {}
}

/// Whom TLS trusts, and how it introduces itself.
///
/// The server's certificate and name are always verified, against the system's store. There is no switch that turns this
/// off: a server under test is trusted by adding its authority to ``additionalAuthorities``.
public struct TLSConfiguration: Sendable {
    /// A version of TLS.
    public enum Version: Sendable {
        /// RFC 5246.
        case tls12
        /// RFC 8446.
        case tls13
    }

    /// A client certificate.
    public struct Identity: Sendable {
        /// The certificate and those that lead to its authority, as a PEM file.
        public var certificateFile: String
        /// The private key, as a PEM file.
        public var keyFile: String
        /// What the key is encrypted with; nil when it is not.
        public var passphrase: String?

        /// A certificate and its key.
        public init(certificateFile: String, keyFile: String, passphrase: String? = nil) {
            self.certificateFile = certificateFile
            self.keyFile = keyFile
            self.passphrase = passphrase
        }
    }

    /// Certificates of authorities to be trusted besides the system's directory of them, as PEM.
    public var additionalAuthorities: Data?
    /// The public keys that a server may have: base64 of the SHA-256 of its SubjectPublicKeyInfo (RFC 7469, section
    /// 2.4). Empty means any; otherwise a server whose key is none of them is refused, however it is certified.
    public var pinnedPublicKeys: [String] = []
    /// How the client introduces itself; nil when it does not.
    public var identity: Identity?
    /// The oldest version that is spoken; TLS 1.2 by default.
    public var minimumVersion = Version.tls12

    /// The defaults: the system's store, TLS 1.2 or later.
    public init() {}
}
#endif
