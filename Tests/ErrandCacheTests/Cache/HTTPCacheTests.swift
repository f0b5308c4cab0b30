import Errand
import TestSupport
import Testing

@Suite(.hangGuard) struct `An HTTP cache` {
    let clock = WallClock()

    func cache(
        _ store: any CacheStore = MemoryCacheStore(), shouldStore: Bool = true
    ) -> HTTPCache {
        HTTPCache(store: store, shouldStore: { _, _ in shouldStore }, now: clock.read)
    }

    @Test func `a fresh response is returned from the cache with its source and age`() async throws {
        let cache = cache()
        let origin = Origin(.ok("one", ["Cache-Control": "max-age=60", "Content-Type": "text/plain"]))
        let first = try await cache.get(origin)
        #expect(first.source == .network)
        #expect(first.attempts == 1)
        #expect(first.headers["Age"] == nil)
        clock.advance(by: 59)
        let second = try await cache.get(origin)
        #expect(second.source == .cache)
        #expect(second.text == "one")
        #expect(second.headers["Age"] == "59")
        #expect(second.headers["Content-Type"] == "text/plain")
        #expect(second.attempts == 0)
        #expect(second.method == .get)
        #expect(second.url?.absoluteString == "https://api.example.com/things")
        #expect(origin.count == 1)
        clock.advance(by: 1)
        #expect(try await cache.get(origin).source == .network)
        #expect(origin.count == 2)
    }

    @Test func `a stale response is revalidated and keeps its body after a 304 response`() async throws {
        let cache = cache()
        let origin = Origin(
            { _ in
                .ok(
                    "one",
                    [
                        "Cache-Control": "max-age=60", "ETag": "\"1\"",
                        "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "X-Version": "1",
                    ])
            },
            { _ in
                var response = DataResponse(
                    statusCode: 304, headers: ["ETag": "\"1\"", "X-Version": "2", "Cache-Control": "max-age=10"])
                response.metrics = TransferMetrics()
                response.metrics?.bytesReceived = 7
                return response
            })
        _ = try await cache.get(origin)
        clock.advance(by: 61)
        let second = try await cache.get(origin)
        #expect(origin.requests[1].value(forHTTPHeaderField: "If-None-Match") == "\"1\"")
        #expect(
            origin.requests[1].value(forHTTPHeaderField: "If-Modified-Since") == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(second.source == .revalidated)
        #expect(second.statusCode == 200)
        #expect(second.text == "one")
        #expect(second.headers["X-Version"] == "2")
        #expect(second.headers["Age"] == "0")
        #expect(second.metrics?.bytesReceived == 7)
        #expect(second.attempts == 1)
        clock.advance(by: 9)
        let third = try await cache.get(origin)
        #expect(third.source == .cache)
        #expect(third.headers["X-Version"] == "2")
        clock.advance(by: 1)
        #expect(try await cache.get(origin).source == .revalidated)
        #expect(origin.count == 3)
    }

    @Test func `a new response replaces the stale one`() async throws {
        let cache = cache()
        let origin = Origin(
            { _ in .ok("one", ["Cache-Control": "max-age=60", "ETag": "\"1\""]) },
            { _ in .ok("two", ["Cache-Control": "max-age=60", "ETag": "\"2\""]) })
        _ = try await cache.get(origin)
        clock.advance(by: 61)
        let second = try await cache.get(origin)
        #expect(second.source == .network)
        #expect(second.text == "two")
        #expect(try await cache.get(origin).text == "two")
        #expect(origin.count == 2)
    }

    @Test func `a 304 response for another entity tag causes a request without conditions`() async throws {
        let cache = cache()
        let origin = Origin(
            { _ in .ok("one", ["Cache-Control": "max-age=60", "ETag": "\"1\""]) },
            { _ in DataResponse(statusCode: 304, headers: ["ETag": "\"2\""]) },
            { _ in .ok("two", ["Cache-Control": "max-age=60", "ETag": "\"2\""]) })
        _ = try await cache.get(origin)
        clock.advance(by: 61)
        #expect(try await cache.get(origin).text == "two")
        #expect(origin.requests[2].value(forHTTPHeaderField: "If-None-Match") == nil)
    }

