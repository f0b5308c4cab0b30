import Errand
import ErrandTesting
import Testing

struct `A condition of a stub` {
    /// Whether a request meets it.
    private func isMet(_ condition: StubCondition, by request: ShelfAPI = VolumesRequest()) async throws -> Bool {
        let stubs = RouteStubs()
        stubs.on(.get, "*", .status(200), times: .any)
        stubs.on(.get, "*", where: condition, .status(299), times: .any)
        return try await stubs.run { try await request.startRequest().value.statusCode == 299 }
    }

    @Test(arguments: [
        ("shelf.example.com", true), ("SHELF.example.com", true), ("*.example.com", true), ("*.com", true),
        ("example.com", false), ("*.shelf.example.com", false), ("shelf.example.com:8080", false), ("", false),
    ])
    func `on the host`(_ pattern: String, _ expected: Bool) async throws {
        #expect(try await isMet(.host(pattern)) == expected)
    }

    @Test(arguments: [("localhost:8080", true), ("localhost", true), ("localhost:80", false), ("[::1]", false)])
    func `on host and port`(_ pattern: String, _ expected: Bool) async throws {
        let request = VolumesRequest()
        request.baseURL = URL(string: "http://localhost:8080")
        #expect(try await isMet(.host(pattern), by: request) == expected)
    }

    @Test func `on the query`() async throws {
        let request = VolumesRequest(["page": "2", "by": "Le Guin"])
        #expect(try await isMet(.query("page"), by: request))
        #expect(try await isMet(.query("by", "Le Guin"), by: request))
        #expect(try await isMet([.query("by", "Le Guin"), .query("page", "2")], by: request))
        #expect(try await !isMet([.query("by", "Le Guin"), .query("page", "3")], by: request))
        #expect(try await !isMet(.query("size"), by: request))
    }

    @Test func `on a field`() async throws {
        let request = VolumesRequest()
        request.headers["Accept"] = "application/json"
        #expect(try await isMet(.header("accept", "application/json"), by: request))
        #expect(try await !isMet(.header("accept", "text/html"), by: request))
    }

    @Test func `on the body`() async throws {
        let request = VolumesRequest()
        request.body = .data(Data(#"{"b": [1, 2], "a": "x"}"#.utf8), type: .json)
        #expect(try await isMet(.body(Data(#"{"b": [1, 2], "a": "x"}"#.utf8)), by: request))
        #expect(try await isMet(.json(Data(#"{"a":"x","b":[1,2]}"#.utf8)), by: request))
        #expect(try await !isMet(.json(Data(#"{"a":"x","b":[2,1]}"#.utf8)), by: request))
        #expect(try await !isMet(.json(Data("no JSON".utf8)), by: request))
        #expect(try await !isMet(.body(Data()), by: request))
    }

    @Test func `of a test's own`() async throws {
        #expect(try await isMet(.matching("the path is short") { $0.path.count < 100 }))
        #expect(try await !isMet(.matching("there is a body") { !$0.body.isEmpty }))
    }
}
