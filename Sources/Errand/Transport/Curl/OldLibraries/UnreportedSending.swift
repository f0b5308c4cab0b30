#if canImport(CCurl)
import CCurl
import CEvents

// Before 7.80, libcurl does not report that it is about to send a request, and over which connection. When Errand
// requires 7.80, the checks of ``LibraryVersion/asksBeforeSending`` here are removed.

extension CurlHandle {
    /// Whether the request could be sent. Some versions of libcurl set the pretransfer time even if a transfer fails
    /// earlier.
    var hasConnection: Bool {
        guard let transfer, LibraryVersion.current.asksBeforeSending else {
            return offset(CCURLINFO_PRETRANSFER_TIME_T) > 0
        }
        return transfer.hop.isConnected
    }
}

extension CurlTransfer {
    /// Returns whether a socket may be that of the transfer, if libcurl has not reported the transfer's socket. libcurl
    /// reports none for a transfer that was paused in its first call.
    func mayUse(_ descriptor: Int32, of origin: String) -> Bool {
        guard let handle, handle.descriptor == nil else { return false }
        if let connection = hop.connection {
            // The ports identify the socket of the reported connection.
            return cevents_connects(descriptor, connection.localPort, connection.remotePort)
        }
        // An old libcurl does not report the connection of a request either.
        return !LibraryVersion.current.asksBeforeSending && CurlOrigin.name(of: url) == origin
    }
}
#endif
