#if canImport(CCurl)
import CCurl

extension TransferMetrics {
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
        if !LibraryVersion.current.countsBodiesAsRequests { bytesSent += handle.offset(CCURLINFO_SIZE_UPLOAD_T) }
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
