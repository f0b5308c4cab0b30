#if canImport(CCurl)
import CCurl

extension CurlHandle {
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

    private func countTunnelByte() -> Bool {
        guard transfer?.hop.isConnected != true else { return false }
        tunnelAllowance -= 1
        return hasEndlessTunnelResponse
    }
}
#endif
