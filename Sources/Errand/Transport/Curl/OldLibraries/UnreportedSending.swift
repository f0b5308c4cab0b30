#if canImport(CCurl)
import CCurl
import CEvents

// Before 7.80, libcurl does not report that it is about to send a request, and over which connection. When Errand
// requires 7.80, the checks of ``CurlLibrary/Fault/sendsUnasked`` here are removed.

extension CurlHandle {
    /// Whether the handle has a connection over which it can send.
    ///
    /// With an old libcurl, and for a WebSocket, only the pretransfer time shows that. Some versions of libcurl set
    /// this time although the transfer fails earlier, so a newer libcurl's report is used where possible.
    var hasConnection: Bool {
        guard let transfer, !CurlLibrary.current.has(.sendsUnasked) else {
            return offset(CCURLINFO_PRETRANSFER_TIME_T) > 0
        }
        return transfer.exchange.hop.isConnected
    }
}

extension CurlTransfer {
    /// Returns whether the transfer may use this socket, although libcurl has not reported the transfer's socket. It
    /// reports none for a transfer that was paused in its first call.
    func mightUse(_ descriptor: Int32, of origin: String) -> Bool {
        guard let handle, handle.descriptor == nil else { return false }
        if let connection = exchange.hop.connection {
            // libcurl has reported the ends of the connection, whose ports identify the socket.
            return cevents_connects(descriptor, connection.localPort, connection.remotePort)
        }
        // An old libcurl does not report the connection of a request either.
        return CurlLibrary.current.has(.sendsUnasked) && CurlOrigin.name(of: exchange.url) == origin
    }
}
#endif