    @Test func `an unexpected 304 response is returned to the caller`() async throws {
        let cache = cache()
        let origin = Origin(
            { _ in .ok("one", ["Cache-Control": "max-age=60", "ETag": "\"1\""]) },
            { _ in DataResponse(statusCode: 304, headers: ["ETag": "\"2\""]) })
        _ = try await cache.get(origin)
        clock.advance(by: 61)
        for _ in 0..<2 { #expect(try await cache.get(origin).statusCode == 304) }
    }

    @Test func `a no-store response is not stored and removes the stored response`() async throws {
        let cache = cache()
        let origin = Origin(
            { _ in .ok("one", ["Cache-Control": "max-age=60"]) }, { _ in .ok("two", ["Cache-Control": "no-store"]) },
            { _ in .ok("three", ["Cache-Control": "no-store"]) })
        _ = try await cache.get(origin)
        #expect(try await cache.get(origin, headers: ["Cache-Control": "no-cache"]).text == "two")
        #expect(try await cache.get(origin, cachePolicy: .returnCacheDataElseLoad).text == "three")
    }

    @Test func `a reload whose response is not stored removes the stored response`() async throws {
        let cache = cache()
        let origin = Origin(
            { _ in .ok("one", ["Cache-Control": "max-age=60"]) }, { _ in .ok("two", ["Cache-Control": "no-store"]) },
            { _ in .ok("three", ["Cache-Control": "no-store"]) })
        _ = try await cache.get(origin)
        #expect(try await cache.get(origin, cachePolicy: .reloadIgnoringLocalCacheData).text == "two")
        #expect(try await cache.get(origin).text == "three")
    }

    @Test func `a response is stored for each combination of the fields that Vary names`() async throws {
        let cache = cache()
        let origin = Origin { request in
            .ok(
                request.value(forHTTPHeaderField: "Accept-Language") ?? "none",
                ["Cache-Control": "max-age=60", "Vary": "Accept-Language"])
        }
        for language in ["de", "en"] {
            #expect(try await cache.get(origin, headers: ["Accept-Language": language]).text == language)
        }
        #expect(try await cache.get(origin).text == "none")
        for language in ["de", "en"] {
            let response = try await cache.get(origin, headers: ["accept-language": language, "User-Agent": "other"])
            #expect(response.text == language)
            #expect(response.source == .cache)
        }
        #expect(origin.count == 3)
    }

    @Test func `a response with Vary: * is not stored`() async throws {
        let cache = cache()
        let origin = Origin(.ok("one", ["Cache-Control": "max-age=60", "Vary": "*"]))
        _ = try await cache.get(origin)
        #expect(try await cache.get(origin).source == .network)
    }

    @Test func `a HEAD request is served from a fresh GET response, and otherwise sent`() async throws {
        let cache = cache()
        let origin = Origin(.ok("one", ["Cache-Control": "max-age=60", "ETag": "\"1\""]))
        #expect(try await cache.get(origin, method: .head).source == .network)
        #expect(try await cache.get(origin).source == .network)
        let head = try await cache.get(origin, method: .head)
        #expect(head.source == .cache)
        #expect(head.data.isEmpty)
        #expect(head.headers["ETag"] == "\"1\"")
        #expect(head.method == .head)
        clock.advance(by: 61)
        #expect(try await cache.get(origin, method: .head).source == .network)
        #expect(origin.requests[2].value(forHTTPHeaderField: "If-None-Match") == nil)
        #expect(origin.count == 3)
    }

    @Test(
        arguments: [
            ["Range": "bytes=0-1,2-2"], ["If-None-Match": "\"1\""], ["If-Modified-Since": "x"], ["If-Match": "*"],
            ["If-Unmodified-Since": "x"], ["If-Range": "x"], ["Cache-Control": "no-store"],
        ] as [HeaderFields])
    func `a request with its own conditions or an unsupported range bypasses the cache`(
        _ headers: HeaderFields
    ) async throws {
        let cache = cache()
        let origin = Origin(.ok("one", ["Cache-Control": "max-age=60"]))
        _ = try await cache.get(origin)
        #expect(try await cache.get(origin, headers: headers).source == .network)
        #expect(try await cache.get(origin, "/other", headers: headers).source == .network)
        #expect(try await cache.get(origin, "/other").source == .network)
        #expect(origin.count == 4)
    }

    @Test func `a 304 response to a condition of the caller is returned to the caller`() async throws {
        let origin = Origin(DataResponse(statusCode: 304))
        #expect(try await cache().get(origin, headers: ["If-None-Match": "\"1\""]).statusCode == 304)
    }

    @Test func `a partial response is not stored`() async throws {
        let cache = cache()
        let origin = Origin(DataResponse(statusCode: 206, headers: ["Cache-Control": "max-age=60"]))
        _ = try await cache.get(origin)
        #expect(try await cache.get(origin).source == .network)
    }

    @Test func `cookies and the fields that no-cache names are not stored`() async throws {
        let cache = cache()
        let origin = Origin(
            .ok(
                "one",
                ["Cache-Control": "max-age=60, no-cache=\"X-Token\"", "Set-Cookie": "a=b", "X-Token": "secret"]))
        #expect(try await cache.get(origin).headers["Set-Cookie"] == "a=b")
        let second = try await cache.get(origin)
        #expect(second.source == .cache)
        #expect(second.headers["Set-Cookie"] == nil)
        #expect(second.headers["X-Token"] == nil)
    }

    @Test func `a response whose URL differs from the request is not stored`() async throws {
        let cache = cache()
        let elsewhere = DataResponse(
            statusCode: 200, headers: ["Cache-Control": "max-age=60"], url: URL(string: "https://api.example.com/b"))
        let origin = Origin(elsewhere)
        _ = try await cache.get(origin)
        #expect(try await cache.get(origin).source == .network)
    }

    @Test(arguments: [301, 308])
    func `an ignored redirect is not returned to a request that follows redirects`(_ status: Int) async throws {
        let cache = cache()
        let next = Next { request in
            if case .ignore = request.redirectPolicy {
                return DataResponse(
                    statusCode: status, headers: ["Cache-Control": "max-age=60", "Location": "/new"],
                    url: request.urlRequest.url)
            }
            return .ok("new")
        }
        var ignoring = limitedRequest()
        ignoring.redirectPolicy = .ignore
        #expect(try await cache.intercept(ignoring, next: next).statusCode == status)
        #expect(try await cache.intercept(limitedRequest(), next: next).text == "new")
    }

    @Test func `a response that shouldStore rejects is not stored`() async throws {
        let cache = cache(shouldStore: false)
        let origin = Origin(.ok("one", ["Cache-Control": "max-age=60"]))
        _ = try await cache.get(origin)
        #expect(try await cache.get(origin).source == .network)
    }

    @Test func `an only-if-cached request without a stored response receives a 504 response`() async throws {
        let origin = Origin(.ok("one", ["Cache-Control": "max-age=60"]))
        let cache = cache()
        let response = try await cache.get(origin, headers: ["Cache-Control": "only-if-cached"])
        #expect(response.statusCode == 504)
        #expect(response.source == .interceptor)
        #expect(origin.count == 0)
        _ = try await cache.get(origin)
        #expect(try await cache.get(origin, headers: ["Cache-Control": "only-if-cached"]).text == "one")
    }

    @Test func `an HTTP cache follows the cache policy of a request`() async throws {
        let cache = cache()
        let origin = Origin(.ok("one", ["Cache-Control": "max-age=60", "ETag": "\"1\""]))
        let error = await expectFailure(.notCached) {
            try await cache.get(origin, cachePolicy: .returnCacheDataDontLoad)
        }
        #expect(error?.url?.host == "api.example.com")
        #expect(error?.attempts == 0)
        #expect(try await cache.get(origin, cachePolicy: .returnCacheDataElseLoad).source == .network)
        clock.advance(by: 61)
        #expect(try await cache.get(origin, cachePolicy: .returnCacheDataElseLoad).source == .stale)
        #expect(try await cache.get(origin, cachePolicy: .returnCacheDataDontLoad).source == .stale)
        #expect(origin.count == 1)
        #expect(try await cache.get(origin, cachePolicy: .reloadIgnoringLocalCacheData).source == .network)
        #expect(origin.requests[1].value(forHTTPHeaderField: "If-None-Match") == nil)
        #expect(origin.requests[1].value(forHTTPHeaderField: "Cache-Control") == "no-cache")
        #expect(try await cache.get(origin).source == .cache)
        #expect(try await cache.get(origin, cachePolicy: .reloadRevalidatingCacheData).source == .network)
        #expect(origin.requests[2].value(forHTTPHeaderField: "If-None-Match") == "\"1\"")
        #expect(origin.requests[2].value(forHTTPHeaderField: "Cache-Control") == "max-age=0")
        _ = try await cache.get(origin, cachePolicy: .reloadIgnoringLocalAndRemoteCacheData)
        #expect(origin.requests[3].value(forHTTPHeaderField: "Cache-Control") == "no-cache")
    }

    @Test func `a HEAD response updates or removes the stored response`() async throws {
        let cache = cache()
        let origin = Origin(
            { _ in .ok("one", ["Cache-Control": "max-age=60", "ETag": "\"1\"", "X-A": "old"]) },
            { _ in
                DataResponse(statusCode: 200, headers: ["Cache-Control": "max-age=60", "ETag": "\"1\"", "x-a": "new"])
            },
            { _ in DataResponse(statusCode: 200, headers: ["ETag": "\"2\""]) },
            { _ in .ok("two", ["Cache-Control": "max-age=60"]) })
        _ = try await cache.get(origin)
        clock.advance(by: 50)
        _ = try await cache.get(origin, method: .head, cachePolicy: .reloadIgnoringLocalCacheData)
        clock.advance(by: 50)
        let fresh = try await cache.get(origin)
        #expect(fresh.source == .cache)
        #expect(fresh.text == "one")
        #expect(fresh.headers["X-A"] == "new")
        _ = try await cache.get(origin, method: .head, cachePolicy: .reloadIgnoringLocalCacheData)
        #expect(try await cache.get(origin).text == "two")
        #expect(origin.count == 4)
    }

    @Test(
        arguments: [
            ("bytes=0-2", "012", "bytes 0-2/10"), ("bytes=7-", "789", "bytes 7-9/10"),
            ("bytes=-4", "6789", "bytes 6-9/10"),
            ("Bytes=9-99", "9", "bytes 9-9/10"), ("bytes=-99", "0123456789", "bytes 0-9/10"),
        ])
    func `a byte range is served from a stored whole response`(
        _ range: String, _ part: String, _ place: String
    ) async throws {
        let cache = cache()
        let origin = Origin(.ok("0123456789", ["Cache-Control": "max-age=60"]))
        _ = try await cache.get(origin)
        let response = try await cache.get(origin, headers: ["Range": range])
        #expect(response.source == .cache)
        #expect(response.statusCode == 206)
        #expect(response.text == part)
        #expect(response.headers["Content-Range"] == place)
        #expect(response.headers["Content-Length"] == "\(part.utf8.count)")
    }

    @Test(
        arguments: [
            "bytes=10-", "bytes=5-3", "bytes=0-1,3-4", "bytes=", "bytes=-", "bytes=-0", "items=0-1", "bytes=a-b",
            "bytes=99999999999999999999-",
        ])
    func `a range that the cache cannot serve is sent to the server`(_ range: String) async throws {
        let cache = cache()
        let origin = Origin(.ok("0123456789", ["Cache-Control": "max-age=60"]))
        _ = try await cache.get(origin)
        #expect(try await cache.get(origin, headers: ["Range": range]).source == .network)
        let coded = Origin(.ok("0123456789", ["Cache-Control": "max-age=60", "Content-Encoding": "br"]))
        _ = try await cache.get(coded, "/coded")
        #expect(try await cache.get(coded, "/coded", headers: ["Range": "bytes=0-2"]).source == .network)
    }

    @Test func `fields that Vary names are compared without regard to case and spaces in lists`() async throws {
        let cache = cache()
        let origin = Origin(.ok("one", ["Cache-Control": "max-age=60", "Vary": "Accept-Language, X-Way"]))
        _ = try await cache.get(origin, headers: ["Accept-Language": "de-AT, en;q=0.5", "X-Way": "a"])
        let same: HeaderFields = ["Accept-Language": "de-at ,EN ; q=0.5", "X-Way": "a"]
        #expect(try await cache.get(origin, headers: same).source == .cache)
        let other: HeaderFields = ["Accept-Language": "en;q=0.5, de-AT", "X-Way": "a"]
        #expect(try await cache.get(origin, headers: other).source == .network)
    }

    @Test func `fields of any name that Vary names are compared without regard to space in lists only`() async throws {
        let cache = HTTPCache(partition: { _ in "user" })
        let origin = Origin(.ok("one", ["Cache-Control": "max-age=60", "Vary": "X-Way"]))
        _ = try await cache.get(origin, headers: ["X-Way": "a b,c;d"])
        #expect(try await cache.get(origin, headers: ["X-Way": "a b , c ; d"]).source == .cache)
        for other in ["ab,c;d", "A b,c;d", "a b,,c;d", "a b,c;d;", "\"a b,c;d\""] {
            #expect(try await cache.get(origin, headers: ["X-Way": other]).source == .network)
        }
    }

    @Test func `an unsafe request removes all stored responses of its URL and Location`() async throws {
        let cache = cache()
        let origin = Origin { request in
            DataResponse(
                statusCode: 200,
                headers: ["Cache-Control": "max-age=60", "Vary": "Accept", "Location": "/listed"])
        }
        let variants: [HeaderFields] = [[:], ["Accept": "a"], ["Authorization": "Bearer a"]]
        for variant in variants { _ = try await cache.get(origin, headers: variant) }
        for path in ["/listed", "/unrelated"] { _ = try await cache.get(origin, path) }
        _ = try await cache.get(origin, method: .delete)
        for variant in variants { #expect(try await cache.get(origin, headers: variant).source == .network) }
        #expect(try await cache.get(origin, "/listed").source == .network)
        #expect(try await cache.get(origin, "/unrelated").source == .cache)
    }

    @Test func `a failed unsafe request does not remove stored responses`() async throws {
        let cache = cache()
        let origin = Origin(
            { _ in .ok("one", ["Cache-Control": "max-age=60"]) }, { _ in DataResponse(statusCode: 500) })
        _ = try await cache.get(origin)
        _ = try await cache.get(origin, method: .post)
        #expect(try await cache.get(origin).source == .cache)
    }

    @Test func `an unsafe request with a streamed response removes stored responses`() async throws {
        let cache = cache()
        let origin = Origin(.ok("one", ["Cache-Control": "max-age=60"]))
        _ = try await cache.get(origin)
        var request = URLRequest(url: try #require(URL(string: "https://api.example.com/things")))
        request.httpMethod = "POST"
        let next = Next { _ in
            DataResponse(statusCode: 200, headers: [:], body: ResponseBody(Data()))
        }
        _ = try await cache.intercept(TransportRequest(request), next: next)
        #expect(try await cache.get(origin).source == .network)
    }

    @Test func `stored responses can be removed by URL or all at once`() async throws {
        let cache = cache()
        let origin = Origin(.ok("one", ["Cache-Control": "max-age=60"]))
        for path in ["/a", "/b"] { _ = try await cache.get(origin, path) }
        await cache.removeEntries(for: try #require(URL(string: "HTTPS://api.example.com:443/a#part")))
        #expect(try await cache.get(origin, "/a").source == .network)
        #expect(try await cache.get(origin, "/b").source == .cache)
        await cache.removeAll()
        #expect(try await cache.get(origin, "/b").source == .network)
    }

    @Test func `the progress of a request that is served from the cache ends`() async throws {
        let cache = cache()
        let origin = Origin(.ok("one", ["Cache-Control": "max-age=60"]))
        _ = try await cache.get(origin)
        let request = CacheableRequest(cache, origin)
        _ = try await request.start().value
        var last: TransferProgress.Snapshot?
        for await snapshot in request.downloadProgress { last = snapshot }
        #expect(last == TransferProgress.Snapshot(completed: 3, total: 3))
    }

    @Test func `a stored response is validated and decoded like any other`() async throws {
        let cache = cache()
        let origin = Origin(DataResponse(statusCode: 404, headers: ["Cache-Control": "max-age=60"]))
        for _ in 0..<2 {
            await expectFailure(.unacceptableStatusCode) {
                try await CacheableRequest(cache, origin).start().validateStatusCode(in: 200..<300).value
            }
        }
        #expect(origin.count == 1)
    }

    /// A store reports no errors, so it may return no entries to a cancelled task.
    @Test(arguments: [nil, "bytes=0-1"])
    func `a request that is cancelled while the store reads fails as cancelled`(_ range: String?) async {
        struct Interrupted: CacheStore {
            func entries(for key: CacheKey) async -> [CacheEntry] {
                withUnsafeCurrentTask { $0?.cancel() }
                return []
            }
            func store(_ entry: CacheEntry, for key: CacheKey) async {}
            func removeEntry(ofVariant variant: String, for key: CacheKey) async {}
            func removeEntries(ofResource resource: String) async {}
            func removeAll() async {}
        }
        let cache = HTTPCache(store: Interrupted())
        let headers: HeaderFields = range.map { ["Range": $0] } ?? [:]
        let task = Task {
            try await cache.get(Origin(.ok("one")), headers: headers, cachePolicy: .returnCacheDataDontLoad)
        }
        await expectFailure(.cancelled) { try await task.value }
    }
}
