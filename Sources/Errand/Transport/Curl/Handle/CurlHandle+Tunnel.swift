#if canImport(CCurl)
import CCurl

extension CurlHandle {
    /// Whether a proxy's answer to CONNECT was longer than a head may be.
    var hasEndlessTunnelAnswer: Bool { tunnelAllowance < 0 }

    /// Ends a proxy's answer to CONNECT that is longer than a head may be.
    ///
    /// libcurl reads the answer in one call, byte by byte, for as long as there is something, and calls this for each byte.
    func boundTunnelAnswers() {
        let result = ccurl_set_progress_callback(
            easy, { context, _, _, _, _ in CurlHandle.at(context).countTunnelByte() ? 1 : 0 },
            Unmanaged.passUnretained(self).toOpaque())
        note(result, of: CCURLOPT_XFERINFOFUNCTION)
    }

    private func countTunnelByte() -> Bool {
        guard transfer?.hop.isConnected != true else { return false }
        tunnelAllowance -= 1
        return hasEndlessTunnelAnswer
    }
}
#endif
