#if canImport(CCurl)
import CCurl
import CEvents

/// The connection options of an engine's handles: a ``CurlConfiguration`` as libcurl options.
///
/// Owns memory that libcurl reads without copying, so it must outlive the handles.
final class ConnectionOptions {
    private var configuration: CurlConfiguration
    /// The configured addresses, as entries of libcurl's host table.
    private let resolvedHosts: [String]
    /// A copy of the additional authorities.
    private let authorities: UnsafeMutableRawBufferPointer?
    /// A descriptor of an in-memory file with the authorities, for a libcurl that only accepts a file; -1 if there is
    /// none.
    private let authoritiesFile: Int32
    /// The error in the configuration; every request fails with it.
    private var fault: ErrandError?
    private let environmentNamesProxy: Bool

    /// The maximum number of bytes that one read from a socket returns: 64 KiB. libcurl's default of 16 KiB needs four
    /// times as many system calls for a download. A larger size increases the data that a paused transfer holds by the
    /// same amount.
    static let receiveBufferSize = 64 << 10

    init(_ configuration: CurlConfiguration) {
        self.configuration = configuration
        resolvedHosts = configuration.resolvedHosts.sorted { $0.key < $1.key }.map { host in
            "\(host.key):\(host.value.joined(separator: ","))"
        }
        authorities = configuration.tls.additionalAuthorities.map { data in
            // At least one byte, so that also empty data has an address.
            let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: max(data.count, 1), alignment: 1)
            data.copyBytes(to: bytes)
            return UnsafeMutableRawBufferPointer(rebasing: bytes[..<data.count])
        }
        authoritiesFile =
            !CurlLibrary.current.has(.needsAuthorityFile)
            ? -1 : authorities.map { cevents_make_file($0.baseAddress, $0.count) } ?? -1
        fault = Self.fault(in: configuration)
        let environment = ProcessInfo.processInfo.environment
        // Not `HTTP_PROXY`, which libcurl ignores, because a CGI server sets it to the request's field `Proxy`.
        environmentNamesProxy = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].contains {
            environment[$0]?.isEmpty == false
        }
    }

    deinit {
        authorities?.deallocate()
        if authoritiesFile >= 0 { _ = cevents_close(authoritiesFile) }
    }

    /// Replaces the client certificate for handles that are created from now on.
    func renew(_ identity: TLSConfiguration.Identity) {
        configuration.tls.identity = identity
        fault = Self.fault(in: configuration)
    }

    /// Returns the error in a configuration: an invalid setting, or one that this libcurl does not support.
    static func fault(in configuration: CurlConfiguration, for version: CurlLibrary = .current) -> ErrandError? {
        func invalid(_ reason: String) -> ErrandError { ErrandError(.invalidSetting, reason: reason) }
        func tooOld(_ needed: String) -> ErrandError {
            ErrandError(.unsupportedByTransport, reason: "libcurl \(version.name) is too old: \(needed)")
        }
        guard version.isSupported else { return tooOld("Errand needs 7.76 or later") }
        if configuration.version == .http2PriorKnowledge, !version.speaksHTTP2 {
            return tooOld("HTTP/2 with prior knowledge needs 7.88 or later, built with nghttp2")
        }
        if configuration.connectionLifetime != nil, version.has(.keepsConnectionsForever) {
            return tooOld("connectionLifetime needs 7.80 or later")
        }
        if min(configuration.maximumConnections, configuration.maximumConnectionsPerHost) < 1 {
            return invalid("a transport needs at least one connection, in all and for each host")
        }
        for (host, addresses) in configuration.resolvedHosts.sorted(by: { $0.key < $1.key }) {
            guard isHostWithPort(host) else { return invalid("resolvedHosts has \"\(host)\", which is not HOST:PORT") }
            if addresses.isEmpty { return invalid("resolvedHosts has no address for \"\(host)\"") }
            if let address = addresses.first(where: { !CurlHostLookups.isAddress($0.withoutBrackets) }) {
                return invalid("resolvedHosts has \"\(address)\" for \"\(host)\", which is not an IP address")
            }
        }
        if case .https(let url) = configuration.nameService, url.scheme?.lowercased() != "https" || url.host == nil {
            return invalid("the name service \(url.redacted.absoluteString) is not an HTTPS URL")
        }
        return configuration.tls.identity.flatMap(fault(in:))
    }

    /// Returns whether a text is a host name and a port, as an entry of libcurl's host table has them. Entries that
    /// begin with a sign have another meaning.
    private static func isHostWithPort(_ text: String) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let first = parts[0].first, first != "+", first != "-" else { return false }
        let isName = parts[0].unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
        return isName && parts[1].utf8.allSatisfy(\.isDigit) && UInt16(parts[1]) != nil
    }

    private static func fault(in identity: TLSConfiguration.Identity) -> ErrandError? {
        for case .file(let path) in [identity.certificate, identity.key]
        where !FileManager.default.isReadableFile(atPath: path) {
            return ErrandError(
                .invalidSetting, reason: "the client certificate needs \(path), which cannot be read")
        }
        return nil
    }

    /// Whether a connection may use a proxy.
    var mayUseProxy: Bool {
        switch configuration.proxy {
        case .environment: environmentNamesProxy
        case .none: false
        case .server: true
        }
    }

    /// Sets all connection options on a new handle.
    func apply(to handle: CurlHandle) {
        if let fault { handle.refuse(fault) }
        handle.set(CCURLOPT_NOSIGNAL, 1)
        handle.set(CCURLOPT_BUFFERSIZE, Self.receiveBufferSize)
        // Errand decodes the content coding itself.
        handle.set(CCURLOPT_HTTP_CONTENT_DECODING, 0)
        handle.set(CCURLOPT_PROTOCOLS, CCURLPROTO_HTTP | CCURLPROTO_HTTPS)
        handle.set(CCURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // The next three are not options; they only explain failures.
        handle.connectTimeout = configuration.connectTimeout
        handle.unixSocketPath = configuration.unixSocketPath
        handle.localAddress = configuration.localAddress
        // This one sets an option, which each transfer changes.
        handle.connectMilliseconds = CurlHandle.milliseconds(configuration.connectTimeout.nanoseconds)
        handle.set(CCURLOPT_MAXAGE_CONN, Self.seconds(configuration.idleConnectionLifetime))
        if let lifetime = configuration.connectionLifetime {
            handle.set(CCURLOPT_MAXLIFETIME_CONN, Self.seconds(lifetime))
        }
        if let path = configuration.unixSocketPath { handle.set(CCURLOPT_UNIX_SOCKET_PATH, path) }
        if let address = configuration.localAddress {
            // Without a prefix, libcurl treats the name of a missing interface as a host name and looks it up.
            handle.set(CCURLOPT_INTERFACE, (CurlHostLookups.isAddress(address) ? "host!" : "if!") + address)
        }
        if case .https(let url) = configuration.nameService { handle.set(CCURLOPT_DOH_URL, url.absoluteString) }
        if !resolvedHosts.isEmpty { handle.configureHosts(resolvedHosts) }
        // Without this option, a transfer that ends during its name lookup blocks until the lookup times out, and
        // blocks the loop too.
        if !CurlLibrary.current.has(.waitsForLookups) { handle.set(CCURLOPT_QUICK_EXIT, 1) }
        applyProxy(to: handle)
        applyTLS(to: handle)
        if mayUseProxy { applyTLSOfProxy(to: handle) }
    }

    /// Returns whole seconds: at least one, because 0 means "forever" or "never" for libcurl, and at most what fits in
    /// 32 bits, because libcurl stores no more.
    private static func seconds(_ duration: Duration) -> Int {
        max(Int(Int32(clamping: duration.bounded.components.seconds)), 1)
    }

    private func applyProxy(to handle: CurlHandle) {
        guard mayUseProxy else {
            // Without these options, libcurl reads six environment variables again for every request.
            handle.set(CCURLOPT_PROXY, "")
            return handle.set(CCURLOPT_NOPROXY, "")
        }
        // The user agent of CONNECT requests; requests to the server carry their own header field.
        handle.set(CCURLOPT_USERAGENT, "Errand")
        guard case .server(let url, let user, let password, let exceptions) = configuration.proxy else { return }
        handle.set(CCURLOPT_PROXY, url.absoluteString)
        handle.set(CCURLOPT_NOPROXY, exceptions.joined(separator: ","))
        if let user {
            handle.set(CCURLOPT_PROXYUSERPWD, "\(user.escapedUser):\(password.map(\.escapedUser) ?? "")")
        }
    }

    private func applyTLS(to handle: CurlHandle) {
        handle.set(CCURLOPT_SSLVERSION, minimumVersion)
        setAuthorities(CCURLOPT_CAINFO_BLOB, file: CCURLOPT_CAINFO, of: handle)
        if let pins { handle.set(CCURLOPT_PINNEDPUBLICKEY, pins) }
        if let identity = configuration.tls.identity {
            set(identity.certificate, file: CCURLOPT_SSLCERT, blob: CCURLOPT_SSLCERT_BLOB, of: handle)
            set(identity.key, file: CCURLOPT_SSLKEY, blob: CCURLOPT_SSLKEY_BLOB, of: handle)
            // An empty string, not `nil`: with `nil`, OpenSSL asks for the passphrase at the terminal and blocks the
            // engine.
            handle.set(CCURLOPT_KEYPASSWD, identity.passphrase ?? "")
        }
        // Refuses certificates without alternative names, and records whether the server closes properly.
        if CurlLibrary.current.usesOpenSSL {
            handle.note(ccurl_prepare_tls(handle.easy), of: CCURLOPT_SSL_CTX_FUNCTION)
        }
    }

    private func set(_ pem: TLSConfiguration.Identity.PEM, file: Int, blob: Int, of handle: CurlHandle) {
        switch pem {
        case .file(let path): handle.set(file, path)
        case .data(let data):
            // libcurl copies the data: after a renewal, a handle in use keeps its old identity.
            let result = data.withUnsafeBytes {
                ccurl_set_blob(handle.easy, Int32(blob), $0.baseAddress, $0.count, true)
            }
            handle.note(result, of: blob)
        }
    }

    /// Applies the same TLS rules to a proxy that is reached over TLS as to a server, without the client certificate.
    private func applyTLSOfProxy(to handle: CurlHandle) {
        handle.set(CCURLOPT_PROXY_SSLVERSION, minimumVersion)
        setAuthorities(CCURLOPT_PROXY_CAINFO_BLOB, file: CCURLOPT_PROXY_CAINFO, of: handle)
        if let pins { handle.set(CCURLOPT_PROXY_PINNEDPUBLICKEY, pins) }
    }

    private var minimumVersion: Int {
        configuration.tls.minimumVersion == .tls13 ? CCURL_SSLVERSION_TLSv1_3 : CCURL_SSLVERSION_TLSv1_2
    }

    private var pins: String? {
        let keys = configuration.tls.pinnedPublicKeys
        return keys.isEmpty ? nil : keys.map { "sha256//\($0)" }.joined(separator: ";")
    }

    private func setAuthorities(_ option: Int, file fileOption: Int, of handle: CurlHandle) {
        guard let authorities else { return }
        if authoritiesFile >= 0 { return handle.set(fileOption, "/proc/self/fd/\(authoritiesFile)") }
        handle.note(
            ccurl_set_blob(handle.easy, Int32(option), authorities.baseAddress, authorities.count, false), of: option)
    }
}

extension String {
    /// An IPv6 address without the brackets that a URL has around it.
    fileprivate var withoutBrackets: String {
        hasPrefix("[") && hasSuffix("]") && contains(":") ? String(dropFirst().dropLast()) : self
    }

    /// The percent-encoded form in which libcurl expects the user and the password.
    fileprivate var escapedUser: String {
        composed.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? self
    }
}
#endif
