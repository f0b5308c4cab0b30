import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `Mock fault` {
    private static let whole = Wire.response(text: "0123456789")
    private static let head = String(whole.dropLast(10))

    /// A server that responds to every request with ten digits and this fault, and a client that has sent a request to
    /// it.
    private func exchange(_ fault: MockFault) async throws -> (server: MockServer, client: RawClient) {
        let server = try MockServer()
        server.onAny { _ in .text("0123456789").with(fault: fault) }
        let client = try await RawClient.connect(to: server.url)
        try await client.send(Wire.request("GET", "/"))
        return (server, client)
    }

    @Test(
        arguments: [
            (.closeBeforeHead, "", .closed),
            (.closeInHead(after: 0), "", .closed),
            (.closeInHead(after: 10), "HTTP/1.1 2", .closed),
            (.closeInHead(after: .max), head, .closed),
            (.closeInBody(after: 0), head, .closed),
            (.closeInBody(after: 4), head + "0123", .closed),
            (.closeInBody(after: .max), whole, .closed),
            (.resetBeforeHead, "", .reset),
            (.resetInHead(after: 10), "HTTP/1.1 2", .reset),
            (.resetInBody(after: 0), head, .reset),
            (.resetInBody(after: 4), head + "0123", .reset),
            (.wrongContentLength(by: 1), whole.replacing("Length: 10", with: "Length: 11"), .closed),
        ] as [(MockFault, String, RawClient.Ending)])
    func `a closing or resetting fault ends the connection after the given bytes`(
        fault: MockFault, sent: String, ending: RawClient.Ending
    ) async throws {
        let (server, client) = try await exchange(fault)
        let received = try await client.readToEnd()
        #expect(received.text == sent)
        #expect(received.ending == ending)
        try await server.waitUntil(openConnections: 0)
    }

    @Test(
        arguments: [
            (.stallBeforeHead, ""), (.stallInHead(after: 10), "HTTP/1.1 2"), (.stallInBody(after: 0), head),
            (.stallInBody(after: 4), head + "0123"), (.stallInBody(after: 10), whole),
        ] as [(MockFault, String)])
    func `a stall keeps the connection open until the client closes it`(fault: MockFault, sent: String) async throws {
        let (server, client) = try await exchange(fault)
        #expect(try await client.read(sent.utf8.count) == sent)
        try await server.waitUntil { $0.requests == 1 }
        #expect(server.openConnections == 1)
        client.end()
        try await server.waitUntil(openConnections: 0)
    }

    @Test func `a stalled response sends nothing more when the server stops`() async throws {
        let (server, client) = try await exchange(.stallInBody(after: 4))
        #expect(try await client.read(through: "0123") == Self.head + "0123")
        server.stop()
        #expect(try await client.readToEnd().text == "")
    }

    @Test func `a Content-Length that is too short leaves extra bytes on an open connection`() async throws {
        let (server, client) = try await exchange(.wrongContentLength(by: -3))
        let sent = Self.whole.replacing("Length: 10", with: "Length: 7")
        #expect(try await client.read(sent.utf8.count) == sent)
        #expect(server.openConnections == 1)
    }

    @Test(arguments: [(Int.max, "9223372036854775807"), (Int.min, "0")])
    func `a declared length that is out of range is limited`(_ error: Int, _ length: String) async throws {
        let (server, client) = try await exchange(.wrongContentLength(by: error))
        let sent = Self.whole.replacing("Length: 10", with: "Length: \(length)")
        #expect(try await client.read(sent.utf8.count) == sent)
        #expect(server.requests.count == 1)
    }

    @Test func `a drip fault sends the next piece only after the pause`() async throws {
        let (gate, opener) = AsyncStream<Void>.makeStream()
        let server = try MockServer()
        server.onAny { _ in
            .raw("abcdef").with(fault: .drip(bytesAtATime: 2) { for await _ in gate { break } })
        }
        let client = try await RawClient.connect(to: server.url)
        try await client.send(Wire.request("GET", "/"))
        #expect(try await client.read(2) == "ab")
        opener.yield()
        #expect(try await client.read(2) == "cd")
        opener.yield()
        #expect(try await client.readToEnd().text == "ef")
    }

    @Test func `a drip fault of one byte at a time sends every byte`() async throws {
        let (server, client) = try await exchange(.drip(bytesAtATime: 1))
        #expect(try await client.read(Self.whole.utf8.count) == Self.whole)
        #expect(server.openConnections == 1)
    }

    @Test func `a pause that throws closes the connection`() async throws {
        struct GivenUp: Error {}
        let (server, client) = try await exchange(.drip(bytesAtATime: 10) { throw GivenUp() })
        let received = try await client.readToEnd()
        #expect(received.text == "HTTP/1.1 2")
        #expect(received.ending == .closed)
        try await server.waitUntil(openConnections: 0)
    }

    @Test func `a client that closes during a pause cancels the pause`() async throws {
        let (cancelled, witness) = AsyncStream<Bool>.makeStream()
        let (server, client) = try await exchange(
            .drip(bytesAtATime: 10) {
                let (forever, _) = AsyncStream<Void>.makeStream()
                for await _ in forever {}
                witness.yield(Task.isCancelled)
            })
        #expect(try await client.read(10) == "HTTP/1.1 2")
        client.end()
        try await server.waitUntil(openConnections: 0)
        #expect(await cancelled.first { _ in true } == true)
    }

    @Test func `a faulty connection does not affect other connections`() async throws {
        let server = try MockServer()
        server.on(.get, "/faulty") { _ in .status(200).with(fault: .stallBeforeHead) }
        server.on(.get, "/sound") { _ in .raw("sound") }
        let faulty = try await RawClient.connect(to: server.url)
        try await faulty.send(Wire.request("GET", "/faulty"))
        _ = try await server.takeRequest()
        let sound = try await RawClient.connect(to: server.url)
        try await sound.send(Wire.request("GET", "/sound"))
        #expect(try await sound.readToEnd().text == "sound")
    }
}
