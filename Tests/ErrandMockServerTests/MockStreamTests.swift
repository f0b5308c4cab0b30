import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `Mock server: streamed bodies` {
    private struct Broken: Error {}

    /// Returns these texts, one at a time, and then fails if `failing` is `true`.
    private func chunks(_ texts: String..., failing: Bool = false) -> MockResponse.Chunks {
        let rest = Locked(texts[...])
        return {
            if let text = rest.withLock({ $0.popFirst() }) { return Data(text.utf8) }
            if failing { throw Broken() }
            return nil
        }
    }

    @Test func `a streamed body is sent in chunks and keeps the connection open`() async throws {
        let server = try MockServer()
        server.on(.get, "/stream") { [chunks = chunks("one", "", "twelve chars")] _ in .stream(chunks) }
        server.on(.get, "/next") { _ in .raw("next") }
        let client = try await RawClient.connect(to: server.url)
        try await client.send(Wire.request("GET", "/stream"))
        let expected = Wire.response(
            "200 OK", "Transfer-Encoding: chunked", body: "3\r\none\r\nc\r\ntwelve chars\r\n0\r\n\r\n")
        #expect(try await client.read(expected.utf8.count) == expected)
        try await client.send(Wire.request("GET", "/next"))
        #expect(try await client.readToEnd().text == "next")
    }

    @Test func `each chunk of a streamed body is sent as soon as it is available`() async throws {
        let server = try MockServer()
        let gates = Gates(2)
        let chunks = chunks("one", "two")
        server.onAny { _ in
            .stream {
                try await gates.passNext()
                return try await chunks()
            }
        }
        let client = try await RawClient.connect(to: server.url)
        try await client.send(Wire.request("GET", "/"))
        gates.open(0)
        #expect(try await client.read(through: "one\r\n").hasSuffix("3\r\none\r\n"))
        gates.open(1)
        #expect(try await client.read(through: "0\r\n\r\n") == "3\r\ntwo\r\n0\r\n\r\n")
    }

    @Test func `a streamed body is sent unchunked to an HTTP 1.0 client and ends with a close`() async throws {
        let server = try MockServer()
        server.onAny { [chunks = chunks("one", "two")] _ in .stream(chunks) }
        let client = try await RawClient.connect(to: server.url)
        try await client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        #expect(try await client.readToEnd().text == Wire.response("200 OK", "Connection: close", body: "onetwo"))
    }

    @Test func `a streamed body that throws closes the connection early`() async throws {
        let server = try MockServer()
        server.onAny { [chunks = chunks("one", failing: true)] _ in .stream(chunks) }
        let client = try await RawClient.connect(to: server.url)
        try await client.send(Wire.request("GET", "/"))
        #expect(try await client.readToEnd().text.hasSuffix("\r\n\r\n3\r\none\r\n"))
    }

    @Test func `a streamed body is cancelled when the client closes`() async throws {
        let server = try MockServer()
        let gate = Gate()
        let outcome = Recorder<String>()
        server.onAny { _ in
            .stream {
                do {
                    try await gate.pass()
                } catch {
                    outcome.record("\(type(of: error))")
                    throw error
                }
                return nil
            }
        }
        let client = try await RawClient.connect(to: server.url)
        try await client.send(Wire.request("GET", "/"))
        try await gate.waitForArrivals(1)
        client.end()
        try await server.waitUntil(openConnections: 0)
        try await waitUntil { outcome.elements == ["CancellationError"] }
    }

    @Test(arguments: [("HEAD", 200), ("GET", 204)])
    func `a streamed body is not read if the response has no body`(_ method: String, _ status: Int) async throws {
        let server = try MockServer()
        let reads = Recorder<Int>()
        server.onAny { _ in
            MockResponse.stream {
                reads.record(1)
                return nil
            }.with(statusCode: status)
        }
        let client = try await RawClient.connect(to: server.url)
        try await client.send(Wire.request(method, "/", "Connection: close"))
        #expect(try await client.readToEnd().text.hasSuffix("\r\n\r\n"))
        #expect(reads.elements.isEmpty)
    }
}
