#if canImport(CCurl)
import CCurl

extension CurlHandle {
    /// Why the latest transfer failed, in one sentence; `nil` when no more is known than the code.
    func failureReason(_ code: Int, _ failure: URLError.Code) -> String? {
        let tunnelStatus = long(CCURLINFO_HTTP_CONNECTCODE)
        if tunnelStatus >= 300 { return "the proxy refused the connection with status \(tunnelStatus)" }
        switch code {
        // Only the limit for connecting is left to libcurl; the loop keeps the others.
        case CCURLE_OPERATION_TIMEDOUT: return TimeoutReason(.connecting(connectTimeout), phase).description
        case CCURLE_COULDNT_CONNECT: return connectFailure
        case CCURLE_SSL_PINNEDPUBKEYNOTMATCH: return "the server's public key is not one of the pinned keys"
        case CCURLE_SSL_CACERT_BADFILE: return "the additional authorities are not valid PEM certificates"
        case CCURLE_SSL_CERTPROBLEM: return "the client certificate or its key cannot be used"
        default: return CurlSentence(failureSentence).reason(for: failure, host: host)
        }
    }

    /// What the transfer is waiting for.
    var phase: TimeoutReason.Phase {
        if offset(CCURLINFO_PRETRANSFER_TIME_T) > 0 { return .response }
        // The time of the connection is set after the TLS handshake; the port is known before.
        if long(CCURLINFO_PRIMARY_PORT) > 0, isSecure { return .handshake }
        if offset(CCURLINFO_NAMELOOKUP_TIME_T) > 0 { return .connection(address: serverAddress) }
        // Before its name lookup, a transfer over TLS waits for a connection that may turn out to be HTTP/2.
        return isSecure && speaksHTTP2 ? .connectionLimit : .nameLookup(host: host ?? "")
    }

    private var connectFailure: String {
        // The text of libcurl names the proxy where that is what it did not reach.
        let address = unixSocketPath == nil ? CurlSentence(failureSentence).address ?? serverAddress : serverAddress
        return Self.connectFailure(Int32(long(CCURLINFO_OS_ERRNO)), address: address, unixSocketPath: unixSocketPath)
    }

    /// Why connecting failed, by the system's error number; 0 when it is not known.
    static func connectFailure(_ error: Int32, address: String, unixSocketPath: String?) -> String {
        switch (error, unixSocketPath) {
        case (0, _): "could not connect to \(address)"
        case (ECONNREFUSED, _): "connection refused by \(address)"
        case (ENOENT, let path?): "there is no socket at \(path)"
        case (EACCES, let path?), (EPERM, let path?): "no permission to connect to the socket at \(path)"
        default: "could not connect to \(address): \(String(cString: strerror(error)))"
        }
    }

    private var serverAddress: String {
        unixSocketPath.map { "the socket at \($0)" } ?? origin?.address ?? "the server"
    }

    private var host: String? { origin?.host }

    private var origin: Origin? { URL(string: latestURL).flatMap(Origin.init) }
}
#endif
