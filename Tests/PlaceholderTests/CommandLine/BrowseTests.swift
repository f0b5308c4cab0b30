import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@testable import placeholder

@Suite(.hangGuard) struct `To browse` {
    @Test func `browse shows a page for each line of the input`() async throws {
        let console = Console(input: .lines(["", ""]))
        #expect(await console.run("browse", "todos", "--page-size", "2") == .success)
        let expected = """
            ID  USER  DONE  TITLE
            1   1     no    Grease the ramp hinges
            2   1     no    Replace the torn life jacket
            1 to 2 of 200 todos
            ID  USER  DONE  TITLE
            3   1     no    Count the cash float before noon
            4   1     no    Order two coils of blue rope
            3 to 4 of 200 todos

            """
        #expect(console.out.lines.filter { !$0.hasPrefix("→") }.joined(separator: "\n") == expected)
        #expect(console.errors == "")
    }

    @Test func `browse prefetches the next page`() async throws {
        let server = try PlaceholderServer()
        let console = Console(
            input: Input(isTerminal: true) {
                // The server receives a second request only if the next page is prefetched.
                try? await server.server.waitUntil { $0.requests == 2 }
                return nil
            })
        #expect(await console.run("browse", "posts", "--base-url", "\(server.url)") == .success)
        let targets = server.server.requests.map(\.target)
        #expect(targets == ["/posts?_page=1&_limit=10", "/posts?_page=2&_limit=10"])
        #expect(!console.out.contains("11 to 20"))
    }

    @Test(arguments: [["q"], ["Q", ""], ["quit"], []])
    func `browse ends at the quit command and explains how to continue or quit`(_ lines: [String]) async {
        let console = Console(input: .lines([""] + lines, isTerminal: true))
        #expect(await console.run("browse", "albums") == .success)
        #expect(
            console.out.lines.filter { $0.hasSuffix(" of 100 albums") }
                == ["1 to 10", "11 to 20"].map { "\($0) of 100 albums" })
        #expect(console.errors == String(repeating: "Return for the next page, q to end.\n", count: 2))
    }

    @Test func `browse ends after the last page without another request`() async throws {
        let server = try PlaceholderServer()
        let console = Console(input: .lines(["", "", "", "", ""], isTerminal: true))
        #expect(await console.run("browse", "users", "--page-size", "5", "--base-url", "\(server.url)") == .success)
        #expect(console.out.contains("6 to 10 of 10 users\n"))
        #expect(console.errors.lines.count == 2)
        #expect(server.server.requests.map(\.target) == ["/users?_page=1&_limit=5", "/users?_page=2&_limit=5"])
    }

    @Test func `browse without input shows nothing and explains why`() async {
        let console = Console()
        #expect(await console.run("browse", "users") == .success)
        #expect(console.out == "")
        #expect(console.errors == "A line of the input shows a page, and there was none.\n")
    }

    @Test func `browse continues until a short page if the list has no total`() async throws {
        let server = try MockServer()
        server.on(.get, "/albums") { request in
            let page = request.queryItems.first { $0.name == "_page" }?.value
            let ids = page == "1" ? [1, 2] : [3]
            return try .json(encodable: ids.map { Album(id: $0, userId: 1, title: "A") })
        }
        let console = Console(input: .lines(["", "", "", ""]))
        let code = await console.run("browse", "albums", "--page-size", "2", "--base-url", "\(server.url)")
        #expect(code == .success)
        #expect(console.out.lines.filter { $0.hasSuffix(" albums") } == ["1 to 2 albums", "3 to 3 albums"])
    }

    @Test func `browse shows the pages before a failure and then fails`() async throws {
        let server = try MockServer()
        server.on(.get, "/albums") { request in
            let isFirst = request.queryItems.contains { $0.name == "_page" && $0.value == "1" }
            guard isFirst else { return .status(500) }
            return try .json(encodable: [Album(id: 1, userId: 1, title: "A")]).with(header: "X-Total-Count", "2")
        }
        let console = Console(input: .lines(["", "", ""]))
        let code = await console.run("browse", "albums", "--page-size", "1", "--base-url", "\(server.url)")
        #expect(code == .failure)
        #expect(console.out.contains("1 to 1 of 2 albums\n"))
        #expect(console.errors.hasSuffix(": 500\n"))
    }
}
