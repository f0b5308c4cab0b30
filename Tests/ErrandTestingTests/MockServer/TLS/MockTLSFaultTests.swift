import Errand
import TestSupport
import Testing

@testable import ErrandTesting

@Suite(.hangGuard, .enabled(if: SocketPlatform.hasTLS)) struct `Faults over TLS` {
    private func server(_ faults: MockConnectionFault?...) throws -> MockServer {
        let server = try MockServer(tls: .selfSigned)
        server.onConnection(inTurn: faults)
        server.on(.get, "/until-close") { _ in MockResponse(body: .untilClose(Data("all of it".utf8))) }
        return server
    }

    @Test(
        arguments: [
            .closeAtAccept, .resetAtAccept, .closeAfterFirstBytes, .resetAfterFirstBytes, .answersInPlainText,
        ] as [MockConnectionFault])
    func `a handshake that breaks off is a failed connection`(_ fault: MockConnectionFault) async throws {
        let server = try server(fault)
        let code = await TLSClient(server).failure()
        // A reset may arrive before the client has checked whether it is connected.
        let isEarly = fault == .resetAtAccept && code == .cannotConnectToHost
        #expect(code == .secureConnectionFailed || isEarly, "\(code as Any)")
        #expect(server.requests.isEmpty)
        try await server.waitUntil(openConnections: 0)
    }

    @Test(arguments: [MockConnectionFault.stallAtAccept, .stallAfterFirstBytes])
    func `a handshake that stalls is given up by the client`(_ fault: MockConnectionFault) async throws {
        let server = try server(fault)
        let client = TLSClient(server)
        let request = Task { try await client.start().value }
        try await server.waitUntil(openConnections: 1)
        request.cancel()
        await #expect(throws: ErrandError.self) { try await request.value }
        try await server.waitUntil(openConnections: 0)
    }

    @Test func `TLS ends before the connection does, unless it is not to`() async throws {
        let server = try server(nil, .closeWithoutNotice)
        let client = try RawTLSClient()
        for isNotified in [true, false] {
            let outcome = try await client.exchange(Wire.request("GET", "/until-close"), with: server)
            #expect(outcome.text.hasSuffix("\r\n\r\nall of it"))
            #expect(outcome.isNotified == isNotified)
        }
    }

    /// The client's TLS library must report how a connection ended, as OpenSSL does.
    @Test func `a body without a length is complete when TLS ends before the connection`() async throws {
        let server = try server(nil, .closeWithoutNotice)
        let response = try await TLSClient(server, path: "/until-close").start().value
        #expect(response.text == "all of it")
        #expect(await TLSClient(server, path: "/until-close").failure() == .networkConnectionLost)
    }

    @Test(
        arguments: [
            (.closeInBody(after: 3), "012", true), (.resetInBody(after: 3), "012", false),
            (.closeInHead(after: 9), "HTTP/1.1 ", true), (.resetBeforeHead, "", false),
        ] as [(MockFault, String, Bool)])
    func `a close is told in TLS, and a reset is not`(
        _ fault: MockFault, _ text: String, _ isNotified: Bool
    ) async throws {
        let server = try server()
        server.on(.get, "/") { _ in .text("0123456789").with(fault: fault) }
        let outcome = try await RawTLSClient().exchange(Wire.request("GET", "/"), with: server)
        #expect(outcome.text.hasSuffix(text))
        #expect(outcome.isNotified == isNotified)
    }

    @Test func `a client that offers another protocol alone is refused`() async throws {
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
    func `faults of an answer are the same over TLS`(_ fault: MockFault) async throws {
        let server = try server()
        server.on(.get, "/") { _ in .text("0123456789").with(fault: fault) }
        let client = TLSClient(server)
        client.retryPolicy = nil
        #expect(await client.failure() == .networkConnectionLost)
        try await server.waitUntil(openConnections: 0)
    }

    @Test func `faults of an upload are the same over TLS`() async throws {
        let server = try server()
        server.onUpload(.post, "/up", .answer(.status(413), after: 100))
        let client = TLSClient(server, path: "/up")
        client.method = .post
        client.body = .data(Data(count: 300_000))
        #expect(try await client.start().value.statusCode == 413)
        #expect(try await server.takeRequest().body.count == 100)
    }

    @Test func `stopping ends what is held`() async throws {
        let server = try server()
        server.on(.get, "/") { _ in .text("0123456789").with(fault: .stallInBody(after: 3)) }
        let client = TLSClient(server)
        let request = Task { await client.failure() }
        try await server.waitUntil { $0.requests == 1 }
        server.stop()
        #expect(await request.value == .networkConnectionLost)
    }

    @Test(arguments: [("\u{16}\u{3}\u{1}\0\u{5}hello", UInt8(21)), (Wire.request("GET", "/"), nil)])
    func `what is no TLS is refused, with an alert where it looked like some`(
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
