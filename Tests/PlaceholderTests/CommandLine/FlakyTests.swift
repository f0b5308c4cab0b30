import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@testable import placeholder

@Suite(.hangGuard) struct `A server that fails in turn` {
    @Test func `flaky retries until success and waits for the delay the server requires`() async throws {
        let clock = ManualClock()
        let console = Console(clock: clock)
        async let code = console.run("flaky")
        // The clock advances by the longest random backoffs, and then by the wait that the server requires.
        for wait in [Duration.milliseconds(200), .milliseconds(400), .seconds(1)] {
            try await clock.waitForSleepers()
            clock.advance(by: wait)
        }
        #expect(await code == .success)
        let url = "http://127.0.0.1:PORT/flaky"
        let lost = "transportFailed: the connection was lost before the response was complete: URLError -1005"
        let expected = """
            One request, sent up to 5 times, with waits that grow and are left to chance.
            [flaky] -> GET \(url) (FlakyRequest)
            [flaky] <- 503 GET \(url) (FlakyRequest, attempt 1, 0.0 ms, 93 bytes)
            attempt 1 failed, the next after 200 ms
            [flaky] !! GET \(url): \(lost) (FlakyRequest, attempt 2, 0.0 ms)
            attempt 2 failed, the next after 400 ms
            [flaky] <- 429 GET \(url) (FlakyRequest, attempt 3, 0.0 ms, 93 bytes)
            attempt 3 failed, the next after 1000 ms (Retry-After: 1)
            [flaky] <- 200 GET \(url) (FlakyRequest, attempt 4, 0.0 ms, 411 bytes)
            [flaky] <- 200 GET \(url) (FlakyRequest, 1600.0 ms, 411 bytes)
            It took 4 attempts:
            """
        #expect(console.out.withoutPorts.hasPrefix(expected))
        #expect(console.out.contains("name      Ingrid Sørvåg"))
        #expect(console.errors == "")
    }

    @Test func `flaky prints each attempt as it happens`() async throws {
        let clock = ManualClock()
        let console = Console(clock: clock)
        async let code = console.run("flaky")
        try await clock.waitForSleepers()
        #expect(console.out.lines.dropLast().last == "attempt 1 failed, the next after 200 ms")
        for _ in 1...3 {
            try await clock.waitForSleepers()
            clock.advance(by: .seconds(1))
        }
        #expect(await code == .success)
    }

    @Test func `flaky fails with the message of a server that always fails`() async throws {
        let server = try MockServer()
        server.on(.get, "/flaky") { _ in try Problem(503, "Not today.").response }
        let clock = ManualClock()
        let console = Console(clock: clock)
        async let code = console.run("flaky", "--base-url", "\(server.url)")
        for _ in 1...4 {
            try await clock.waitForSleepers()
            clock.advance(by: .seconds(2))
        }
        #expect(await code == .failure)
        #expect(console.errors == "placeholder: GET \(server.url)/flaky: 503: Not today.\n")
        #expect(server.requests.count == 5)
    }

    @Test func `flaky prints the request as a curl command if asked`() async throws {
        let clock = ManualClock()
        let console = Console(clock: clock)
        async let code = console.run("flaky", "--verbose")
        for _ in 1...3 {
            try await clock.waitForSleepers()
            clock.advance(by: .seconds(1))
        }
        #expect(await code == .success)
        let curl = " curl -H 'Accept: application/json' http://127.0.0.1:"
        #expect(console.out.components(separatedBy: curl).count == 2)
    }
}
