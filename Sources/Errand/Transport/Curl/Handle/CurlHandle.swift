#if canImport(CCurl)
import CCurl

/// An easy handle, which is used for many transfers or for one ``CurlWire``. Options that never change are set once.
/// Belongs to the loop's thread.
final class CurlHandle {
    let easy: OpaquePointer
    /// Whether the handle may use HTTP/2, over TLS or for all connections.
    let speaksHTTP2: Bool
    /// Whether the handle uses HTTP/2 without TLS too.
    let hasPriorKnowledge: Bool
    /// The number of client certificate renewals before this handle was created.
    let generation: Int
    /// Registers the sockets that libcurl opens for this handle.
    var sockets: CurlSockets?
    /// The shared TLS sessions, retained because libcurl uses them during the lifetime of the handle.
    var sessions: SharedSessions?
    /// The transfer that the callbacks use; the loop keeps it alive.
    unowned(unsafe) var transfer: CurlTransfer?
    /// Whether libcurl may keep the connection after the current transfer.
    var keepsConnection = true {
        didSet {
            if keepsConnection != oldValue { set(CCURLOPT_FORBID_REUSE, keepsConnection ? 0 : 1) }
        }
    }
    /// Whether libcurl reports its log and the bytes that it reads. Each report costs time.
    var isLogged = false { didSet { setLog(wasOn: oldValue || checksNextLine) } }
    /// Whether libcurl reports the next line of the head to its log: see ``CurlTransfer/checkNextLine()``.
    var checksNextLine = false { didSet { setLog(wasOn: oldValue || isLogged) } }
    /// Whether an earlier transfer has used the handle.
    var wasUsed = false
    /// The socket of the current transfer's connection, once libcurl has waited for it.
    var descriptor: Int32?
    /// The number of bytes that a proxy may still send in response to CONNECT; negative after the limit is exceeded.
    var tunnelAllowance = 0
    /// The error that prevents all transfers: libcurl rejected an option, or a setting is invalid.
    private(set) var refusal: ErrandError?
    /// The header fields, which libcurl reads without copying them; freed when they are replaced.
    private var fields: UnsafeMutablePointer<CCurlList>?
    /// The entries of libcurl's host table that come from the configuration.
    private var configuredHosts: [String] = []
    /// The entries that libcurl reads at the start of the latest transfer; freed when they are replaced.
    private var hosts: UnsafeMutablePointer<CCurlList>?
    /// Whether ``hosts`` has entries of the latest transfer.
    private var hasOwnHosts = false
    /// The buffer for libcurl's error message.
    private let sentence = UnsafeMutablePointer<CChar>.allocate(capacity: CCURL_ERROR_SIZE)
    private var latestFields: FieldLines?
    /// Whether libcurl may have retried a request with this handle. libcurl counts retries over the lifetime of a
    /// handle and gives up after five (until curl 8.17). Therefore such a handle is not reused.
    var mayHaveRetried = false
    private var shape: Shape?
    private(set) var latestURL = ""
    /// The request target, if libcurl would not form it from the URL; otherwise `nil`.
    private var target: String? {
        didSet {
            if target != oldValue { set(CCURLOPT_REQUEST_TARGET, target) }
        }
    }
    /// Whether requests may pass a proxy, which receives the whole URL in place of ``target``.
    var mayUseProxy = false
    /// The path of the Unix-domain socket that the handle connects to in place of every host.
    var unixSocketPath: String?
    /// The local address or interface of connections; `nil` lets the system choose.
    var localAddress: String?
    /// The timeout for connecting.
    var connectTimeout = Duration.zero
    /// The part of the timeout that is left for the next transfer, which may have waited for another one's connection.
    var connectMilliseconds = 0 {
        didSet {
            if connectMilliseconds != oldValue { set(CCURLOPT_CONNECTTIMEOUT_MS, connectMilliseconds) }
        }
    }
    /// The parsed URL, which libcurl reads with each transfer.
    private let parsedURL: OpaquePointer
    private var latestRemote: Remote?

