import Errand
import TestSupport
import Testing

@testable import ErrandMockServer
@testable import ErrandTesting

@Suite(.hangGuard) struct `Expectations of a mock server` {
    /// A server that has responded to these requests.
    private func server(after requests: String...) async throws -> MockServer {
        let server = try MockServer()
        server.onAny { _ in .status(200).with(closesConnection: true) }
        for request in requests {
            let client = try await RawClient.connect(to: server.url)
            try await client.send(request)
            _ = try await client.readToEnd()
        }
        return server
    }

    private func mismatch(_ body: () async throws -> Void) async throws -> MockMismatch {
        try #require(await #expect(throws: MockMismatch.self) { try await body() })
    }

    @Test func `expected requests are taken in order and returned`() async throws {
        let server = try await server(
            after: Wire.request("GET", "/books?page=1"), Wire.request("POST", "/books", body: #"{"id":1}"#))
        let request = try await server.expect(.get, "/books", query: ["page": "1"], headers: ["Host": "test"])
        #expect(request.target == "/books?page=1")
        try await server.expect(.post, "/books", json: ["id": 1])
        try server.verifyNoMoreRequests()
    }

    @Test func `an unexpected request is taken, and the error shows the difference`() async throws {
        let server = try await server(after: Wire.request("GET", "/books"), Wire.request("GET", "/authors"))
        let error = try await mismatch { try await server.expect(.get, "/authors") }
        let expected = "the next request is not the one expected, GET /authors\n- GET /authors\n+ GET /books"
        #expect(error.description == expected)
        #expect(error.request?.path == "/books")
        #expect("\(error)" == error.description)
        #expect(String(reflecting: error) == error.description)
        try await server.expect(.get, "/authors")
    }

    @Test func `expecting a request waits until it arrives`() async throws {
        let clock = ManualClock()
        let server = try await server()
        let waiting = Task { try await server.expect(.get, "/late", clock: clock).path }
        try await clock.waitForSleepers()
        let client = try await RawClient.connect(to: server.url)
        try await client.send(Wire.request("GET", "/late"))
        #expect(try await waiting.value == "/late")
        #expect(clock.sleeperCount == 0)
    }

    @Test func `expecting a request fails after the limit and lists the received requests`() async throws {
        let clock = ManualClock()
        let server = try await server(after: Wire.request("GET", "/books?secret=sesame&page=1"))
        _ = try await server.takeRequest()
        let waiting = Task { try await server.expect(.get, "/late", within: .seconds(3), clock: clock) }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(3))
        let error = try await mismatch { _ = try await waiting.value }
        let expected = """
            expected GET /late, but no request arrived within 3.0 seconds
            requests so far:
              GET /books?secret&page
            """
        #expect(error.description == expected)
        #expect(error.request == nil)
    }

    @Test func `a failed expectation names its condition`() async throws {
        let clock = ManualClock()
        let server = try await server(after: Wire.request("GET", "/books?page=1"))
        try server.verify(.get, "/books", where: .any(of: .query("page"), .query("cursor")), times: 1)
        try server.verify(.get, "/books", where: .not(.query("page")), times: 0)
        try await server.expect(.get, "/books", where: .query("page", "1"))
        let waiting = Task {
            try await server.expect(.get, "/books", where: .not(.query("page")), within: .seconds(3), clock: clock)
        }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(3))
        let error = try await mismatch { _ = try await waiting.value }
        let start = "expected GET /books where not (the query has \"page\"), but no request arrived"
        #expect(error.description.hasPrefix(start))
    }

    @Test func `cancelling an expectation ends it at once and takes no request`() async throws {
        let clock = ManualClock()
        let server = try await server()
        let waiting = Task { try await server.expect(.get, "/late", clock: clock) }
        try await clock.waitForSleepers()
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        let client = try await RawClient.connect(to: server.url)
        try await client.send(Wire.request("GET", "/late"))
        try await server.expect(.get, "/late")
    }

    @Test func `expecting a request of a stopped server fails at once`() async throws {
        let server = try await server()
        server.stop()
        await #expect(throws: MockServerError.stopped) {
            try await server.expect(.get, "/late", clock: ManualClock())
        }
    }

    @Test func `verifying counts matching requests in any order`() async throws {
        let server = try await server(
            after: Wire.request("GET", "/a"), Wire.request("POST", "/b", body: "1"), Wire.request("GET", "/a"))
        try server.verify(.get, "/a")
        try server.verify(.get, "/a", times: 2)
        try server.verify(.post, "/b", json: 1, times: 1)
        try server.verify(.delete, "/:any", times: 0)
        let error = try await mismatch { try server.verify(.get, "/a", times: 1) }
        let expected = """
            expected GET /a 1 times, but it was received 2 times
            requests so far:
              GET /a
              POST /b
              GET /a
            """
        #expect(error.description == expected)
        try await server.expect(.get, "/a")
    }

    @Test func `verifying a missing request shows the most similar one`() async throws {
        let server = try await server(
            after: Wire.request("GET", "/a"), Wire.request("POST", "/b", body: "[1,2]"), Wire.request("GET", "/c"))
        let error = try await mismatch { try server.verify(.post, "/b", json: [1, 3]) }
        let expected = """
            expected POST /b at least once, but it was received 0 times
            requests so far:
              GET /a
              POST /b
              GET /c
            the most similar request:
              POST /b
              
              [
                1,
            -   3
            +   2
              ]
            """
        #expect(error.description == expected)
        let nothing = try await mismatch { try await self.server().verify(.get, "/") }
        #expect(nothing.description == "expected GET / at least once, but it was received 0 times\nno requests so far")
    }

    @Test func `verifying that no requests are left names the unexpected ones`() async throws {
        let server = try await server(after: Wire.request("GET", "/a"), Wire.request("GET", "/b?x=1"))
        _ = try await server.takeRequest()
        let one = try await mismatch { try server.verifyNoMoreRequests() }
        #expect(one.description == "1 request was not expected\n  GET /b?x")
        #expect(one.request?.path == "/b")
        _ = try await server.takeRequest()
        try server.verifyNoMoreRequests()
    }

    @Test func `a long list of unexpected requests is truncated`() async throws {
        let server = try await server()
        for number in 0..<22 { server.journal.record(try Wire.parsed(Wire.request("GET", "/\(number)"))) }
        let error = try await mismatch { try server.verifyNoMoreRequests() }
        #expect(error.description.hasPrefix("22 requests were not expected\n  GET /0\n"))
        #expect(error.description.hasSuffix("  GET /19\n  … 2 more"))
    }
}
