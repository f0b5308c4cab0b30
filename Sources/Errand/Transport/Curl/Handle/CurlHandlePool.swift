#if canImport(CCurl)
import CCurl

/// The handles that no transfer uses now. Belongs to the loop's thread.
final class CurlHandlePool {
    private let configuration: CurlConfiguration
    private let options: ConnectionOptions
    private let sockets: CurlSockets
    private var free: [CurlHandle] = []
    private var sessions = SharedSessions()
    /// How often the client's certificate was replaced.
    private var generation = 0

    init(_ configuration: CurlConfiguration, sockets: CurlSockets) {
        self.configuration = configuration
        self.sockets = sockets
        options = ConnectionOptions(configuration)
    }

    /// - Parameter isForCredential: Whether it will be given a credential. Then it has to be new: libcurl keeps the last
    ///   challenge that came to a handle, also without a credential, would answer it at another server, and take that one's
    ///   own for a refusal.
    func take(isForCredential: Bool = false) -> CurlHandle {
        if !isForCredential, let handle = free.popLast() { return handle }
        let handle = makeHandle(configuration.version)
        CurlTransfer.prepareCallbacks(of: handle)
        return handle
    }

    /// A handle that connects and does no more: what is read and written then is whoever asks for it.
    ///
    /// What comes over the connection is HTTP/1.1 to begin with, also where TLS has a choice, and goes through a proxy by way
    /// of a tunnel.
    ///
    /// - Parameter entry: The addresses of its host, where libcurl does not find them by itself.
    func makeConnecting(to url: String, resolving entry: String?) -> CurlHandle {
        let handle = makeHandle(.http1)
        handle.set(CCURLOPT_CONNECT_ONLY, 1)
        handle.set(CCURLOPT_HTTPPROXYTUNNEL, 1)
        handle.set(CCURLOPT_TCP_NODELAY, 1)
        handle.tunnelAllowance = configuration.maximumHeadSize
        handle.setURL(url)
        handle.setResolvedHost(entry)
        return handle
    }

    /// Has new connections introduce the client in another way. Those that stand are not used for new requests, since libcurl
    /// looks at the certificate that each was made with.
    func renew(_ identity: TLSConfiguration.Identity) {
        options.renew(identity)
        generation += 1
        free = []
        sessions = SharedSessions()
    }

    var mayUseProxy: Bool { options.mayUseProxy }

    /// Keeps a handle for the next transfer: as many as there may be connections, of all hosts.
    func give(back handle: CurlHandle) {
        guard handle.canBeUsedAgain, handle.generation == generation else { return }
        if free.count < configuration.maximumConnections { free.append(handle) }
    }

    func removeAll() {
        free = []
    }

    private func makeHandle(_ version: CurlConfiguration.Version) -> CurlHandle {
        // Where there is no memory for a handle, there is none for an error that says so: as Swift itself, it ends here.
        guard let easy = ccurl_easy_init() else { fatalError("libcurl cannot make a handle: out of memory") }
        let handle = CurlHandle(easy, version, generation: generation)
        options.apply(to: handle)
        if options.mayUseProxy { handle.boundTunnelAnswers() }
        sessions.apply(to: handle)
        sockets.watchOpening(by: handle)
        return handle
    }
}
#endif
