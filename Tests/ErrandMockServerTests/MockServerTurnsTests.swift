import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `Responses in turn` {
    private func bodies(_ count: Int, of server: MockServer) async throws -> [String] {
        var bodies: [String] = []
        for _ in 0..<count {
            let client = try await RawClient.connect(to: server.url)
            try await client.send(Wire.request("GET", "/x", "Connection: close"))
            let text = try await client.readToEnd().text
            bodies.append(String(text.split(separator: "\r\n").last ?? ""))
        }
        return bodies
    }

    @Test func `each request gets the next response, and a surplus request gets an error`() async throws {
        let server = try MockServer()
        server.on(.get, "/x", inTurn: [.text("one"), .text("two")])
        let expected = ["one", "two", "GET /x has 2 responses, and this is request 3\n"]
        #expect(try await bodies(3, of: server) == expected)
    }

    @Test func `the last response of a list can be repeated`() async throws {
        let server = try MockServer()
        server.on(.get, "/x", inTurn: [.text("one"), .text("two")], repeatingLast: true)
        #expect(try await bodies(4, of: server) == ["one", "two", "two", "two"])
    }

    @Test func `an empty list of responses causes an error response`() async throws {
        let server = try MockServer()
        server.on(.get, "/x", inTurn: [], repeatingLast: true)
        #expect(try await bodies(1, of: server) == ["GET /x has 0 responses, and this is request 1\n"])
    }

    @Test func `faults and responses can be mixed in a list`() async throws {
        let server = try MockServer()
        server.on(.get, "/x", inTurn: [.status(200).with(fault: .closeBeforeHead), .text("two")])
        #expect(try await bodies(2, of: server) == ["", "two"])
    }
}
