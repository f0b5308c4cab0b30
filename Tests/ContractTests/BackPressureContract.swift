import Errand
import TestSupport
import Testing

@Suite(.hangGuard) struct `Contract: a slow reader` {
    static let blockSize = 64 << 10
    static let blockCount = 4_096

    /// Sends 256 MiB, and counts the blocks that the socket has accepted.
    private func server(_ sent: Recorder<Int>) throws -> RawServer {
        try RawServer { connection in
            let block = Data(count: Self.blockSize)
            while connection.readHead().hasPrefix("GET /large") {
                try connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(Self.blockSize * Self.blockCount)\r\n\r\n")
                for _ in 0..<Self.blockCount {
                    try connection.write(block)
                    sent.record(1)
                }
            }
            try connection.write("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
        }
    }

    @Test(arguments: TransportUnderTest.without(.backPressure))
    func `a reader that stops reading makes the server stop sending`(_ transport: TransportUnderTest) async throws {
        let sent = Recorder<Int>()
        let server = try server(sent)
        let session = transport.make()
        var response: DataResponse? = try await session.stream(
            TransportRequest(URLRequest(url: server.url.appendingPathComponent("large"))))
        var body = response?.body.makeAsyncIterator()
        #expect(try await body?.next()?.isEmpty == false)
        // While it sends other requests, the engine has time to read more of the body.
        for _ in 0..<500 {
            #expect(try await Probe(server.url, session, path: "/small").start().value.statusCode == 204)
        }
        let whileReading = sent.elements.count
        // The socket's buffers, and those of the transport and the server.
        #expect(whileReading * Self.blockSize < Footprint.mostSocketBytes + (28 << 20))
        var count = 0
        while let piece = try await body?.next() { count += piece.count }
        #expect(count > Self.blockSize * Self.blockCount - CurlTransport.bodyBufferSize)
        try await waitUntil { sent.elements.count == Self.blockCount }
        body = nil
        response = nil
    }
}
