#if canImport(CCurl)
import CCurl

/// One easy handle, used for many transfers: what never changes is set once. Belongs to the loop's thread.
final class CurlHandle {
    let easy: OpaquePointer
    /// Whether HTTP/2 may be spoken: over TLS, or everywhere.
    let speaksHTTP2: Bool
    let hasPriorKnowledge: Bool
    /// How often the client certificate had been replaced when this handle was made.
    let generation: Int
    /// Registers the sockets that libcurl opens for this handle.
    var sockets: CurlSockets?
    /// Kept, since libcurl uses them as long as the handle lives.
    var sessions: SharedSessions?
    /// Whom the callbacks speak to; the loop keeps it alive.
    unowned(unsafe) var transfer: CurlTransfer?
    /// The connection of the transfer that is under way, as far as libcurl has waited for it.
    var descriptor: Int32?
    /// How many more bytes a proxy may answer to CONNECT with; less than zero when it has exceeded that.
    var tunnelAllowance = 0
    /// Why it can send nothing: libcurl has refused an option, or a setting is not valid.
    private(set) var refusal: ErrandError?
    /// The list that the handle reads its header fields from, and what is in it; freed when it is replaced.
    private var fields: UnsafeMutablePointer<CCurlList>?
    /// The addresses of the latest host, where a function has given them.
    private var resolvedHost: UnsafeMutablePointer<CCurlList>?
    /// Where libcurl writes the sentence about a failure.
    private let sentence = UnsafeMutablePointer<CChar>.allocate(capacity: CCURL_ERROR_SIZE)
    private var latestFields: FieldLines?
    /// Whether it was given a credential: then it is not used again.
    private(set) var hasCredential = false
    /// Whether libcurl may have sent a request with it again, or have tried to. It counts that for as long as a handle
    /// lives, and gives up after five (until curl 8.17), so that such a handle is not used again either.
    var mayHaveRetried = false
    private var shape: Shape?
    private(set) var latestURL = ""
    /// The Unix-domain socket that the handle connects to in place of every host.
    var unixSocketPath: String?
    /// Where its connections come from; nil leaves that to the system.
    var localAddress: String?
    /// How long connecting may take.
    var connectTimeout = Duration.zero
    /// The URL as libcurl has taken it apart; it reads it with each transfer.
    private let parsedURL: OpaquePointer
    private var latestRemote: Remote?

    /// What a request is like apart from its URL and its header fields: most are like the last one.
    struct Shape: Equatable {
        var method: String
        /// Nil without a body, -1 for one of unknown length.
        var bodySize: Int64?
        var isSecure: Bool
        /// Whether a connection that was used before must not be used: see ``LibraryVersion``.
        var needsNewConnection: Bool
        /// Whether the body has trailer fields, which libcurl sends over HTTP/1.1 alone.
        var hasTrailers: Bool
    }

    private struct Remote {
        var ip: String
        var port: Int
        var text: String
    }

    init(_ easy: OpaquePointer, _ version: CurlConfiguration.Version, generation: Int) {
        self.easy = easy
        speaksHTTP2 = version != .http1 && LibraryVersion.current.speaksHTTP2
        hasPriorKnowledge = version == .http2PriorKnowledge
        self.generation = generation
        // Nil for want of memory, for which there is no error either; see `makeHandle`.
        guard let parsedURL = ccurl_url_init() else { fatalError("libcurl cannot make a URL: out of memory") }
        self.parsedURL = parsedURL
        sentence.initialize(repeating: 0, count: CCURL_ERROR_SIZE)
        set(CCURLOPT_ERRORBUFFER, context: UnsafeMutableRawPointer(sentence))
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
        ccurl_list_free(resolvedHost)
        sentence.deallocate()
    }

    /// Whether another transfer may use it. After trailers, libcurl 7.88 writes the next body in chunks outside its buffer.
    var canBeUsedAgain: Bool { !hasCredential && !mayHaveRetried && refusal == nil && shape?.hasTrailers != true }

    /// What libcurl says about the failure; empty when it says nothing.
    var failureSentence: String { String(cString: sentence) }

    /// libcurl leaves the sentence of the last transfer where it is.
    func forgetFailure() {
        sentence.pointee = 0
    }

    /// Whether the latest transfer went over TLS.
    var isSecure: Bool { shape?.isSecure ?? false }

    /// Whether the latest transfer could speak HTTP/2.
    var mayMultiplex: Bool { speaksHTTP2 && (isSecure || hasPriorKnowledge) }

    /// Whether the latest transfer may have shared its connection with others.
    var isMultiplexed: Bool { mayMultiplex && long(CCURLINFO_HTTP_VERSION) >= CCURL_HTTP_VERSION_2_0 }

    /// The other end of the connection; made anew only when it is another than the last time.
    var remoteAddress: String? {
        guard let ip = ccurl_get_string(easy, Int32(CCURLINFO_PRIMARY_IP)) else { return nil }
        let port = long(CCURLINFO_PRIMARY_PORT)
        if let latest = latestRemote, latest.port == port, latest.ip.isEqual(to: ip) { return latest.text }
        let text = String(cString: ip)
        let isIPv6 = text.utf8.contains(UInt8(ascii: ":"))
        let remote = Remote(ip: text, port: port, text: isIPv6 ? "[\(text)]:\(port)" : "\(text):\(port)")
        latestRemote = remote
        return remote.text
    }

