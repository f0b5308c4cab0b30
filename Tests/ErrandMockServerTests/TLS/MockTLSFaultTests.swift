import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard, .enabled(if: hasTLS)) struct `Faults over TLS` {
    private func server(_ faults: MockConnectionFault?...) throws -> MockServer {
        let server = try MockServer(tls: .selfSigned)
        server.onConnection(inTurn: faults)
        server.on(.get, "/until-close") { _ in MockResponse(body: .untilClose(Data("all of it".utf8))) }
        return server
    }

    @Test(
        arguments: [
            .closeAtAccept, .resetAtAccept, .closeAfterFirstBytes, .resetAfterFirstBytes, .respondsInPlainText,
        ] as [MockConnectionFault])
    func `a handshake that breaks off fails the connection`(_ fault: MockConnectionFault) async throws {
        let server = try server(fault)
        let code = await TLSClient(server).failure()
        // A reset may arrive before the client has checked whether it is connected.
        let isEarly = fault == .resetAtAccept && code == .cannotConnectToHost
        #expect(code == .secureConnectionFailed || isEarly, "\(code as Any)")
        #expect(server.requests.isEmpty)
        try await server.waitUntil(openConnections: 0)
    }

    @Test(arguments: [MockConnectionFault.stallAtAccept, .stallAfterFirstBytes])
    func `a client can cancel a stalled handshake`(_ fault: MockConnectionFault) async throws {
        let server = try server(fault)
        let client = TLSClient(server)
        let request = Task { try await client.start().value }
        try await server.waitUntil(openConnections: 1)
        request.cancel()
        await #expect(throws: ErrandError.self) { try await request.value }
        try await server.waitUntil(openConnections: 0)
    }

    @Test func `a TLS close_notify is sent before the close unless the fault omits it`() async throws {
        let server = try server(nil, .closeWithoutCloseNotify)
        let client = try RawTLSClient()
        for isNotified in [true, false] {
            let outcome = try await client.exchange(Wire.request("GET", "/until-close"), with: server)
            #expect(outcome.text.hasSuffix("\r\n\r\nall of it"))
            #expect(outcome.isNotified == isNotified)
        }
    }

    /// The client's TLS library must report how a connection ended, as OpenSSL does.
    @Test func `a body without a length is complete only after a TLS close_notify`() async throws {
        let server = try server(nil, .closeWithoutCloseNotify)
        let response = try await TLSClient(server, path: "/until-close").start().value
        #expect(response.text == "all of it")
        #expect(await TLSClient(server, path: "/until-close").failure() == .networkConnectionLost)
    }

    @Test(
        arguments: [
            (.closeInBody(after: 3), "012", true), (.resetInBody(after: 3), "012", false),
            (.closeInHead(after: 9), "HTTP/1.1 ", true), (.resetBeforeHead, "", false),
        ] as [(MockFault, String, Bool)])
    func `a closing fault sends a TLS close_notify, and a reset does not`(
        _ fault: MockFault, _ text: String, _ isNotified: Bool
    ) async throws {
        let server = try server()
        server.on(.get, "/") { _ in .text("0123456789").with(fault: fault) }
        let outcome = try await RawTLSClient().exchange(Wire.request("GET", "/"), with: server)
        #expect(outcome.text.hasSuffix(text))
        #expect(outcome.isNotified == isNotified)
    }

    @Test func `a client that offers only another protocol is rejected`() async throws {
        let server = try server()
        let client = try RawTLSClient()
        let request = Wire.request("GET", "/until-close")
        #expect(try await client.exchange(request, with: server).agreed == "")
        let both = try await client.exchange(request, with: server, offering: ["h2", "http/1.1"])
        #expect(both.agreed == "http/1.1")
        #expect(try await client.exchange(request, with: server, offering: ["h2"]).isEstablished == false)
    }

    @Test(
        arguments: [
            .closeBeforeHead, .closeInHead(after: 10), .closeInBody(after: 3), .resetBeforeHead, .resetInBody(after: 3),
        ] as [MockFault])
    func `response faults have the same effect over TLS`(_ fault: MockFault) async throws {
        let server = try server()
        server.on(.get, "/") { _ in .text("0123456789").with(fault: fault) }
        let client = TLSClient(server)
        client.retryPolicy = nil
        #expect(await client.failure() == .networkConnectionLost)
        try await server.waitUntil(openConnections: 0)
    }

    @Test func `upload faults have the same effect over TLS`() async throws {
        let server = try server()
        server.onUpload(.post, "/up", .respond(.status(413), after: 100))
        let client = TLSClient(server, path: "/up")
        client.method = .post
        client.body = .data(Data(count: 300_000))
        #expect(try await client.start().value.statusCode == 413)
        #expect(try await server.takeRequest().body.count == 100)
    }

    @Test func `stopping a TLS server ends stalled responses`() async throws {
        let server = try server()
        server.on(.get, "/") { _ in .text("0123456789").with(fault: .stallInBody(after: 3)) }
        let client = TLSClient(server)
        let request = Task { await client.failure() }
        try await server.waitUntil { $0.requests == 1 }
        server.stop()
        #expect(await request.value == .networkConnectionLost)
    }

    @Test(arguments: [("\u{16}\u{3}\u{1}\0\u{5}hello", UInt8(21)), (Wire.request("GET", "/"), nil)])
    func `bytes that are not TLS are rejected, with an alert for a similar record`(
        _ text: String, _ first: UInt8?
    ) async throws {
        let server = try server()
        let client = try await RawClient.connect(to: server.url)
        try await client.send(text)
        let end = try await client.readToEnd()
        #expect(end.text.utf8.first == first)
        #expect(end.ending == .closed)
        #expect(server.requests.isEmpty)
        client.end()
        try await server.waitUntil(openConnections: 0)
    }
}
