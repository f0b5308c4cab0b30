#if canImport(CCurl)
import CCurl
import CEvents

// What libcurl knows about the latest transfer of the handle.
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

    /// `X509_V_ERR_HOSTNAME_MISMATCH`, which `ccurl_prepare_tls` sets for a certificate without alternative names.
    private static let hostNameMismatch = 62

    /// The phase in which the transfer waits.
    var phase: TimeoutReason.Phase {
        if hasConnection { return .response }
        if isSecure, long(CCURLINFO_PRIMARY_PORT) > 0 || hasReachedPeer { return .handshake }
        if offset(CCURLINFO_NAMELOOKUP_TIME_T) > 0 { return .connection(address: serverAddress) }
        // During a name lookup, libcurl waits for a descriptor. Without one, the transfer waits for another transfer's
        // connection, which may turn out to use HTTP/2.
        return mayMultiplex && descriptor == nil ? .connectionLimit : .nameLookup(host: host ?? "")
    }

    /// Whether the TCP connection is established. Some versions of libcurl report its port only after the TLS
    /// handshake.
    private var hasReachedPeer: Bool {
        guard let descriptor, sockets?.isConnection(descriptor) == true else { return false }
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
        let address = (unixSocketPath == nil ? CurlErrorMessage(failureSentence).address : nil) ?? serverAddress
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

    /// Whether a proxy's response to CONNECT exceeded the limit for a head.
    var hasEndlessTunnelResponse: Bool { tunnelAllowance < 0 }

    /// Aborts a proxy's response to CONNECT that exceeds the limit for a head.
    ///
    /// libcurl reads the response in one call, byte by byte, as long as data is available. It calls this callback for
    /// each byte.
    func limitTunnelResponses() {
        let result = ccurl_set_progress_callback(
            easy, { context, _, _, _, _ in CurlHandle.at(context).countTunnelByte() ? 1 : 0 },
            Unmanaged.passUnretained(self).toOpaque())
        note(result, of: CCURLOPT_XFERINFOFUNCTION)
    }

    /// Counts a call as a byte until the connection is established, and returns whether the limit is exceeded.
    private func countTunnelByte() -> Bool {
        guard transfer?.exchange.hop.isConnected != true else { return false }
        tunnelAllowance -= 1
        return hasEndlessTunnelResponse
    }
}

extension TransferMetrics {
    /// Removes what was measured for one hop alone: the next one may fail before it has a connection.
    mutating func forgetConnection() {
        (nameLookup, connect, secureConnect, firstByte) = (nil, nil, nil, nil)
        (isConnectionReused, protocolName, remoteAddress) = (nil, nil, nil)
    }

    /// Adds what a handle measured for a completed hop.
    ///
    /// - Parameter queueing: The nanoseconds from the submission to the start of the hop, which libcurl does not
    ///   measure.
    mutating func collect(from handle: CurlHandle, queueing: UInt64, redirects: Int) {
        let start = Duration.nanoseconds(Int64(queueing))
        func moment(_ info: Int) -> Duration? {
            let microseconds = handle.offset(info)
            return microseconds > 0 ? start + .microseconds(microseconds) : nil
        }
        self.queueing = start
        self.redirects = redirects
        nameLookup = moment(CCURLINFO_NAMELOOKUP_TIME_T)
        connect = moment(CCURLINFO_CONNECT_TIME_T)
        secureConnect = moment(CCURLINFO_APPCONNECT_TIME_T)
        let received = handle.offset(CCURLINFO_SIZE_DOWNLOAD_T) + Int64(handle.long(CCURLINFO_HEADER_SIZE))
        firstByte = received > 0 ? moment(CCURLINFO_STARTTRANSFER_TIME_T) : nil
        bytesSent += Int64(handle.long(CCURLINFO_REQUEST_SIZE))
        if CurlLibrary.current.has(.countsHeadsOnly) { bytesSent += handle.offset(CCURLINFO_SIZE_UPLOAD_T) }
        bytesReceived += received
        let isConnected = handle.long(CCURLINFO_PRIMARY_PORT) > 0
        isConnectionReused = isConnected ? handle.long(CCURLINFO_NUM_CONNECTS) == 0 : nil
        protocolName = Self.name(ofVersion: handle.long(CCURLINFO_HTTP_VERSION))
        remoteAddress = isConnected ? handle.remoteAddress : nil
    }

    private static func name(ofVersion version: Int) -> String? {
        switch version {
        case CCURL_HTTP_VERSION_1_0: "http/1.0"
        case CCURL_HTTP_VERSION_1_1: "http/1.1"
        case CCURL_HTTP_VERSION_2_0: "h2"
        case CCURL_HTTP_VERSION_3: "h3"
        default: nil
        }
    }
}
#endif
