import Errand
import TestSupport
import Testing

extension `An HTTP cache` {
    private static let long: HeaderFields = [
        "Cache-Control": "max-age=60, stale-while-revalidate=60, stale-if-error=600", "ETag": "\"1\"",
    ]

    /// Returns the outcome of a request with a limit on its body.
    private func send(
        _ cache: HTTPCache, _ origin: some Transport, atMost limit: Int, method: RequestMethod = .get
    ) async throws -> DataResponse {
        let request = CacheableRequest(cache, origin)
        request.method = method
        request.maximumBodySize = limit
        return try await request.start().value
    }

    @Test func `a stored response longer than the maximum body size of the request fails`() async throws {
        let cache = cache()
        let origin = Origin({ _ in .ok("stored", Self.long) }, { _ in DataResponse(statusCode: 304) })
        _ = try await cache.get(origin)
        #expect(try await send(cache, origin, atMost: 6).source == .cache)
        #expect(try await send(cache, origin, atMost: 5, method: .head).source == .cache)
        await expectTransportFailure(.dataLengthExceedsMaximum) { try await send(cache, origin, atMost: 5) }
        clock.advance(by: 61)
        // The stale response is not returned during a refresh either, and so there is no refresh.
        await expectTransportFailure(.dataLengthExceedsMaximum) { try await send(cache, origin, atMost: 5) }
        #expect(origin.count == 1)
        clock.advance(by: 60)
        await expectTransportFailure(.dataLengthExceedsMaximum) { try await send(cache, origin, atMost: 5) }
        #expect(origin.count == 2)
        let broken = Origin(DataResponse(statusCode: 503))
        #expect(try await send(cache, broken, atMost: 5).statusCode == 503)
        #expect(try await send(cache, broken, atMost: 6).source == .stale)
    }

    @Test func `the progress of a request with a stored response that is too long ends`() async throws {
        let cache = cache()
        let origin = Origin(.ok("stored", Self.long))
        _ = try await cache.get(origin)
        let request = CacheableRequest(cache, origin)
        request.maximumBodySize = 5
        await expectTransportFailure(.dataLengthExceedsMaximum) { try await request.start().value }
        for await _ in request.downloadProgress {}
    }

    @Test(
        arguments: [
            ("GET", ["Range": "bytes=0-1"]), ("GET", ["If-None-Match": "\"1\""]), ("GET", ["If-Range": "x"]),
            ("POST", [:]), ("PUT", [:]),
        ] as [(String, [String: String])])
    func `an only-if-cached request that the cache cannot serve is not sent`(
        _ method: String, _ headers: [String: String]
    ) async throws {
        let cache = cache()
        let calls = Recorder<Int>()
        let whole = Next { _ in
            calls.record(1)
            return .ok("one")
        }
        let streaming = Next { _ in
            calls.record(1)
            return DataResponse(statusCode: 200, headers: [:], body: ResponseBody(Data()))
        }
        var request = limitedRequest(method: method, headers: headers)
        if method == "POST" { request.urlRequest.httpBody = Data("body".utf8) }
        var onlyIfCached = request
        onlyIfCached.urlRequest.setValue("only-if-cached", forHTTPHeaderField: "Cache-Control")
        let response = try await cache.intercept(onlyIfCached, next: whole)
        #expect(response.statusCode == 504)
        #expect(response.source == .interceptor)
        #expect(response.method?.rawValue == method)
        #expect(try await cache.intercept(onlyIfCached, next: streaming).statusCode == 504)
        request.urlRequest.cachePolicy = .returnCacheDataDontLoad
        let dontLoad = request
        let error = await expectFailure(.notCached) { try await cache.intercept(dontLoad, next: whole) }
        #expect(error?.url?.host == "api.example.com")
        await expectFailure(.notCached) { try await cache.intercept(dontLoad, next: streaming) }
        #expect(calls.elements.isEmpty)
    }

    @Test func `an only-if-cached request for a stream is not sent`() async throws {
        let cache = cache()
        _ = try await cache.get(Origin(.ok("one", ["Cache-Control": "max-age=60"])), "/users")
        let next = Next { _ in throw URLError(.badServerResponse) }
        var only = limitedRequest(headers: ["Cache-Control": "only-if-cached"])
        only.streamsResponse = true
        let response = try await cache.intercept(only, next: next)
        #expect(response.statusCode == 504)
        #expect(response.source == .interceptor)
        var dontLoad = limitedRequest()
        dontLoad.streamsResponse = true
        dontLoad.urlRequest.cachePolicy = .returnCacheDataDontLoad
        await expectFailure(.notCached) { [dontLoad] in try await cache.intercept(dontLoad, next: next) }
    }
}
