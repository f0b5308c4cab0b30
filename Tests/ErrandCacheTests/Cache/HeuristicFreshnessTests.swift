import Errand
import TestSupport
import Testing

@Suite(.hangGuard) struct `Heuristic freshness` {
    private let clock = WallClock()
    /// A list that was last changed three days ago, with validators and without a lifetime.
    private let origin = Origin(
        { _ in
            .ok(
                "one",
                [
                    "Last-Modified": "Mon, 29 Dec 2025 00:00:00 GMT", "Date": "Thu, 01 Jan 2026 00:00:00 GMT",
                    "ETag": "\"1\"",
                ])
        },
        { _ in .ok("two", ["ETag": "\"2\""]) })

    @Test func `heuristic freshness is off by default, so that a stored response is revalidated`() async throws {
        let cache = HTTPCache(now: clock.read)
        #expect(try await cache.get(origin).text == "one")
        let second = try await cache.get(origin)
        #expect(second.source == .network)
        #expect(second.text == "two")
        #expect(origin.requests.last?.value(forHTTPHeaderField: "If-None-Match") == "\"1\"")
    }

    @Test func `the heuristic lifetime is a tenth of the time since the last change`() async throws {
        let cache = HTTPCache(usesHeuristicFreshness: true, now: clock.read)
        #expect(try await cache.get(origin).text == "one")
        clock.advance(by: 3 * 86_400 / 10 - 1)
        #expect(try await cache.get(origin).source == .cache)
        #expect(origin.count == 1)
        clock.advance(by: 1)
        #expect(try await cache.get(origin).text == "two")
    }

    @Test func `heuristic freshness does not apply to an only-if-cached request by default`() async throws {
        let cache = HTTPCache(now: clock.read)
        _ = try await cache.get(origin)
        #expect(try await cache.get(origin, headers: ["Cache-Control": "only-if-cached"]).statusCode == 504)
    }
}
