#if canImport(CCurl)
import CCurl
import CEvents
import TestSupport
import Testing

@testable import Errand

/// The sockets for whose events an engine waits.
struct `Sockets of an engine` {
    /// A transfer that runs while data arrives on an idle connection.
    enum Other: CaseIterable {
        /// It uses the connection. libcurl does not report the socket of a transfer that is paused in its first call.
        case pausedInItsFirstCall
        /// It uses another connection, which libcurl has not reported either.
        case pausedOnAnotherConnection
        /// libcurl has reported its socket.
        case reported
        case unconnected
    }

    @Test(arguments: Other.allCases)
    func `an idle connection that receives data is shut down unless a transfer uses it`(_ other: Other) throws {
        #expect(ccurl_global_init() == CCURLE_OK)
        let server = try RawServer { connection in
            try connection.write("HTTP/1.1 200 OK\r\n")
            connection.readToEnd()
        }
        let port = try Int32(#require(server.url.port))
        let descriptor = try RawClient.connectedSocket(port: UInt16(port))
        defer { close(descriptor) }
        let multi = try #require(ccurl_multi_init())
        defer { ccurl_multi_cleanup(multi) }
        let sockets = CurlSockets(
            multi, queue: cevents_make_queue(), wakeup: -1, clock: Monotonic(), configuration: CurlConfiguration())
        defer { sockets.close() }
        sockets.change(descriptor) { state in
            state.isConnection = true
            state.isIdle = true
        }
        #expect(cevents_watch(sockets.queue, descriptor, true, false))

        func connection(from localPort: Int32) -> ConnectionID {
            ConnectionID(remote: nil, remotePort: port, local: nil, localPort: localPort)
        }
        let localPort = cevents_local_port(descriptor)
        let handle = CurlHandle(try #require(ccurl_easy_init()), .http1, generation: 0)
        let transfer = try CurlTransfer(TransportRequest(URLRequest(url: server.url)))
        transfer.handle = handle
        switch other {
        case .pausedInItsFirstCall: _ = transfer.exchange.hop.connected(over: connection(from: localPort))
        case .pausedOnAnotherConnection: _ = transfer.exchange.hop.connected(over: connection(from: localPort ^ 1))
        case .reported:
            _ = transfer.exchange.hop.connected(over: connection(from: localPort))
            handle.descriptor = descriptor
        case .unconnected: break
        }

        sockets.wait(60_000_000_000)
        sockets.act([transfer])
        // Nothing can be sent after a shutdown.
        let isOpen = send(descriptor, "x", 1, Int32(MSG_NOSIGNAL)) == 1
        #expect(isOpen == (other == .pausedInItsFirstCall))
    }
}
#endif
