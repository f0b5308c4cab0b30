#if canImport(CCurl)
import CCurl

/// One easy handle, used again and again: what never changes is set once.
final class CurlHandle {
    let easy: OpaquePointer
    /// Whether HTTP/2 may be spoken, over TLS.
    let speaksHTTP2: Bool
    /// Whom the callbacks speak to; the loop keeps it alive.
    unowned(unsafe) var transfer: CurlTransfer?
    /// The connection of the transfer that is under way, as far as libcurl has waited for it.
    var descriptor: Int32?
    /// The list that the handle reads its header fields from, and what is in it; freed when it is replaced.
    private var fields: UnsafeMutablePointer<CCurlList>?
    /// Where libcurl writes the sentence about a failure.
    private let sentence = UnsafeMutablePointer<CChar>.allocate(capacity: CCURL_ERROR_SIZE)
    private var latestFields: FieldLines?
    /// Whether it was given a credential: then it is not used again.
    private(set) var hasCredential = false
    /// Whether libcurl may have sent a request with it again, or have tried to. It counts that for as long as a handle lives,
    /// and gives up after five (until curl 8.17), so that such a handle is not used again either.
    var mayHaveRetried = false
    private var shape: Shape?
    private(set) var latestURL = ""
    /// The Unix-domain socket that the handle connects to in place of every host.
    var unixSocketPath: String?
    /// How long connecting may take.
    var connectTimeout = Duration.zero
    /// The URL as libcurl has taken it apart; it reads it with each transfer.
    private let parsedURL: OpaquePointer

    /// What a request is like apart from its URL and its header fields: most are as the last one was.
    struct Shape: Equatable {
        var method: String
        /// Nil without a body, -1 for one of unknown length.
        var bodySize: Int64?
        var isSecure: Bool
    }

    /// The most bytes that are read from a socket at once: 64 KiB. With libcurl's own 16 KiB, a download asks the system four
    /// times as often; with more, what a paused transfer holds grows by as much.
    static let receiveBufferSize = 64 << 10

    init(_ easy: OpaquePointer, speaksHTTP2: Bool) {
        self.easy = easy
        self.speaksHTTP2 = speaksHTTP2
        // Nil for want of memory, for which there is no error either; see `makeHandle`.
        guard let parsedURL = ccurl_url_init() else { fatalError("libcurl cannot make a URL: out of memory") }
        self.parsedURL = parsedURL
        sentence.initialize(repeating: 0, count: CCURL_ERROR_SIZE)
        ccurl_set_pointer(easy, Int32(CCURLOPT_ERRORBUFFER), sentence)
        set(CCURLOPT_BUFFERSIZE, Self.receiveBufferSize)
    }

    /// The handle behind the context of a callback.
    static func at(_ context: UnsafeMutableRawPointer?) -> CurlHandle {
        guard let context else { preconditionFailure("Every handle sets the context of its callbacks") }
        return Unmanaged<CurlHandle>.fromOpaque(context).takeUnretainedValue()
    }

    deinit {
        ccurl_easy_cleanup(easy)
        ccurl_url_cleanup(parsedURL)
        ccurl_list_free(fields)
        sentence.deallocate()
    }

    /// What libcurl says about the failure; empty when it says nothing.
    var failureSentence: String { String(cString: sentence) }

    /// libcurl leaves the sentence of the last transfer where it is.
    func forgetFailure() {
        sentence.pointee = 0
    }

    /// Whether the latest transfer went over TLS.
    var isSecure: Bool { shape?.isSecure ?? false }

    func set(_ option: Int, _ value: Int) {
        ccurl_set_long(easy, Int32(option), value)
    }

    func set(_ option: Int, _ value: Int64) {
        ccurl_set_offset(easy, Int32(option), value)
    }

    /// Where the next transfer goes.
    func setURL(_ url: String) {
        guard url != latestURL else { return }
        latestURL = url
        set(CCURLOPT_URL, url)
        // From the text alone, libcurl takes it apart and (before 8.12) puts it together again for each transfer. What it
        // cannot take apart here it refuses there. An IPv6 address may have a zone, which (before 8.3) it loses from here.
        let isParsed = !url.utf8.contains(UInt8(ascii: "[")) && ccurl_url_parse(parsedURL, url)
        set(CCURLOPT_CURLU, context: isParsed ? UnsafeMutableRawPointer(parsedURL) : nil)
    }

    /// libcurl copies strings; nil puts the default back.
    func set(_ option: Int, _ value: String?) {
        if let value {
            _ = value.withCString { ccurl_set_pointer(easy, Int32(option), $0) }
        } else {
            ccurl_set_pointer(easy, Int32(option), nil)
        }
    }

