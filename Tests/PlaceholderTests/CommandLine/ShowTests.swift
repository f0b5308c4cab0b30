import Errand
import ErrandMockServer
import ErrandTesting
import Fixtures
import TestSupport
import Testing

@testable import placeholder

@Suite(.hangGuard) struct `To show` {
    @Test func `a single todo is shown as a card`() async {
        let console = Console()
        #expect(await console.run("todos", "--id", "6") == .success)
        let expected = """
            → GET /todos/6  200 (64 bytes, 0.0 ms)
            id     6
            user   1
            done   yes
            title  Test the fog bell

            """
        #expect(console.out.withoutTimes == expected)
        #expect(console.errors == "")
    }

    @Test func `the posts of a user are requested with a filter`() async {
        let console = Console()
        #expect(await console.run("posts", "--user", "2") == .success)
        let lines = console.out.lines
        #expect(lines.first?.hasPrefix("→ GET /posts?userId=2  200 ") == true)
        #expect(lines.dropFirst(2).filter { $0.contains("  2     ") }.count == 10)
    }

    @Test func `the user option finds a user by id`() async {
        let console = Console()
        #expect(await console.run("users", "--user", "5") == .success)
        #expect(console.out.lines.first?.hasPrefix("→ GET /users?id=5  200 ") == true)
        #expect(console.out.contains("Nguyễn Thu Hà"))
    }

    @Test func `the comments of a user are requested after the user's posts`() async {
        let console = Console()
        #expect(await console.run("comments", "--user", "1") == .success)
        let lines = console.out.lines
        #expect(lines[0].hasPrefix("→ GET /posts?userId=1  200 "))
        #expect(lines[1].hasPrefix("→ GET /comments?postId=1&postId=2&"))
        #expect(lines.dropFirst(3).dropLast().count == 50)
    }

    @Test func `the comments of an unknown user are an empty list`() async {
        let console = Console()
        #expect(await console.run("comments", "--user", "77") == .success)
        #expect(console.out.lines.dropFirst() == ["(none)", ""])
        let json = Console()
        #expect(await json.run("photos", "--user", "77", "--json") == .success)
        #expect(json.out == "[]\n")
    }

    @Test(arguments: ResourceKind.allCases)
    func `the JSON option writes only JSON to the standard output`(_ kind: ResourceKind) async throws {
        let console = Console()
        #expect(await console.run(kind.rawValue, "--json") == .success)
        let shown = try FastJSONDecoder().decode(JSONValue.self, from: Data(console.out.utf8))
        #expect(try shown == FastJSONDecoder().decode(JSONValue.self, from: Fixtures.json(kind.rawValue)))
        #expect(console.errors.hasPrefix("→ GET /\(kind)  200 "))
    }

    @Test func `curl commands hide the token and the secrets of the base URL`() async throws {
        let server = try MockServer()
        server.on(.get, "/v1/todos") { _ in .json("[]") }
        let console = Console(environment: ["PLACEHOLDER_TOKEN": "hunter2"])
        let base = "\(server.url)/v1?key=hunter2".replacing("127.0.0.1", with: "me:hunter2@127.0.0.1")
        #expect(await console.run("todos", "--user", "3", "--verbose", "--base-url", base) == .success)
        let command = """
            curl -H 'Accept: application/json' -H 'Authorization: ***' '\(server.url)/v1/todos?key=***&userId=3'
            → GET /v1/todos?key=***&userId=3  200 (2 bytes, 0.0 ms)
            (none)

            """
        #expect(console.out.withoutTimes == command)
        #expect(try await server.takeRequest().target == "/v1/todos?key=hunter2&userId=3")
    }

    @Test func `the help option writes the usage and sends no request`() async {
        let console = Console()
        #expect(await console.run("users", "--help") == .success)
        #expect(console.out.hasPrefix("usage: placeholder "))
        #expect(console.errors == "")
    }
}
