#if canImport(CCurl)
import CCurl
import CEvents

extension CurlHandle {
    /// Returns the reason for the latest failure, in one sentence; `nil` if nothing is known beyond the code.
    func failureReason(_ code: Int, _ failure: URLError.Code) -> String? {
        let tunnelStatus = long(CCURLINFO_HTTP_CONNECTCODE)
        if tunnelStatus >= 300 { return "the proxy refused the connection with status \(tunnelStatus)" }
        switch code {
        // libcurl enforces only the connect timeout; the loop enforces the other timeouts.
        case CCURLE_OPERATION_TIMEDOUT: return TimeoutReason(.connecting(connectTimeout), phase).description
        case CCURLE_COULDNT_CONNECT: return lacksDescriptors ? nil : connectFailure
        case CCURLE_INTERFACE_FAILED:
            return "connections cannot come from \(localAddress ?? ""), which this machine does not have"
        case CCURLE_PEER_FAILED_VERIFICATION where long(CCURLINFO_SSL_VERIFYRESULT) == Self.hostNameMismatch:
            return "the server's certificate has no alternative names, and its common name does not count"
        case CCURLE_SSL_PINNEDPUBKEYNOTMATCH: return "the server's public key is not one of the pinned keys"
        case CCURLE_SSL_CACERT_BADFILE: return "the additional authorities are not valid PEM certificates"
        case CCURLE_SSL_CERTPROBLEM: return "the client certificate or its key cannot be used"
        default: return CurlErrorMessage(failureSentence).reason(for: failure, host: host)
        }
    }

    /// The value of `X509_V_ERR_HOSTNAME_MISMATCH`, see `ccurl_prepare_tls`.
    private static let hostNameMismatch = 62

    /// The phase in which the transfer waits.
    var phase: TimeoutReason.Phase {
        if hasConnection { return .response }
        if isSecure, long(CCURLINFO_PRIMARY_PORT) > 0 || hasReachedPeer { return .handshake }
        if offset(CCURLINFO_NAMELOOKUP_TIME_T) > 0 { return .connection(address: serverAddress) }
        // Before its name lookup, a transfer waits for another transfer's connection, which may turn out to use HTTP/2.
        return mayMultiplex ? .connectionLimit : .nameLookup(host: host ?? "")
    }

    /// Whether the request could be sent. Some versions of libcurl set the pretransfer time even if a transfer fails
    /// earlier.
    var hasConnection: Bool {
        guard let transfer, LibraryVersion.current.asksBeforeSending else {
            return offset(CCURLINFO_PRETRANSFER_TIME_T) > 0
        }
        return transfer.hop.isConnected
    }

    /// Whether the TCP connection is established. libcurl reports this only after the TLS handshake.
    private var hasReachedPeer: Bool {
        guard let descriptor else { return false }
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &address) { bytes in
            getpeername(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, &length) == 0
        }
    }

    /// Whether the process had no descriptor left for a socket. libcurl keeps the error number of a failed connect, but
    /// not of this failure.
    var lacksDescriptors: Bool { long(CCURLINFO_OS_ERRNO) == 0 && cevents_lacks_descriptors() }

    private var connectFailure: String {
        // libcurl's text names the proxy if the proxy is what it could not reach.
        let address = unixSocketPath == nil ? CurlErrorMessage(failureSentence).address ?? serverAddress : serverAddress
        return Self.connectFailure(Int32(long(CCURLINFO_OS_ERRNO)), address: address, unixSocketPath: unixSocketPath)
    }

    /// Returns the reason for a failed connect from the system's error number; 0 means that the number is unknown.
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
