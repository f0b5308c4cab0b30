import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `Mock server` {
    /// Sends one request on a new connection, and returns all received bytes.
    private func response(of server: MockServer, to request: String) async throws -> String {
        let client = try await RawClient.connect(to: server.url)
        try await client.send(request)
        return try await client.readToEnd().text
    }

    @Test func `the client receives the response of the handler`() async throws {
        let server = try MockServer()
        server.on(.get, "/users/:id") { request in
            try .json(encodable: request.parameters).with(header: "Set-Cookie", "a=1").with(header: "Set-Cookie", "b=2")
        }
        let response = try await response(of: server, to: Wire.request("GET", "/users/7", "Connection: close"))
        let expected = Wire.response(
            "200 OK", "Content-Type: application/json", "Set-Cookie: a=1", "Set-Cookie: b=2", "Content-Length: 10",
            "Connection: close", body: #"{"id":"7"}"#)
        #expect(response == expected)
    }

    @Test func `a request without a matching route gets a 404 response that names it`() async throws {
        let server = try MockServer()
        let response = try await response(of: server, to: Wire.request("GET", "/no%20where", "Connection: close"))
        #expect(response.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
        #expect(response.hasSuffix("\r\n\r\nNo route for GET /no where\n"))
        #expect(server.requests.map(\.path) == ["/no where"])
    }

    @Test func `a later route overrides an earlier one, and the fallback handles the rest`() async throws {
        let server = try MockServer()
        server.on(.get, "/*") { _ in .raw("early") }
        server.on(.get, "/late") { _ in .raw("late") }
        server.onAny { _ in .raw("any") }
        #expect(try await response(of: server, to: Wire.request("GET", "/late")) == "late")
        #expect(try await response(of: server, to: Wire.request("GET", "/else")) == "early")
        #expect(try await response(of: server, to: Wire.request("POST", "/late")) == "any")
    }

    @Test func `a handler that throws causes a 500 response with its error`() async throws {
        struct Broken: Error, CustomStringConvertible {
            let description = "out of order"
        }
        let server = try MockServer()
        server.onAny { _ in throw Broken() }
        let response = try await response(of: server, to: Wire.request("GET", "/", "Connection: close"))
        #expect(response.hasPrefix("HTTP/1.1 500 Internal Server Error\r\n"))
        #expect(response.hasSuffix("\r\n\r\nout of order\n"))
    }

    @Test func `a request is recorded exactly as received`() async throws {
        let server = try MockServer()
        server.onAny { _ in .status(204) }
        let head = "POST /a?b=c HTTP/1.1\r\nhOsT: x\r\nX-Twice: 1\r\nX-Twice:2\r\nTransfer-Encoding: chunked\r\n\r\n"
        let client = try await RawClient.connect(to: server.url)
        try await client.send(head + "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
        let request = try await server.takeRequest()
        #expect(request.rawHead == Data(head.utf8))
        #expect(request.method == .post)
        #expect(request.target == "/a?b=c")
        #expect(request.headers[values: "x-twice"] == ["1", "2"])
        #expect(request.text == "abcde")
        #expect(request.connection == 1)
    }

    @Test func `one connection carries several consecutive requests`() async throws {
        let server = try MockServer()
        server.onAny { request in .text(request.path) }
        let client = try await RawClient.connect(to: server.url)
        for path in ["/one", "/two", "/three"] {
            try await client.send(Wire.request("GET", path))
            let expected = Wire.response(text: path)
            #expect(try await client.read(expected.utf8.count) == expected)
        }
        #expect(server.requests.map(\.connection) == [1, 1, 1])
        #expect(server.acceptedConnections == 1)
    }

    @Test func `pipelined requests get responses in order even if the first is slowest`() async throws {
        let server = try MockServer()
        let (gate, opener) = AsyncStream<Void>.makeStream()
        server.on(.get, "/slow") { _ in
            for await _ in gate { break }
            return .text("slow")
        }
        server.on(.get, "/fast") { _ in .text("fast") }
        let client = try await RawClient.connect(to: server.url)
        try await client.send(Wire.request("GET", "/slow") + Wire.request("GET", "/fast", "Connection: close"))
        _ = try await server.takeRequest()
        #expect(server.requests.map(\.path) == ["/slow"])
        opener.yield()
        let responses = try await client.readToEnd().text
        #expect(responses.hasPrefix(Wire.response(text: "slow") + "HTTP/1.1 200 OK\r\n"))
        #expect(responses.hasSuffix("\r\n\r\nfast"))
    }

    @Test func `a client that sends Expect: 100-continue gets a 100 response before its body`() async throws {
        let server = try MockServer()
        server.onAny { request in .raw(request.body) }
        let client = try await RawClient.connect(to: server.url)
        try await client.send("PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
        #expect(try await client.read(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        #expect(server.requests.isEmpty)
        try await client.send("hello")
        #expect(try await client.readToEnd().text == "hello")
    }

    @Test func `bodies of several megabytes are received and sent`() async throws {
        let server = try MockServer()
        server.onAny { request in .raw(request.body) }
        let body = String(repeating: "0123456789abcdef", count: 1 << 19)
        let client = try await RawClient.connect(to: server.url)
        try await client.send(Wire.request("POST", "/", body: body))
        let (text, ending) = try await client.readToEnd()
        #expect(text == body)
        #expect(ending == .closed)
    }

    @Test func `a 413 response reaches a client that is still sending`() async throws {
        let server = try MockServer(maximumBodySize: 1_000)
        let client = try await RawClient.connect(to: server.url)
        try await client.send(Wire.request("POST", "/", body: String(repeating: "x", count: 1_000_000)))
        let (text, ending) = try await client.readToEnd()
        #expect(text.hasPrefix("HTTP/1.1 413 Content Too Large\r\n"))
        #expect(ending == .closed)
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: [
        ("nonsense\r\n\r\n", "400 Bad Request"),
        ("GET /" + String(repeating: "a", count: 70_000), "431 Request Header Fields Too Large"),
    ])
    func `a malformed request gets an error response and closes the connection`(
        request: String, status: String
    ) async throws {
        let server = try MockServer()
        let response = try await response(of: server, to: request)
        #expect(response.hasPrefix("HTTP/1.1 \(status)\r\n"))
        #expect(response.contains("\r\nConnection: close\r\n"))
        #expect(server.requests.isEmpty)
    }
}
