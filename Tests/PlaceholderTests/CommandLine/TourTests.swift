import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@testable import placeholder

@Suite(.hangGuard) struct `The tour` {
    @Test func `the tour sends every kind of request and continues after the failing one`() async {
        let console = Console()
        #expect(await console.run() == .success)
        #expect(console.errors == "")
        let requests = [
            "→ GET /users  200 (4.0 KB)",
            "→ GET /users/1  200 (411 bytes)",
            "→ GET /todos?userId=1&completed=true  200 (671 bytes)",
            "→ POST /posts  201 (60 bytes)",
            "→ PUT /posts/100  200 (84 bytes)",
            "→ PATCH /posts/100  200 (87 bytes)",
            "→ DELETE /posts/100  200 (2 bytes)",
            "→ GET /posts/1  200 (186 bytes)",
            "→ GET /posts/1/comments  200 (861 bytes)",
            "→ GET /users/99  404 (112 bytes)",
        ]
        #expect(console.out.lines.filter { $0.hasPrefix("→") } == requests)
        let failure = """
            error.code        unacceptableStatusCode
            error.statusCode  404
            problem.title     Not Found
            problem.detail    There is no user 99: the ids go from 1 to 10.
            """
        #expect(console.out.contains(failure))
    }

    @Test func `the tour has numbered steps and tables`() async {
        let console = Console()
        #expect(await console.run() == .success)
        let steps = console.out.lines.compactMap { $0.wholeMatch(of: #/(\d+)\. .+: .+/#)?.1 }
        #expect(steps == ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"])
        let expected = """
            ID  POST  EMAIL                     NAME
            1   1     yusuf.aydin@example.com   You made me laugh
            2   1     rania.saleh@example.com   Two thoughts on the first sailing
            """
        #expect(console.out.contains(expected))
    }

    @Test func `the tour has the same output every time`() async {
        let (first, second) = (Console(clock: ManualClock()), Console(clock: ManualClock()))
        #expect(await first.run() == .success)
        #expect(await second.run() == .success)
        #expect(first.out == second.out)
    }

    @Test func `the tour works with another server of the same API`() async throws {
        let server = try PlaceholderServer()
        let (embedded, other) = (Console(clock: ManualClock()), Console(clock: ManualClock()))
        #expect(await embedded.run() == .success)
        #expect(await other.run("--base-url", "\(server.url)") == .success)
        #expect(other.out == embedded.out.replacing("the embedded server", with: "\(server.url)"))
    }
}