    func offset(_ info: Int) -> Int64 { ccurl_get_offset(easy, Int32(info)) }
    func long(_ info: Int) -> Int { ccurl_get_long(easy, Int32(info)) }
}

// What a request sets.
extension CurlHandle {
    /// Where the next transfer goes.
    func setURL(_ url: String) {
        guard url != latestURL else { return }
        latestURL = url
        // From the text alone, libcurl takes it apart and (before 8.12) puts it together again for each transfer. What it
        // cannot take apart here it refuses there. An IPv6 address may have a zone, which (before 8.3) it loses from here.
        let isParsed = !url.utf8.contains(UInt8(ascii: "[")) && ccurl_url_parse(parsedURL, url)
        // In this order: a later version forgets the text when it is told that there is no other form.
        set(CCURLOPT_CURLU, context: isParsed ? UnsafeMutableRawPointer(parsedURL) : nil)
        set(CCURLOPT_URL, url)
    }

    func setShape(_ new: Shape) {
        guard new != shape else { return }
        shape = new
        if new.hasTrailers { CurlTransfer.sendTrailers(by: self) }
        // In this order: each says something about the method, and the last word is the request's.
        set(CCURLOPT_UPLOAD, new.bodySize == nil ? 0 : 1)
        set(CCURLOPT_NOBODY, new.method == "HEAD" ? 1 : 0)
        set(CCURLOPT_CUSTOMREQUEST, new.method == "HEAD" ? nil : new.method)
        set(CCURLOPT_INFILESIZE_LARGE, new.bodySize ?? -1)
        set(CCURLOPT_FRESH_CONNECT, new.needsNewConnection ? 1 : 0)
        // Wait for a connection that may turn out to be HTTP/2, in place of opening another. Only TLS agrees on that at
        // once: without it libcurl waits for the first answer, however long that takes.
        set(CCURLOPT_PIPEWAIT, mayMultiplex && !new.needsNewConnection ? 1 : 0)
        // libcurl tells of farewells in its log alone, which costs time for each line.
        if speaksHTTP2, LibraryVersion.current.mistakesConnectionErrorsForEnds {
            set(CCURLOPT_VERBOSE, mayMultiplex ? 1 : 0)
        }
        let version = hasPriorKnowledge ? CCURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE : CCURL_HTTP_VERSION_2TLS
        set(CCURLOPT_HTTP_VERSION, speaksHTTP2 && !new.hasTrailers ? version : CCURL_HTTP_VERSION_1_1)
    }

    /// Gives libcurl the addresses of a host, or leaves it to find them.
    ///
    /// - Parameter entry: As libcurl's own table of names has it.
    func setResolvedHost(_ entry: String?) {
        guard entry != nil || resolvedHost != nil else { return }
        let old = resolvedHost
        resolvedHost = entry.flatMap { ccurl_list_append(nil, $0) }
        set(CCURLOPT_RESOLVE, context: resolvedHost.map { UnsafeMutableRawPointer($0) })
        ccurl_list_free(old)
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
        set(CCURLOPT_HTTPHEADER, context: fields.map { UnsafeMutableRawPointer($0) })
        ccurl_list_free(old)
        return new.asksForCoding
    }
}

// One option at a time. What libcurl refuses is remembered.
extension CurlHandle {
    func set(_ option: Int, _ value: Int) {
        note(ccurl_set_long(easy, Int32(option), value), of: option)
    }

    func set(_ option: Int, _ value: Int64) {
        note(ccurl_set_offset(easy, Int32(option), value), of: option)
    }

    /// libcurl copies strings; nil puts the default back.
    func set(_ option: Int, _ value: String?) {
        guard let value else { return note(ccurl_set_pointer(easy, Int32(option), nil), of: option) }
        note(value.withCString { ccurl_set_pointer(easy, Int32(option), $0) }, of: option)
    }

    func set(_ option: Int, context: UnsafeMutableRawPointer?) {
        note(ccurl_set_pointer(easy, Int32(option), context), of: option)
    }

    /// Looks at what became of an option.
    func note(_ code: Int32, of option: Int) {
        guard code != CCURLE_OK else { return }
        let text = String(cString: ccurl_error_text(code))
        let reason = "libcurl \(LibraryVersion.current.name) does not take the option \(option): \(text)"
        refuse(ErrandError(.unsupportedByTransport, reason: reason))
    }

    /// Has every transfer fail with an error, unless there was one before.
    func refuse(_ error: ErrandError) {
        refusal = refusal ?? error
    }
}

extension String {
    /// Whether the text is the same, without a copy of it.
    fileprivate func isEqual(to text: UnsafePointer<CChar>) -> Bool {
        withBytes { bytes in
            guard strlen(text) == bytes.count, let own = bytes.baseAddress else { return false }
            return memcmp(text, own, bytes.count) == 0
        }
    }
}
#endif