    /// The properties of a request other than its URL and header fields. Most requests have the same shape as the
    /// previous one.
    struct Shape: Equatable {
        var method: String
        /// The size of the body; `nil` without a body, and -1 for a body of unknown size.
        var bodySize: Int64?
        var isSecure: Bool
        /// Whether the request waits for a connection of another request that may turn out to use HTTP/2.
        var waitsForSharedConnection: Bool
        /// Whether the request must not reuse a connection, see
        /// ``CurlLibrary/mayReuse(isIdempotent:hasPriorKnowledge:)``.
        var needsNewConnection: Bool
        /// Whether the body has trailer fields, which libcurl sends only over HTTP/1.1.
        var hasTrailers: Bool
    }

    private struct Remote {
        var ip: String
        var port: Int
        var text: String
    }

    init(_ easy: OpaquePointer, _ version: CurlConfiguration.Version, generation: Int) {
        self.easy = easy
        speaksHTTP2 = version != .http1 && CurlLibrary.current.speaksHTTP2
        hasPriorKnowledge = version == .http2PriorKnowledge
        self.generation = generation
        // `nil` means out of memory, for which an error cannot be created either.
        guard let parsedURL = ccurl_url_init() else { fatalError("libcurl cannot make a URL: out of memory") }
        self.parsedURL = parsedURL
        sentence.initialize(repeating: 0, count: CCURL_ERROR_SIZE)
        set(CCURLOPT_ERRORBUFFER, context: UnsafeMutableRawPointer(sentence))
    }

    /// Returns the handle for the context of a callback.
    static func at(_ context: UnsafeMutableRawPointer?) -> CurlHandle {
        guard let context else { preconditionFailure("Every handle sets the context of its callbacks") }
        return Unmanaged<CurlHandle>.fromOpaque(context).takeUnretainedValue()
    }

    deinit {
        ccurl_easy_cleanup(easy)
        ccurl_url_cleanup(parsedURL)
        ccurl_list_free(fields)
        ccurl_list_free(hosts)
        sentence.deallocate()
    }

    /// Whether another transfer may use the handle. After trailers, libcurl 7.88 writes the chunks of the next body
    /// outside its buffer.
    /// For a proxy, ``CurlTransfer/checkNextLine()`` does not see the head of its response.
    var canBeUsedAgain: Bool {
        !mayHaveRetried && refusal == nil && shape?.hasTrailers != true
            && !(mayUseProxy && CurlLibrary.current.has(.readsFreedFields))
    }

    /// libcurl's error message; empty if it is missing.
    var failureSentence: String { String(cString: sentence) }

    /// Clears the error message, which libcurl keeps from the previous transfer.
    func forgetFailure() {
        sentence.pointee = 0
    }

    /// The size in bytes of the current header fields.
    var fieldsSize: Int { latestFields?.byteCount ?? 0 }

    /// Whether the current header fields ask for the connection to be closed after the request.
    var asksToClose: Bool { latestFields?.asksToClose ?? false }

    /// Whether the latest transfer used TLS.
    var isSecure: Bool { shape?.isSecure ?? false }

    /// Whether the latest transfer could use HTTP/2.
    var mayMultiplex: Bool { speaksHTTP2 && shape?.hasTrailers != true && (isSecure || hasPriorKnowledge) }

    /// Whether the latest transfer may have shared its connection with other transfers.
    var isMultiplexed: Bool { mayMultiplex && long(CCURLINFO_HTTP_VERSION) >= CCURL_HTTP_VERSION_2_0 }

    /// The time at which data last arrived on the connection, in nanoseconds.
    var lastReceived: UInt64? { descriptor.flatMap { sockets?.lastReceived(on: $0) } }

