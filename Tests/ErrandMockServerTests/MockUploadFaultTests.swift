import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `Mock upload fault` {
    private func exchange(
        _ fault: MockUploadFault?..., sending text: String = Wire.request("POST", "/up", body: "0123456789")
    ) async throws -> (server: MockServer, client: RawClient) {
        let server = try MockServer()
        server.on(.post, "/:name") { .text($0.text) }
        server.onUpload(.post, "/:name", inTurn: fault)
        let client = try await RawClient.connect(to: server.url)
        try await client.send(text)
        return (server, client)
    }

    /// A request that declares a body of ten bytes and sends only the first `count`, which are as many as the server
    /// reads.
    private func begun(_ count: Int, _ fields: String...) -> String {
        (["POST /up HTTP/1.1", "Host: test", "Content-Length: 10"] + fields).joined(separator: "\r\n") + "\r\n\r\n"
            + "0123456789".prefix(count)
    }

    @Test func `a response can be sent before the request body is complete`() async throws {
        let (server, client) = try await exchange(.respond(.status(413), after: 4), sending: begun(6))
        let received = try await client.readToEnd()
        #expect(
            received.text == Wire.response("413 Content Too Large", "Content-Length: 0", "Connection: close"))
        #expect(received.ending == .closed)
        // Bytes that arrive later have no effect.
        try await client.send("6789")
        let request = try await server.takeRequest()
        #expect(request.text == "0123")
        #expect(request.parameters == ["name": "up"])
        #expect(request.connection == 1)
        #expect(!request.isComplete)
        client.end()
        try await server.waitUntil(openConnections: 0)
    }

    @Test func `Expect: 100-continue can be rejected with a 417 response`() async throws {
        let (server, client) = try await exchange(
            .respond(.status(417), after: 0), sending: begun(0, "Expect: 100-continue"))
        #expect(
            try await client.readToEnd().text
                == Wire.response("417 Expectation Failed", "Content-Length: 0", "Connection: close"))
        #expect(try await server.takeRequest().text == "")
    }

    @Test func `Expect: 100-continue can be ignored`() async throws {
        let (server, client) = try await exchange(.ignoresExpectation, sending: begun(0, "Expect: 100-continue"))
        try await server.waitUntil { $0.acceptedConnections == 1 }
        try await client.send("0123456789")
        let response = Wire.response(text: "0123456789")
        #expect(try await client.read(response.utf8.count) == response)
    }

    @Test(
        arguments: [(.close(after: 4), .closed), (.reset(after: 4), .reset)] as [(MockUploadFault, RawClient.Ending)])
    func `a connection can close or reset in the middle of a request body`(
        _ fault: MockUploadFault, _ ending: RawClient.Ending
    ) async throws {
        let (server, client) = try await exchange(fault, sending: begun(4))
        let received = try await client.readToEnd()
        #expect(received.text == "")
        #expect(received.ending == ending)
        #expect(try await server.takeRequest().text == "0123")
        try await server.waitUntil(openConnections: 0)
    }

    @Test func `a stall in a request body keeps the connection until the client closes it`() async throws {
        let (server, client) = try await exchange(.stall(after: 4), sending: begun(6))
        #expect(try await server.takeRequest().text == "0123")
        #expect(server.openConnections == 1)
        try await client.send("6789")
        client.end()
        try await server.waitUntil(openConnections: 0)
        #expect(server.requests.count == 1)
    }

    @Test func `a stalled server reads no more than the socket buffers hold`() async throws {
        let (server, client) = try await exchange(
            .stall(after: 4), sending: "POST /up HTTP/1.1\r\nHost: test\r\nContent-Length: 100000000\r\n\r\n0123")
        _ = try await server.takeRequest()
        let sending = Task { try await client.send(Data(count: 100_000_000)) }
        server.stop()
        await #expect(throws: RawClient.Failure.self) { try await sending.value }
    }

    @Test func `a request body can be read one piece at a time`() async throws {
        let gates = Gates(2)
        let (server, client) = try await exchange(.slow(bytesAtATime: 4) { try await gates.passNext() })
        for number in 0..<2 {
            try await gates.waitForArrival(at: number)
            #expect(server.requests.isEmpty)
            gates.open(number)
        }
        let response = Wire.response(text: "0123456789")
        #expect(try await client.read(response.utf8.count) == response)
        #expect(server.requests.map(\.isComplete) == [true])
    }

    @Test func `each upload fault in a list applies to one request`() async throws {
        let (server, client) = try await exchange(
            .ignoresExpectation, nil, .close(after: .max),
            sending: (1...4).map { Wire.request("POST", "/up", body: "body \($0)") }.joined())
        let sent = Wire.response(text: "body 1") + Wire.response(text: "body 2")
        let text = try await client.readToEnd().text
        #expect(text == sent)
        #expect(server.requests.count == 3)
    }

    @Test func `an upload fault applies only to requests with its method and path`() async throws {
        let server = try MockServer()
        server.onAny { .text($0.text) }
        server.onUpload(.put, "/up", .close(after: 0))
        server.onUpload(.post, "/down", .close(after: 0))
        server.onUpload(.post, "/up", .close(after: 0))
        server.onUpload(.post, "/up", nil)
        let client = try await RawClient.connect(to: server.url)
        try await client.send(Wire.request("POST", "/up", body: "body"))
        let response = Wire.response(text: "body")
        #expect(try await client.read(response.utf8.count) == response)
    }
}
