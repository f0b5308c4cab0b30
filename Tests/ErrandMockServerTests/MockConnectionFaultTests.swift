import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `Mock connection fault` {
    private func server(_ faults: MockConnectionFault?...) throws -> MockServer {
        let server = try MockServer()
        server.onAny { _ in .raw("sound") }
        server.onConnection(inTurn: faults)
        return server
    }

    private func end(of client: RawClient, sending: String? = Wire.request("GET", "/")) async throws -> (
        text: String, ending: RawClient.Ending
    ) {
        if let sending { try? await client.send(sending) }
        return try await client.readToEnd()
    }

    @Test(
        arguments: [
            (.closeAtAccept, .closed), (.resetAtAccept, .reset),
        ] as [(MockConnectionFault, RawClient.Ending)])
    func `a connection can close or reset before anything is sent`(
        _ fault: MockConnectionFault, _ ending: RawClient.Ending
    ) async throws {
        let server = try server(fault)
        do {
            let client = try await RawClient.connect(to: server.url)
            let end = try await end(of: client, sending: nil)
            #expect(end.text == "")
            #expect(end.ending == ending)
        } catch let failure as RawClient.Failure {
            // The reset may come before the system says that the client is connected.
            #expect(ending == .reset && failure.operation == "connect" && failure.code == ECONNRESET)
        }
        #expect(server.requests.isEmpty)
        try await server.waitUntil { $0.acceptedConnections == 1 && $0.openConnections == 0 }
    }

    @Test(
        arguments: [
            (.closeAfterFirstBytes, "", .closed), (.resetAfterFirstBytes, "", .reset),
            (
                .respondsInPlainText, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                .closed
            ),
        ] as [(MockConnectionFault, String, RawClient.Ending)])
    func `a connection can close or reset after the client's first bytes`(
        _ fault: MockConnectionFault, _ text: String, _ ending: RawClient.Ending
    ) async throws {
        let server = try server(fault)
        let client = try await RawClient.connect(to: server.url)
        let end = try await end(of: client)
        #expect(end.text == text)
        #expect(end.ending == ending)
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: [MockConnectionFault.stallAtAccept, .stallAfterFirstBytes])
    func `a stalled connection stays open until the client closes it`(_ fault: MockConnectionFault) async throws {
        let server = try server(fault)
        let client = try await RawClient.connect(to: server.url)
        try await client.send(Wire.request("GET", "/"))
        // The server has had time to read, as the later connection shows.
        let other = try await RawClient.connect(to: server.url)
        #expect(try await end(of: other).text == "sound")
        #expect(server.requests.map(\.connection) == [2])
        try await server.waitUntil(openConnections: 1)
        client.end()
        try await server.waitUntil(openConnections: 0)
    }

    @Test func `each connection fault in a list applies to one connection`() async throws {
        let server = try server(nil, .closeAtAccept)
        for expected in ["sound", "", "sound", "sound"] {
            let client = try await RawClient.connect(to: server.url)
            #expect(try await end(of: client).text == expected)
        }
    }

    @Test func `a connection fault applies to all connections until it is removed`() async throws {
        let server = try server()
        server.onConnection(.closeAfterFirstBytes)
        for _ in 0..<3 {
            let client = try await RawClient.connect(to: server.url)
            #expect(try await end(of: client).text == "")
        }
        server.onConnection(nil)
        let client = try await RawClient.connect(to: server.url)
        #expect(try await end(of: client).text == "sound")
    }
}