    func set(_ option: Int, context: UnsafeMutableRawPointer?) {
        ccurl_set_pointer(easy, Int32(option), context)
    }

    func setNoProxy() {
        set(CCURLOPT_PROXY, "")
        set(CCURLOPT_NOPROXY, "")
    }

    /// Says who asks for a tunnel; a server is told by the request's own fields.
    func introduceToProxy() {
        set(CCURLOPT_USERAGENT, "Errand")
    }

    func setShape(_ new: Shape) {
        guard new != shape else { return }
        shape = new
        // In this order: each says something about the method, and the last word is the request's.
        set(CCURLOPT_UPLOAD, new.bodySize == nil ? 0 : 1)
        set(CCURLOPT_NOBODY, new.method == "HEAD" ? 1 : 0)
        set(CCURLOPT_CUSTOMREQUEST, new.method == "HEAD" ? nil : new.method)
        set(CCURLOPT_INFILESIZE_LARGE, new.bodySize ?? -1)
        // Wait for a connection that may turn out to be HTTP/2, in place of opening another. Only TLS agrees on that at
        // once: without it libcurl waits for the first answer, however long that takes.
        set(CCURLOPT_PIPEWAIT, new.isSecure && speaksHTTP2 ? 1 : 0)
    }

    /// Has libcurl answer a Digest challenge, and no other.
    func answerDigest(with credential: PasswordCredential) {
        hasCredential = true
        set(CCURLOPT_HTTPAUTH, CCURLAUTH_DIGEST)
        set(CCURLOPT_USERNAME, credential.user)
        set(CCURLOPT_PASSWORD, credential.password)
    }

    /// The requests of an API mostly have the same.
    ///
    /// - Returns: Whether the caller asks for a content coding, and will undo it.
    func setFields(_ values: [String: String], framing: FieldLines.Framing) -> Bool {
        if let latestFields, latestFields.framing == framing, latestFields.values == values {
            return latestFields.asksForCoding
        }
        let new = FieldLines(values, framing: framing)
        latestFields = new
        let old = fields
        fields = new.lines.reduce(nil) { ccurl_list_append($0, $1) ?? $0 }
        ccurl_set_pointer(easy, Int32(CCURLOPT_HTTPHEADER), fields)
        ccurl_list_free(old)
        return new.asksForCoding
    }

    /// The other end of the connection; made anew only when it is another than the last time.
    var remoteAddress: String? {
        guard let ip = ccurl_get_string(easy, Int32(CCURLINFO_PRIMARY_IP)) else { return nil }
        let port = long(CCURLINFO_PRIMARY_PORT)
        if let latest = latestRemote, latest.port == port, strcmp(latest.ip, ip) == 0 { return latest.text }
        let text = String(cString: ip)
        let isIPv6 = text.utf8.contains(UInt8(ascii: ":"))
        let remote = Remote(ip: text, port: port, text: isIPv6 ? "[\(text)]:\(port)" : "\(text):\(port)")
        latestRemote = remote
        return remote.text
    }

    private var latestRemote: Remote?

    private struct Remote {
        var ip: String
        var port: Int
        var text: String
    }

    func offset(_ info: Int) -> Int64 { ccurl_get_offset(easy, Int32(info)) }
    func long(_ info: Int) -> Int { ccurl_get_long(easy, Int32(info)) }
}

/// The handles that no transfer uses now.
final class CurlHandlePool {
    private let configuration: CurlConfiguration
    private let sockets: CurlSockets
    private let resolved: UnsafeMutablePointer<CCurlList>?
    private let environmentNamesProxy: Bool
    private var free: [CurlHandle] = []

    init(_ configuration: CurlConfiguration, sockets: CurlSockets) {
        self.configuration = configuration
        self.sockets = sockets
        resolved = configuration.resolvedHosts.sorted { $0.key < $1.key }.reduce(nil) { list, host in
            ccurl_list_append(list, "\(host.key):\(host.value.joined(separator: ","))") ?? list
        }
        let environment = ProcessInfo.processInfo.environment
        environmentNamesProxy = ["http", "https", "all"].contains { scheme in
            ["\(scheme)_proxy", "\(scheme)_proxy".uppercased()].contains { environment[$0]?.isEmpty == false }
        }
    }

    deinit {
        ccurl_list_free(resolved)
    }

    /// - Parameter isForCredential: Whether it will be given a credential. Then it has to be new: libcurl keeps the last
    ///   challenge that came to a handle, also without a credential, would answer it at another server, and take that one's
    ///   own for a refusal.
    func take(isForCredential: Bool = false) -> CurlHandle {
        if !isForCredential, let handle = free.popLast() { return handle }
        let handle = makeHandle(speaksHTTP2: configuration.version == .automatic)
        CurlTransfer.prepareCallbacks(of: handle)
        return handle
    }

