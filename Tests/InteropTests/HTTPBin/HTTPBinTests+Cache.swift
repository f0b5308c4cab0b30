import Errand
import TestSupport
import Testing

extension `httpbin` {
    struct `Entity tags and caches` {
        @Test(arguments: TransportUnderTest.allCases)
        func `a request with a matching If-None-Match gets a 304 response`(
            _ transport: TransportUnderTest
        ) async throws {
            let session = transport.make()
            for tag in ["\"v1\"", "W/\"v1\"", "\"v0\", \"v1\"", "*"] {
                let request = try WholeRequest("/etag/v1", session)
                request.headers[.ifNoneMatch] = tag
                request.accepted = 304..<305
                let response = try await request.start().value
                #expect(response.data.isEmpty)
                #expect(response.headers[.etag] == "v1")
            }
            let changed = try WholeRequest("/etag/v2", session)
            changed.headers[.ifNoneMatch] = "\"v1\""
            #expect(try await changed.start().value.statusCode == 200)
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a request with a different If-Match fails with a 412`(_ transport: TransportUnderTest) async throws {
            let session = transport.make()
            let request = try WholeRequest("/etag/v1", session)
            request.headers[.ifMatch] = "\"v1\""
            #expect(try await request.start().value.statusCode == 200)
            request.headers[.ifMatch] = "\"v0\""
            #expect(await expectFailure(.unacceptableStatusCode) { try await request.start().value }?.statusCode == 412)
        }

        /// A cache whose clock stands still, and a request that uses it.
        private func cached(
            _ path: RequestPath, _ transport: TransportUnderTest, query: URLQuery = [:], now: Locked<Date>
        ) throws -> WholeRequest {
            let request = try WholeRequest(path, transport.make())
            request.query = query
            request.interceptors = [HTTPCache(now: { now.withLock { $0 } })]
            return request
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a response is cached as long as the server specifies`(_ transport: TransportUnderTest) async throws {
            let now = Locked(Date())
            let request = try cached("/cache/60", transport, now: now)
            let first = try await request.start().value
            #expect(first.source == .network)
            now.withLock { $0 += 50 }
            let second = try await request.start().value
            #expect(second.source == .cache)
            #expect(second.attempts == 0)
            #expect(second.data == first.data)
            #expect(second.headers[.age].flatMap { Int($0) } ?? 0 >= 49)
            now.withLock { $0 += 20 }
            #expect(try await request.start().value.source == .network)
        }

        @Test(arguments: TransportUnderTest.allCases, ["/cache", "/etag/v1"] as [RequestPath])
        func `a cached response with a validator is revalidated without its body`(
            _ transport: TransportUnderTest, _ path: RequestPath
        ) async throws {
            let now = Locked(Date())
            let request = try cached(path, transport, now: now)
            let first = try await request.start().value
            #expect(first.source == .network)
            for _ in 0..<2 {
                // A response that was changed a moment before it was sent is fresh for a tenth of that moment.
                now.withLock { $0 += 60 }
                let again = try await request.start().value
                #expect(again.source == .revalidated)
                #expect(again.statusCode == 200)
                #expect(again.data == first.data)
            }
        }

        @Test(arguments: TransportUnderTest.allCases, ["no-store", "private, no-store, max-age=60", "max-age=0"])
        func `a response that must not be reused is not cached`(
            _ transport: TransportUnderTest, _ control: String
        ) async throws {
            let request = try cached(
                "/response-headers", transport, query: ["Cache-Control": control], now: Locked(Date()))
            for _ in 0..<2 { #expect(try await request.start().value.source == .network) }
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a response for one language is not used for another`(_ transport: TransportUnderTest) async throws {
            let request = try cached(
                "/response-headers", transport,
                query: ["Cache-Control": "max-age=60", "Vary": "Accept-Language"], now: Locked(Date()))
            let sources: [(String, ResponseSource)] = [
                ("gsw", .network), ("gsw", .cache), ("de", .network), ("gsw", .cache), ("de", .cache),
            ]
            for (language, source) in sources {
                request.headers[.acceptLanguage] = language
                #expect(try await request.start().value.source == source)
            }
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a POST request invalidates the cached response`(_ transport: TransportUnderTest) async throws {
            let request = try cached(
                "/response-headers", transport, query: ["Cache-Control": "max-age=60"], now: Locked(Date()))
            for source in [ResponseSource.network, .cache] {
                #expect(try await request.start().value.source == source)
            }
            request.method = .post
            #expect(try await request.start().value.source == .network)
            request.method = .get
            #expect(try await request.start().value.source == .network)
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `response header fields are received as the server sent them`(
            _ transport: TransportUnderTest
        ) async throws {
            let request = try WholeRequest("/response-headers", transport.make())
            request.query = ["X-One": "1", "X-Text": "a, b; c=\"d\"", "X-Tag": ["one", "two"]]
            let headers = try await request.start().value.headers
            #expect(headers["x-one"] == "1")
            #expect(headers["X-Text"] == "a, b; c=\"d\"")
            #expect(headers["X-Tag"] == "one, two")
            // URLSession joins them.
            if transport == .curl { #expect(headers[values: "X-Tag"] == ["one", "two"]) }
        }
    }
}
