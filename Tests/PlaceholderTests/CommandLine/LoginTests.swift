import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@testable import placeholder

@Suite(.hangGuard) struct `To log in` {
    @Test func `login refreshes a rejected token and continues`() async {
        let console = Console()
        #expect(await console.run("login") == .success)
        let expected = """
            7 calls with a token. Where the server refuses it, it is refreshed, and the call goes on.
            → POST /tokens  201 (29 bytes, 0.0 ms)
            token 1: good for 3 calls
            → GET /me  200 (411 bytes, 0.0 ms)
            call 1, with token 1: Ingrid Sørvåg
            → GET /me  200 (411 bytes, 0.0 ms)
            call 2, with token 1: Ingrid Sørvåg
            → GET /me  200 (411 bytes, 0.0 ms)
            call 3, with token 1: Ingrid Sørvåg
            → GET /me  401 (128 bytes, 0.0 ms)
            → POST /tokens  201 (29 bytes, 0.0 ms)
            token 2, in place of token 1: good for 3 calls
            → GET /me  200 (411 bytes, 0.0 ms)
            call 4, with token 2: Ingrid Sørvåg
            → GET /me  200 (411 bytes, 0.0 ms)
            call 5, with token 2: Ingrid Sørvåg
            → GET /me  200 (411 bytes, 0.0 ms)
            call 6, with token 2: Ingrid Sørvåg
            → GET /me  401 (128 bytes, 0.0 ms)
            → POST /tokens  201 (29 bytes, 0.0 ms)
            token 3, in place of token 2: good for 3 calls
            → GET /me  200 (411 bytes, 0.0 ms)
            call 7, with token 3: Ingrid Sørvåg

            """
        #expect(console.out.withoutTimes == expected)
        #expect(console.errors == "")
    }

    @Test func `login shows neither the password nor a token, even in curl commands`() async throws {
        let console = Console(environment: ["PLACEHOLDER_TOKEN": "hunter2"])
        #expect(await console.run("login", "--verbose") == .success)
        let commands = console.out.lines.filter { $0.hasPrefix("curl ") }
        #expect(commands.count == 12)
        let body = #"--data-raw '{"name":"ingrid","password":"***"}' http://127.0.0.1:"#
        #expect(commands.first?.contains(body) == true)
        for secret in ["token-1", "\"\(TokenGate.credentials.password)\"", "hunter2"] {
            #expect(!console.out.contains(secret))
        }
    }

    @Test func `login with unknown credentials fails with the server's message and exit code 1`() async {
        let console = Console(environment: ["PLACEHOLDER_NAME": "mallory", "PLACEHOLDER_PASSWORD": "hunter2"])
        #expect(await console.run("login") == .failure)
        let complaint = "POST http://127.0.0.1:PORT/tokens: 403: There is no user of that name and password."
        #expect(console.errors.withoutPorts == "placeholder: \(complaint)\n")
        #expect(!console.out.contains("GET /me"))
    }

    @Test func `login with an unreachable server fails in one line with exit code 69`() async throws {
        let nobody = try MockServer.refusing()
        let console = Console()
        #expect(await console.run("login", "--base-url", "\(nobody.url)") == .unavailable)
        let refresh = "the token refresh failed: POST \(nobody.url)/tokens: transportFailed: \(nobody.url.refusal)"
        #expect(console.errors.contains(refresh))
        #expect(console.errors.split(separator: "\n").count == 1)
    }
}
