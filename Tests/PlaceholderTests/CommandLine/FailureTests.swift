import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@testable import placeholder

@Suite(.hangGuard) struct `What goes wrong` {
    @Test func `a usage error is reported in one line with exit code 64`() async {
        let console = Console()
        #expect(await console.run("users", "--id", "x") == .usage)
        #expect(console.errors == "placeholder: --id takes a whole number above zero, not \"x\"\n")
        #expect(console.out == "")
    }

    @Test(arguments: [["users"], ["users", "--json"], []])
    func `an unreachable server is reported in one line with exit code 69`(_ words: [String]) async throws {
        let nobody = try MockServer.refusing()
        let console = Console()
        let arguments = words + ["--base-url", "\(nobody.url)"]
        #expect(await console.run(arguments) == .unavailable)
        #expect(console.complaint == "placeholder: GET \(nobody.url)/users: \(nobody.url.refusal)")
    }

    @Test func `a lost connection is reported in one line with exit code 69`() async throws {
        let server = try MockServer()
        server.onAny { _ in .json("[]").with(fault: .closeInBody(after: 1)) }
        let console = Console()
        #expect(await console.run("posts", "--base-url", "\(server.url)") == .unavailable)
        let expected = "GET \(server.url)/posts: the connection was lost before the response was complete"
        #expect(console.complaint == "placeholder: \(expected)")
    }

    @Test(arguments: [
        ("users", "[{]", "not JSON at line 1, column 3: expected a key in quotes"), ("users", "", "the body is empty"),
        ("todos", #"[{"id": 1, "userId": "me"}]"#, "[0].userId is a string, not Int, at line 1, column 22"),
        ("albums", #"[{"id": 1, "userId": 1}]"#, "[0].title is missing, at line 1, column 2"),
    ])
    func `an invalid document is reported with its location and exit code 65`(
        _ kind: String, _ document: String, _ reason: String
    ) async throws {
        let server = try MockServer()
        server.onAny { _ in .json(Data(document.utf8)) }
        let console = Console()
        #expect(await console.run(kind, "--base-url", "\(server.url)") == .badData)
        #expect(console.complaint == "placeholder: GET \(server.url)/\(kind): cannot read the response: \(reason)")
    }

    @Test func `invalid JSON is reported the same way with the JSON option`() async throws {
        let server = try MockServer()
        server.onAny { _ in .json(Data("[1, ?]".utf8)) }
        let console = Console()
        #expect(await console.run("users", "--json", "--base-url", "\(server.url)") == .badData)
        #expect(
            console.complaint?.hasSuffix("cannot read the response: not JSON at line 1, column 5: expected a value")
                == true)
        #expect(console.out == "")
    }

    @Test func `an HTML response is reported with its content type and exit code 65`() async throws {
        let server = try MockServer()
        server.onAny { _ in .data(Data("<html>".utf8), contentType: "text/html") }
        let console = Console()
        #expect(await console.run("users", "--base-url", "\(server.url)") == .badData)
        #expect(console.complaint?.hasSuffix("cannot read the response: text/html, not application/json") == true)
    }

    @Test func `an error response is reported in one line with its message and exit code 1`() async throws {
        let server = try MockServer()
        server.onAny { _ in
            try .json(encodable: ProblemDetails(title: "No", detail: "Not\nnow\u{1B}[2J."), statusCode: 503)
        }
        let console = Console()
        #expect(await console.run("users", "--id", "1", "--base-url", "\(server.url)") == .failure)
        #expect(console.complaint == "placeholder: GET \(server.url)/users/1: 503: Not now [2J.")
    }

    @Test func `a failure before the request is sent prints no request line`() async {
        let console = Console(environment: ["PLACEHOLDER_TOKEN": "hunter2\n"])
        #expect(await console.run("users") == .failure)
        #expect(console.complaint?.hasSuffix("the value of Authorization has a control character") == true)
        #expect(console.out == "")
    }
}

extension Console {
    /// The last line of the errors, the only one that is not about a request.
    fileprivate var complaint: String? {
        let complaints = errors.lines.dropLast().filter { !$0.hasPrefix("→") }
        return complaints.count == 1 ? complaints.first : nil
    }
}
