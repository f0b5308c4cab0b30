import Errand
import ErrandMockServer
import ErrandTesting
import Testing

struct `A condition on a request` {
    /// Whether a request meets the condition.
    private func isMet(_ condition: RequestCondition, by request: ShelfAPI = VolumesRequest()) async throws -> Bool {
        let stubs = RouteStubs()
        stubs.on(.get, "*", .status(200), times: .any)
        stubs.on(.get, "*", where: condition, .status(299), times: .any)
        return try await stubs.run { try await request.startRequest().value.statusCode == 299 }
    }

    @Test(arguments: [
        ("shelf.example.com", true), ("SHELF.example.com", true), ("*.example.com", true), ("*.com", true),
        ("example.com", false), ("*.shelf.example.com", false), ("shelf.example.com:8080", false), ("", false),
        ("*", false), ("https://shelf.example.com", true), ("shelf.example.com:443", true),
    ])
    func `a host condition matches host names by pattern`(_ pattern: String, _ expected: Bool) async throws {
        #expect(try await isMet(.host(pattern)) == expected)
    }

    @Test(arguments: [("localhost:8080", true), ("localhost", true), ("localhost:80", false), ("[::1]", false)])
    func `a host condition can include the port`(_ pattern: String, _ expected: Bool) async throws {
        let request = VolumesRequest()
        request.baseURL = URL(string: "http://localhost:8080")
        #expect(try await isMet(.host(pattern), by: request) == expected)
    }

    @Test func `a query condition matches items by name and value`() async throws {
        let request = VolumesRequest(["page": "2", "by": "Le Guin"])
        #expect(try await isMet(.query("page"), by: request))
        #expect(try await isMet(.query("by", "Le Guin"), by: request))
        #expect(try await isMet([.query("by", "Le Guin"), .query("page", "2")], by: request))
        #expect(try await !isMet([.query("by", "Le Guin"), .query("page", "3")], by: request))
        #expect(try await !isMet(.query("size"), by: request))
    }

    @Test func `a header condition matches the field's value`() async throws {
        let request = VolumesRequest()
        request.headers["Accept"] = "application/json"
        #expect(try await isMet(.header("accept", "application/json"), by: request))
        #expect(try await !isMet(.header("accept", "text/html"), by: request))
        #expect(try await isMet(.header("accept"), by: request))
        #expect(try await !isMet(.header("Cookie"), by: request))
    }

    @Test func `a form condition matches decoded fields by name and value`() async throws {
        let request = VolumesRequest()
        request.body = .urlEncoded(["by": "Le Guin & Co", "size": "", "tag": ["a+b", "ü"]]).withAnyMethod()
        #expect(try await isMet(.form("by", "Le Guin & Co"), by: request))
        #expect(try await isMet([.form("tag", "a+b"), .form("tag", "ü"), .form("size", "")], by: request))
        #expect(try await isMet(.form("size"), by: request))
        #expect(try await !isMet(.form("page"), by: request))
        #expect(try await !isMet(.form("by", "Le"), by: request))
        request.body = .data(Data("by=Le".utf8), type: "text/plain").withAnyMethod()
        #expect(try await !isMet(.form("by"), by: request))
    }

    @Test(arguments: [
        ("", []), ("a", ["a="]), ("a=1&&b=2=3&a=%2B+%zz", ["a=1", "b=2=3", "a=%2B %zz"]), ("=x", ["=x"]),
    ])
    func `a form that is not well formed keeps its fields`(_ body: String, _ fields: [String]) async throws {
        let server = try MockServer()
        server.onAny { _ in .status(200) }
        let request = VolumesRequest()
        request.baseURL = server.url
        request.method = .post
        request.body = .data(Data(body.utf8), type: "application/x-www-form-urlencoded")
        _ = try await request.startRequest().value
        let received = try await server.takeRequest()
        #expect(received.formFields.map { "\($0.name)=\($0.value ?? "nil")" } == fields)
    }

