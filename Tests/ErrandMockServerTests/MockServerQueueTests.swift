import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `The queue of a mock server` {
    private func response(_ path: String, of server: MockServer) async throws -> String {
        let client = try await RawClient.connect(to: server.url)
        try await client.send(Wire.request("GET", path, "Connection: close"))
        return try await client.readToEnd().text
    }

    private func body(_ path: String, of server: MockServer) async throws -> String {
        String(try await response(path, of: server).split(separator: "\r\n").last ?? "")
    }

    @Test func `enqueued responses are sent in order for any path`() async throws {
        let server = try MockServer()
        server.enqueue(.text("one"), .text("two"))
        server.enqueue([.text("three")])
        var bodies: [String] = []
        for path in ["/a", "/b", "/a"] { bodies.append(try await body(path, of: server)) }
        #expect(bodies == ["one", "two", "three"])
        #expect(server.requests.map(\.path) == ["/a", "/b", "/a"])
    }

    @Test func `enqueued responses are sent to pipelined requests in order`() async throws {
        let server = try MockServer()
        server.enqueue((0..<20).map { .text("\($0)") })
        let client = try await RawClient.connect(to: server.url)
        let last = Wire.request("GET", "/19", "Connection: close")
        try await client.send((0..<19).map { Wire.request("GET", "/\($0)") }.joined() + last)
        let text = try await client.readToEnd().text
        let bodies = text.components(separatedBy: "\r\n\r\n").dropFirst()
        let numbers = bodies.map { body in Int(body.prefix { $0.isNumber }) }
        #expect(numbers == Array(0..<20))
    }

    @Test func `an empty response queue causes a descriptive 404 response`() async throws {
        let server = try MockServer()
        server.enqueue(.text("one"))
        _ = try await body("/a", of: server)
        let response = try await response("/b", of: server)
        #expect(response.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
        #expect(response.hasSuffix("No route for GET /b, and no enqueued response is left of 1\n"))
        server.enqueue(.text("more"))
        #expect(try await body("/c", of: server) == "more")
    }

    @Test func `enqueued responses come after routes and before the fallback handler`() async throws {
        let server = try MockServer()
        server.on(.get, "/route") { _ in .text("the route") }
        server.onAny { _ in .text("any") }
        server.enqueue(.text("the queue"))
        #expect(try await body("/route", of: server) == "the route")
        #expect(try await body("/a", of: server) == "the queue")
        #expect(try await body("/a", of: server) == "any")
    }

    @Test func `a response stays enqueued when an upload fault ends the request`() async throws {
        let server = try MockServer()
        server.enqueue(.text("kept"))
        server.onUpload(.post, "/covers", .respond(.status(413), after: 0))
        let client = try await RawClient.connect(to: server.url)
        try await client.send(Wire.request("POST", "/covers", body: "cover"))
        #expect(try await client.readToEnd().text.hasPrefix("HTTP/1.1 413"))
        #expect(try await body("/a", of: server) == "kept")
    }

    @Test func `faults can be enqueued`() async throws {
        let server = try MockServer()
        server.enqueue(.status(200).with(fault: .closeBeforeHead), .text("two"))
        #expect(try await response("/a", of: server) == "")
        #expect(try await body("/a", of: server) == "two")
    }
}
