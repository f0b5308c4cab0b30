#if canImport(CCurl)
import CCurl

/// The pool of handles that no transfer uses. Belongs to the loop's thread.
final class CurlHandlePool {
    private let configuration: CurlConfiguration
    private let options: ConnectionOptions
    private let sockets: CurlSockets
    private var free: [CurlHandle] = []
    private var sessions = SharedSessions()
    /// The number of client certificate renewals.
    private var generation = 0

    init(_ configuration: CurlConfiguration, sockets: CurlSockets) {
        self.configuration = configuration
        self.sockets = sockets
        options = ConnectionOptions(configuration)
    }

    /// Returns an unused handle, or a new one.
    func take() -> CurlHandle {
        if let handle = free.popLast() { return handle }
        let handle = makeHandle(configuration.version)
        handle.prepareCallbacks()
        return handle
    }

    /// Returns a handle that only connects; the caller reads and writes the data.
    ///
    /// The connection starts with HTTP/1.1, even if TLS offers a choice, and uses a tunnel to pass a proxy.
    ///
    /// - Parameter entry: The addresses of the host, if libcurl does not look them up itself.
    func makeConnecting(to url: String, resolving entry: String?) -> CurlHandle {
        let handle = makeHandle(.http1)
        handle.set(CCURLOPT_HTTP_VERSION, CCURL_HTTP_VERSION_1_1)
        handle.set(CCURLOPT_CONNECT_ONLY, 1)
        handle.set(CCURLOPT_HTTPPROXYTUNNEL, 1)
        handle.tunnelAllowance = configuration.maximumHeadSize
        handle.setURL(url)
        handle.setHosts(entry.map { [$0] } ?? [])
        return handle
    }

    /// Uses another client certificate for new connections. New requests do not use existing connections that were made
    /// with another certificate. libcurl compares the data of a certificate, or the path of its file: a file of the
    /// same path counts as the same certificate.
    func renew(_ identity: TLSConfiguration.Identity) {
        options.renew(identity)
        generation += 1
        free = []
        sessions = SharedSessions()
    }

    var mayUseProxy: Bool { options.mayUseProxy }

    /// Keeps a handle for a later transfer if it can be used again. The pool holds at most as many handles as there may
    /// be connections to all hosts.
    func give(back handle: CurlHandle) {
        guard handle.canBeUsedAgain, handle.generation == generation else { return }
        if free.count < configuration.maximumConnections { free.append(handle) }
    }

    func removeAll() {
        free = []
    }

    private func makeHandle(_ version: CurlConfiguration.Version) -> CurlHandle {
        // Without memory for a handle, there is no memory for an error either. Therefore the process ends, as in Swift
        // itself.
        guard let easy = ccurl_easy_init() else { fatalError("libcurl cannot make a handle: out of memory") }
        let handle = CurlHandle(easy, version, generation: generation)
        options.apply(to: handle)
        handle.mayUseProxy = options.mayUseProxy
        if options.mayUseProxy { handle.limitTunnelResponses() }
        sessions.apply(to: handle)
        sockets.watchOpening(by: handle)
        return handle
    }
}

/// The TLS sessions of an engine's handles. A new connection to a server can resume the session of an earlier one.
/// Belongs to the loop's thread, so that libcurl needs no lock.
///
/// libcurl resumes a session only for the same host with the same settings: authorities, pins, versions and client
/// certificate.
final class SharedSessions {
    private let share: OpaquePointer?

    init() {
        share = ccurl_share_sessions()
    }

    deinit {
        if let share { ccurl_share_free(share) }
    }

    /// Makes a handle use the sessions. Without memory for the share, each handle keeps its own sessions.
    func apply(to handle: CurlHandle) {
        guard let share else { return }
        handle.set(CCURLOPT_SHARE, context: UnsafeMutableRawPointer(share))
        handle.sessions = self
    }
}
#endif