    @Test func `a body condition matches bytes, and a JSON condition matches by value`() async throws {
        let request = VolumesRequest()
        request.body = .data(Data(#"{"b": [1, 2], "a": "x"}"#.utf8), type: .json).withAnyMethod()
        #expect(try await isMet(.body(Data(#"{"b": [1, 2], "a": "x"}"#.utf8)), by: request))
        #expect(try await isMet(.json(Data(#"{"a":"x","b":[1,2]}"#.utf8)), by: request))
        #expect(try await !isMet(.json(Data(#"{"a":"x","b":[2,1]}"#.utf8)), by: request))
        #expect(try await !isMet(.json(Data("no JSON".utf8)), by: request))
        #expect(try await !isMet(.body(Data()), by: request))
    }

    @Test func `a custom condition uses its closure`() async throws {
        #expect(try await isMet(.matching("the path is short") { $0.path.count < 100 }))
        #expect(try await !isMet(.matching("there is a body") { !$0.body.isEmpty }))
    }

    @Test func `an any-of condition matches if at least one of its conditions does`() async throws {
        let request = VolumesRequest(["page": "2"])
        #expect(try await isMet(.any(of: .query("cursor"), .query("page")), by: request))
        #expect(try await !isMet(.any(of: .query("cursor"), .query("page", "3")), by: request))
        #expect(try await isMet(.any(of: .query("cursor"), .always), by: request))
        #expect(try await !isMet(.any(), by: request))
    }

    @Test func `a negated condition matches if its condition does not`() async throws {
        let request = VolumesRequest(["page": "2"])
        #expect(try await isMet(.not(.query("all")), by: request))
        #expect(try await !isMet(.not(.query("page")), by: request))
        #expect(try await !isMet(.not(.always), by: request))
        #expect(try await isMet(.not([.query("page"), .query("all")]), by: request))
        #expect(try await isMet(.not(.not(.query("page"))), by: request))
    }

    @Test func `lists, alternatives and negations of conditions can be nested`() async throws {
        let condition: RequestCondition = [.any(of: .query("cursor"), [.query("page"), .not(.query("all"))])]
        #expect(try await isMet(condition, by: VolumesRequest(["page": "2"])))
        #expect(try await isMet(condition, by: VolumesRequest(["cursor": "x", "all": "1"])))
        #expect(try await !isMet(condition, by: VolumesRequest(["page": "2", "all": "1"])))
    }

    @Test func `the description of a condition is a readable sentence`() {
        func expect(_ condition: RequestCondition, _ description: String) {
            #expect(condition.description == description)
        }
        let (one, two, three) = (#"the query has "a""#, #"the query has "b""#, #"the query has "c""#)
        let (a, b, c) = (RequestCondition.query("a"), RequestCondition.query("b"), RequestCondition.query("c"))
        expect(.always, "")
        expect([], "")
        expect(a, one)
        expect([a, b], "\(one) and \(two)")
        expect([[a, b], .always], "\(one) and \(two)")
        expect(.any(of: a, b), "\(one) or \(two)")
        expect([.any(of: a, b)], "\(one) or \(two)")
        expect(.any(of: a), one)
        expect([.any(of: a, b), c], "(\(one) or \(two)) and \(three)")
        expect(.any(of: [a, b], c), "(\(one) and \(two)) or \(three)")
        expect(.not(a), "not (\(one))")
        expect(.not([a, b]), "not (\(one) and \(two))")
        expect(.not(.always), "not (anything)")
        expect(.any(of: .always, a), "anything or \(one)")
    }

    @Test func `only the conditions that do not match are named`() async throws {
        let stubs = RouteStubs()
        stubs.on(
            .get, "/v1/volumes",
            where: [.host("shelf.example.com"), .any(of: .query("cursor"), .query("since")), .not(.query("page"))],
            .status(200), times: .any)
        let error = await thrown {
            _ = try await stubs.scoped { try await VolumesRequest(["page": "2"]).start().value }
        }
        let expected =
            #"; not met: (the query has "cursor" or the query has "since") and not (the query has "page")"#
        #expect(error?.reason?.hasSuffix(expected) == true, "\(error?.reason ?? "")")
    }
}