    /// The remote address of the connection. The text is created only if the address differs from the previous one.
    var remoteAddress: String? {
        guard let ip = ccurl_get_string(easy, Int32(CCURLINFO_PRIMARY_IP)) else { return nil }
        let port = long(CCURLINFO_PRIMARY_PORT)
        if let latest = latestRemote, latest.port == port, latest.ip.withCString({ strcmp($0, ip) }) == 0 {
            return latest.text
        }
        let text = String(cString: ip)
        let isIPv6 = text.utf8.contains(UInt8(ascii: ":"))
        let remote = Remote(ip: text, port: port, text: isIPv6 ? "[\(text)]:\(port)" : "\(text):\(port)")
        latestRemote = remote
        return remote.text
    }

    /// Returns whole milliseconds: at least one, because 0 means libcurl's default, and at most what fits in 32 bits,
    /// because libcurl refuses more.
    static func milliseconds(_ nanoseconds: UInt64) -> Int { max(Int(Int32(clamping: nanoseconds / 1_000_000)), 1) }

    /// Returns a number that libcurl knows about the latest transfer, by its `CURLINFO` constant.
    func offset(_ info: Int) -> Int64 { ccurl_get_offset(easy, Int32(info)) }
    func long(_ info: Int) -> Int { ccurl_get_long(easy, Int32(info)) }
}

// Options that a request sets.
extension CurlHandle {
    /// Sets the options for the next request.
    ///
    /// - Returns: Whether its fields ask for a content coding, which the code that set them then also decodes.
    /// - Throws: ``refusal``; ``TransportFailure`` for a head that is too long.
    func set(_ message: CurlExchange.Message, waitsForSharedConnection: Bool) throws -> Bool {
        setURL(message.url)
        let isSecure = message.isSecure
        let mayReuse = CurlLibrary.current.mayReuse(
            isIdempotent: message.isIdempotent, hasPriorKnowledge: hasPriorKnowledge && !isSecure)
        setShape(
            Shape(
                method: message.method, bodySize: message.bodySize, isSecure: isSecure,
                waitsForSharedConnection: waitsForSharedConnection, needsNewConnection: !mayReuse,
                hasTrailers: message.hasTrailers))
        // libcurl reports GOAWAY frames only in its log.
        isLogged = CurlLibrary.current.has(.endsFailedStreams) && mayMultiplex
        let asksForCoding = setFields(message.fields, framing: message.framing)
        guard message.url.utf8.count + fieldsSize <= FieldLines.maximumByteCount else {
            let reason = "the head of the request is longer than libcurl takes, 1 MiB"
            throw TransportFailure(URLError(.dataLengthExceedsMaximum), reason: reason)
        }
        if let refusal { throw refusal }
        return asksForCoding
    }

    /// Sets the URL of the next transfer.
    func setURL(_ url: String) {
        guard url != latestURL else { return }
        latestURL = url
        // If libcurl gets only the text, it parses it and (before 8.12) formats it again for each transfer. A URL that
        // cannot be parsed here is passed as text only, and the transfer fails with libcurl's error. An IPv6 address
        // may have a zone, which libcurl (before 8.3) loses from a parsed URL.
        let isParsed = !url.utf8.contains(UInt8(ascii: "[")) && ccurl_url_parse(parsedURL, url)
        // The order matters: later versions forget the text when `CURLOPT_CURLU` is reset.
        set(CCURLOPT_CURLU, context: isParsed ? UnsafeMutableRawPointer(parsedURL) : nil)
        set(CCURLOPT_URL, url)
        // libcurl drops an empty query, which identifies another resource (RFC 3986, section 6.2.3).
        let hasEmptyQuery = url.utf8.firstIndex(of: UInt8(ascii: "?")).map { url.utf8.index(after: $0) } == url.endIndex
        target = hasEmptyQuery && !mayUseProxy ? url.requestTarget : nil
    }

