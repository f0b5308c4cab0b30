import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

/// Spellings of responses and conditions that a user tries first.
@Suite(.hangGuard) struct `A natural spelling in a test` {
    private final class PutRequest: APIBase, Request {
        init(_ body: JSONValue) {
            super.init()
            baseURL = URL(string: "https://shelf.example.com")
            path = "/files/a"
            method = .put
            self.body = .json(body)
        }

        func start() -> Pipeline<JSONValue, any Error> { sendRequest().decode(JSONValue.self) }
    }

    @Test func `a route of a mock server can be given a response instead of a closure`() async throws {
        let server = try MockServer()
        server.on(.put, "/files/:name", .json(["saved": true, "tags": ["a", 1, nil]]))
        let request = PutRequest([:])
        request.baseURL = server.url
        request.session = CurlTransport()
        for _ in 1...2 {
            #expect(try await request.start().value == ["saved": true, "tags": ["a", 1, nil]])
        }
    }

    @Test func `a JSON response can be given as text`() async throws {
        let stubs = RouteStubs()
        stubs.on(.put, "/files/*", .json(#"{"id": 7}"#, statusCode: 201))
        let response = try await stubs.run { try await PutRequest([:]).startRequest().value }
        #expect(response.statusCode == 201)
        #expect(response.headers["Content-Type"] == "application/json")
        #expect(response.text == #"{"id": 7}"#)
    }

    @Test func `a JSON condition and response can be given as an object literal`() async throws {
        let stubs = RouteStubs()
        stubs.on(.put, "/files/*", .status(404, json: Data("[]".utf8)), times: .any)
        stubs.on(.put, "/files/*", where: .json(["type": "file", "size": 3]), .status(201, json: ["id": 7]))
        let created = try await stubs.run {
            #expect(try await PutRequest(["type": "file"]).startRequest().value.text == "[]")
            return try await PutRequest(["size": 3.0, "type": "file"]).startRequest().value
        }
        #expect(created.statusCode == 201)
        #expect(created.text == #"{"id":7}"#)
        #expect(created.headers["Content-Type"] == "application/json")
    }
}
