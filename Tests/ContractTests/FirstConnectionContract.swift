import Dispatch
import TestSupport
import Testing

@testable import Errand

/// Over TLS, requests wait for the first connection to a host, which may turn out to use HTTP/2.
@Suite(.hangGuard) struct `Contract: the first connection to a host` {
    /// A server that accepts connections and never completes a TLS handshake.
    private final class LateServer: Sendable {
        let url: URL
        private let server: RawServer
        private let arrivals: Locked<Int>
        private let mayFail: DispatchSemaphore

        init() throws {
            let (arrivals, mayFail) = (Locked(0), DispatchSemaphore(value: 0))
            server = try RawServer { connection in
                // The first part of the handshake, or nothing if the client has given up.
                guard !connection.read().isEmpty else { return }
                let isFirst = arrivals.withLock { count in
                    count += 1
                    return count == 1
                }
                if isFirst { mayFail.wait() } else { connection.readToEnd() }
            }
            url = try #require(URL(string: server.url.absoluteString.replacing("http:", with: "https:")))
            (self.arrivals, self.mayFail) = (arrivals, mayFail)
        }

        var connections: Int { arrivals.withLock { $0 } }

        /// Closes the first connection.
        func failFirst() {
            mayFail.signal()
        }
    }

    /// All connections but the first stay open, so that requests that tried one after the other would never arrive.
    @Test(arguments: TransportUnderTest.allCases)
    func `requests to a host whose connections fail late do not try one after the other`(
        _ transport: TransportUnderTest
    ) async throws {
        let server = try LateServer()
        let session = transport.make()
        // As many as `URLSession` sends to a host at once.
        let tasks = (0..<6).map { _ in Task { try await Probe(server.url, session).start().value } }
        try await waitUntil { server.connections > 0 }
        if let curl = session as? CurlTransport {
            try await waitUntil { await curl.poolMetrics().requests == 6 }
            if CurlLibrary.current.speaksHTTP2 { #expect(server.connections == 1) }
        }
        server.failFirst()
        try await waitUntil { server.connections == 6 }
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
    }
}