    /// Sets the options for the properties of the next request, unless it has the same as the previous one.
    private func setShape(_ new: Shape) {
        guard new != shape else { return }
        shape = new
        if new.hasTrailers { sendTrailers() }
        // The order of the next three matters: each affects the method, and the request's own method must come last.
        set(CCURLOPT_UPLOAD, new.bodySize == nil ? 0 : 1)
        set(CCURLOPT_NOBODY, new.method == "HEAD" ? 1 : 0)
        set(CCURLOPT_CUSTOMREQUEST, new.method == "HEAD" ? nil : new.method)
        set(CCURLOPT_INFILESIZE_LARGE, new.bodySize ?? -1)
        set(CCURLOPT_FRESH_CONNECT, new.needsNewConnection ? 1 : 0)
        // Waits for another request's connection, if TLS or prior knowledge tells its protocol immediately. Otherwise
        // libcurl would wait for the first response, however long that takes.
        set(CCURLOPT_PIPEWAIT, mayMultiplex && new.waitsForSharedConnection && !new.needsNewConnection ? 1 : 0)
        let version = hasPriorKnowledge ? CCURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE : CCURL_HTTP_VERSION_2TLS
        set(CCURLOPT_HTTP_VERSION, speaksHTTP2 && !new.hasTrailers ? version : CCURL_HTTP_VERSION_1_1)
    }

    /// Gives libcurl configured addresses of hosts, for all transfers.
    func configureHosts(_ entries: [String]) {
        configuredHosts = entries
        replaceHosts(with: entries)
    }

    /// Changes libcurl's cache of addresses at the start of the next transfer.
    ///
    /// - Parameter entries: Entries in the format of libcurl's host table, which add hosts and remove others.
    func setHosts(_ entries: [String]) {
        guard !entries.isEmpty || hasOwnHosts else { return }
        hasOwnHosts = !entries.isEmpty
        replaceHosts(with: entries + configuredHosts)
    }

    private func replaceHosts(with entries: [String]) {
        let old = hosts
        hosts = entries.reduce(nil) { ccurl_list_append($0, $1) ?? $0 }
        set(CCURLOPT_RESOLVE, context: hosts.map { UnsafeMutableRawPointer($0) })
        ccurl_list_free(old)
    }

    /// Sets the header fields. Does nothing if they are the same as before, as for most requests of an API.
    ///
    /// - Returns: Whether the fields ask for a content coding, which the code that set them then also decodes.
    private func setFields(_ values: [String: String], framing: FieldLines.Framing) -> Bool {
        if let latestFields, latestFields.framing == framing, latestFields.values.count == values.count,
            latestFields.values.allSatisfy({ values[$0]?.hasBytes(of: $1) == true })
        {
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

// Setters for one option. An option that libcurl rejects is remembered.
extension CurlHandle {
    func set(_ option: Int, _ value: Int) {
        note(ccurl_set_long(easy, Int32(option), value), of: option)
    }

    func set(_ option: Int, _ value: Int64) {
        note(ccurl_set_offset(easy, Int32(option), value), of: option)
    }

    /// Sets a string, which libcurl copies; `nil` restores the default.
    func set(_ option: Int, _ value: String?) {
        guard let value else { return note(ccurl_set_pointer(easy, Int32(option), nil), of: option) }
        note(value.withCString { ccurl_set_pointer(easy, Int32(option), $0) }, of: option)
    }

    func set(_ option: Int, context: UnsafeMutableRawPointer?) {
        note(ccurl_set_pointer(easy, Int32(option), context), of: option)
    }

    /// Records a refusal if libcurl rejected an option.
    func note(_ code: Int32, of option: Int) {
        guard code != CCURLE_OK else { return }
        let text = String(cString: ccurl_error_text(code))
        let reason = "libcurl \(CurlLibrary.current.name) does not take the option \(option): \(text)"
        refuse(ErrandError(.unsupportedByTransport, reason: reason))
    }

    private func setLog(wasOn: Bool) {
        let isOn = isLogged || checksNextLine
        if isOn != wasOn { set(CCURLOPT_VERBOSE, isOn ? 1 : 0) }
    }

    /// Makes every transfer fail with an error. An earlier error takes precedence.
    func refuse(_ error: ErrandError) {
        refusal = refusal ?? error
    }
}
#endif
