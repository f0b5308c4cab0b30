#if canImport(CCurl)
import CCurl

// To be removed when Errand requires libcurl 8.1. Before 8.1, libcurl ends the streams of a failed HTTP/2 connection as
// if they were complete, and may not notice the failure.

extension CurlDriver {
    /// Returns whether libcurl treated an HTTP/2 connection error as the end of a body.
    ///
    /// libcurl ends each stream of such a connection when it processes that stream, and closes the connection after the
    /// last one. Therefore a connection that is still open had no error. It also had none if libcurl has processed
    /// another of its streams without ending that stream, or if the server has sent a GOAWAY frame without an error.
    mutating func isCutShort(_ transfer: CurlTransfer) -> Bool {
        guard CurlLibrary.current.has(.endsFailedStreams), let handle = transfer.handle,
            handle.isMultiplexed, !transfer.exchange.hop.declaresLength, !transfer.exchange.hop.isRedirected,
            let connection = transfer.exchange.hop.connection, !round.goAways.contains(connection)
        else { return false }
        // Makes libcurl process the other streams, one after another, until one of them shows that the connection had
        // no error. If each of them ends and none keeps the connection, the connection had an error.
        func uses(_ other: CurlTransfer) -> Bool { other.exchange.hop.connection == connection }
        while !done.contains(where: { uses($0.transfer) && $0.transfer.isConnectionKept }) {
            guard let other = transfers.running.first(where: { uses($0) && !$0.isDone }) else { return true }
            // A stream that waits for its reader ends only when the reader continues. Until then, its state is unknown.
            guard !other.exchange.times.isPaused, let easy = other.handle?.easy else { return false }
            ccurl_look(multi, easy)
            takeDone()
            if !other.isDone { return false }
        }
        return false
    }
}

extension CurlTransfer {
    /// Whether libcurl may miss a failed connection until it is made to check. This happens before 8.1, if an HTTP/2
    /// error is found while streams have unread data.
    var mayHang: Bool {
        CurlLibrary.current.has(.endsFailedStreams) && handle?.mayMultiplex == true
    }

    /// Records a GOAWAY frame without an error: the server closes the connection properly after its streams have ended.
    func serverSentGoAway() {
        if let connection = exchange.hop.connection { place?.round.goAways.insert(connection) }
    }
}

/// The HTTP/2 connections on which the server has sent a GOAWAY frame without an error.
struct GoAways {
    private var connections: Set<ConnectionID> = []
    /// The maximum number of remembered connections. Each is needed until its last stream ends.
    private static let limit = 1024

    mutating func insert(_ connection: ConnectionID) {
        if connections.count >= Self.limit { connections.removeAll() }
        connections.insert(connection)
    }

    func contains(_ connection: ConnectionID) -> Bool { connections.contains(connection) }
}
#endif
