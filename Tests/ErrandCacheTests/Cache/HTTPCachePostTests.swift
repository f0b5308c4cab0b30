import Errand
import TestSupport
import Testing

@Suite(.hangGuard) struct `The response to a POST that is the resource itself` {
    private static let kept: HeaderFields = ["Cache-Control": "max-age=60", "Content-Location": "/things"]
    private let cache = HTTPCache(now: WallClock().read)

    /// Sends a POST with this response, and returns the response to the next GET.
    private func next(
        after response: DataResponse, accept: (post: String, get: String) = ("a", "a")
    ) async throws -> DataResponse {
        let origin = Origin({ _ in response }, { _ in .ok("two") })
        let post = CacheableRequest(cache, origin, headers: ["Accept": accept.post, "Idempotency-Key": "1"])
        post.method = .post
        post.body = .text("sent")
        #expect(try await post.start().value.text == response.text)
        return try await cache.get(origin, headers: ["Accept": accept.get])
    }

    @Test func `a stored response to a POST is returned to the next GET`() async throws {
        let expires: HeaderFields = [
            "Expires": "Thu, 01 Jan 2026 00:01:00 GMT", "Content-Location": "https://API.example.com:443/things",
        ]
        for headers in [Self.kept, expires] {
            let response = try await next(after: .ok("one", headers))
            #expect(response.text == "one")
            #expect(response.source == .cache)
        }
    }

    @Test(
        arguments: [
            ["Cache-Control": "max-age=60"], ["Content-Location": "/things"],
            ["Cache-Control": "max-age=60", "Content-Location": "/things/1"],
            ["Cache-Control": "max-age=60, no-store", "Content-Location": "/things"],
            ["Cache-Control": "max-age=60", "Content-Location": "https://other.example/things"],
        ] as [HeaderFields])
    func `a response to a POST is stored only with a lifetime and its own URL as Content-Location`(
        _ headers: HeaderFields
    ) async throws {
        #expect(try await next(after: .ok("one", headers)).text == "two")
    }

    @Test func `a failed or redirected response to a POST is not stored`() async throws {
        let elsewhere = try #require(URL(string: "https://api.example.com/elsewhere"))
        let responses = [
            DataResponse(statusCode: 404, headers: Self.kept),
            DataResponse(statusCode: 200, headers: Self.kept, url: elsewhere),
        ]
        for response in responses { #expect(try await next(after: response).text == "two") }
    }

    @Test func `a response to a POST is not stored if the entries were removed meanwhile`() async throws {
        let origin = Origin(
            { [cache] _ in
                await cache.removeAll()
                return .ok("one", Self.kept)
            }, { _ in .ok("two") })
        _ = try await cache.get(origin, method: .post)
        #expect(try await cache.get(origin).text == "two")
    }

    @Test func `a stored response to a POST varies by the fields of the POST`() async throws {
        let response = DataResponse.ok("one", Self.kept.merging(["Vary": "Accept"]))
        #expect(try await next(after: response, accept: ("a", "b")).text == "two")
        #expect(try await next(after: response, accept: ("a", "a")).text == "one")
    }
}
