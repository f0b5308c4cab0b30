import Errand
import TestSupport
import Testing

@Suite(.hangGuard) struct `What a HEAD says of a stored response` {
    private let clock = WallClock()

    /// Stores the response to a GET, sends a HEAD with this response, and returns the response to the next GET.
    private func next(
        after head: DataResponse, stored: HeaderFields = [:]
    ) async throws -> DataResponse {
        let cache = HTTPCache(now: clock.read)
        let headers = stored.merging(["Cache-Control": "max-age=60"])
        let origin = Origin({ _ in .ok("one", headers) }, { _ in head }, { _ in .ok("two") })
        #expect(try await cache.get(origin).text == "one")
        _ = try await cache.get(origin, method: .head, cachePolicy: .reloadIgnoringLocalCacheData)
        #expect(origin.count == 2)
        return try await cache.get(origin)
    }

    @Test(arguments: [
        ("ETag", "\"1\"", "\"2\""), ("Content-Length", "3", "4"),
        ("Last-Modified", "Sat, 21 Nov 2026 08:00:00 GMT", "Sat, 21 Nov 2026 08:00:01 GMT"),
    ])
    func `a HEAD response with a different validator or length removes the stored response`(
        _ name: String, _ stored: String, _ other: String
    ) async throws {
        let field = HeaderFields.Name(name)
        let changed = DataResponse(statusCode: 200, headers: [field: other])
        #expect(try await next(after: changed, stored: [field: stored]).text == "two")
        let same = DataResponse(statusCode: 200, headers: [field: stored])
        #expect(try await next(after: same, stored: [field: stored]).source == .cache)
    }

    @Test func `a HEAD response with no-store removes the stored response`() async throws {
        let head = DataResponse(statusCode: 200, headers: ["ETag": "\"1\"", "Cache-Control": "no-store, max-age=60"])
        #expect(try await next(after: head, stored: ["ETag": "\"1\""]).text == "two")
    }

    /// With the new `Vary`, no request would select the stored response.
    @Test(arguments: [("Accept-Language", 1), ("Accept", 0)])
    func `a HEAD response with another Vary removes the stored response`(_ vary: String, _ removed: Int) async throws {
        let store = WatchedStore()
        let cache = HTTPCache(store: store, now: clock.read)
        let headers: HeaderFields = ["ETag": "\"1\"", "Cache-Control": "max-age=60", "Vary": "Accept"]
        let origin = Origin(
            { _ in .ok("one", headers) },
            { _ in DataResponse(statusCode: 200, headers: ["ETag": "\"1\"", "Vary": vary]) })
        _ = try await cache.get(origin)
        _ = try await cache.get(origin, method: .head, cachePolicy: .reloadIgnoringLocalCacheData)
        #expect(store.removed.elements.count == removed)
    }

    @Test func `a redirected, failed or empty HEAD response does not change the stored response`() async throws {
        let other = try #require(URL(string: "https://api.example.com/elsewhere"))
        let heads = [
            DataResponse(statusCode: 200, headers: ["ETag": "\"2\""], url: other),
            DataResponse(statusCode: 404, headers: ["ETag": "\"2\""]), DataResponse(statusCode: 200),
        ]
        for head in heads { #expect(try await next(after: head, stored: ["ETag": "\"1\""]).text == "one") }
    }
}