    /// A handle that connects and does no more: what is read and written then is whoever asks for it.
    ///
    /// What comes over the connection is HTTP/1.1 to begin with, also where TLS has a choice, and goes through a proxy by way
    /// of a tunnel.
    func makeConnecting(to url: String) -> CurlHandle {
        let handle = makeHandle(speaksHTTP2: false)
        handle.set(CCURLOPT_CONNECT_ONLY, 1)
        handle.set(CCURLOPT_HTTPPROXYTUNNEL, 1)
        handle.set(CCURLOPT_TCP_NODELAY, 1)
        handle.setURL(url)
        return handle
    }

    private func makeHandle(speaksHTTP2: Bool) -> CurlHandle {
        // Where there is no memory for a handle, there is none for an error that says so: as Swift itself, it ends here.
        guard let easy = ccurl_easy_init() else { fatalError("libcurl cannot make a handle: out of memory") }
        let handle = CurlHandle(easy, speaksHTTP2: speaksHTTP2)
        prepare(handle)
        return handle
    }

    func give(back handle: CurlHandle) {
        if !handle.hasCredential, !handle.mayHaveRetried, free.count < configuration.maximumConnectionsPerHost {
            free.append(handle)
        }
    }

    func removeAll() {
        free = []
    }

    private func prepare(_ handle: CurlHandle) {
        handle.set(CCURLOPT_NOSIGNAL, 1)
        sockets.watchOpening(by: handle)
        // What comes is decoded here, not by libcurl.
        handle.set(CCURLOPT_HTTP_CONTENT_DECODING, 0)
        handle.set(CCURLOPT_PROTOCOLS, CCURLPROTO_HTTP | CCURLPROTO_HTTPS)
        handle.set(CCURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        handle.connectTimeout = configuration.connectTimeout
        handle.unixSocketPath = configuration.unixSocketPath
        handle.set(CCURLOPT_CONNECTTIMEOUT_MS, max(Int(configuration.connectTimeout.nanoseconds / 1_000_000), 1))
        handle.set(
            CCURLOPT_HTTP_VERSION,
            handle.speaksHTTP2 ? CCURL_HTTP_VERSION_2TLS : CCURL_HTTP_VERSION_1_1)
        handle.set(CCURLOPT_UNIX_SOCKET_PATH, configuration.unixSocketPath)
        if let resolved { handle.set(CCURLOPT_RESOLVE, context: resolved) }
        prepareProxy(of: handle)
        prepareTLS(of: handle)
    }

    private func prepareProxy(of handle: CurlHandle) {
        switch configuration.proxy {
        case .environment:
            // Where nothing is said, libcurl would ask the environment for six names again with every request.
            if environmentNamesProxy { handle.introduceToProxy() } else { handle.setNoProxy() }
        case .none:
            handle.setNoProxy()
        case .server(let url, let user, let password, let exceptions):
            handle.set(CCURLOPT_PROXY, url.absoluteString)
            handle.introduceToProxy()
            handle.set(CCURLOPT_NOPROXY, exceptions.joined(separator: ","))
            if let user {
                handle.set(CCURLOPT_PROXYUSERPWD, "\(user.escapedUser):\(password.map(\.escapedUser) ?? "")")
            }
        }
    }

    private func prepareTLS(of handle: CurlHandle) {
        let tls = configuration.tls
        handle.set(
            CCURLOPT_SSLVERSION, tls.minimumVersion == .tls13 ? CCURL_SSLVERSION_TLSv1_3 : CCURL_SSLVERSION_TLSv1_2)
        tls.additionalAuthorities?.withUnsafeBytes { bytes in
            _ = ccurl_set_blob(handle.easy, Int32(CCURLOPT_CAINFO_BLOB), bytes.baseAddress, bytes.count)
        }
        if !tls.pinnedPublicKeys.isEmpty {
            handle.set(
                CCURLOPT_PINNEDPUBLICKEY, tls.pinnedPublicKeys.map { "sha256//\($0)" }.joined(separator: ";"))
        }
        if let identity = tls.identity {
            handle.set(CCURLOPT_SSLCERT, identity.certificateFile)
            handle.set(CCURLOPT_SSLKEY, identity.keyFile)
            // Empty rather than none, with which OpenSSL asks at the terminal, and the engine waits for an answer.
            handle.set(CCURLOPT_KEYPASSWD, identity.passphrase ?? "")
        }
    }
}

extension String {
    /// libcurl takes user and password in the escaped form of a URL.
    fileprivate var escapedUser: String {
        addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? self
    }
}
#endif
