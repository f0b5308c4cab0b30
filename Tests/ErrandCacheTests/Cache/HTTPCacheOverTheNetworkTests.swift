import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

/// The cache with a real transport and a real server.
@Suite(.hangGuard) struct `An HTTP cache in front of a server` {
    final class Download: APIBase, Request {
        init(_ server: MockServer, _ cache: HTTPCache) {
            super.init()
            baseURL = server.url
            timeoutInterval = .hangGuard
            path = "/document"
            interceptors = [cache]
        }

        func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
    }

    @Test(arguments: [0, 1])
    func `an HTTP cache stores, revalidates and invalidates responses of a real server`(_ run: Int) async throws {
        let server = try MockServer()
        server.on(.get, "/document") { request in
            let isKnown = request.headers["If-None-Match"] == "\"1\""
            return MockResponse(
                statusCode: isKnown ? 304 : 200,
                headers: ["ETag": "\"1\"", "Cache-Control": "max-age=60", "Content-Type": "text/plain"],
                body: isKnown ? .empty : .sized(Data("document".utf8)))
        }
        server.on(.put, "/document") { _ in .status(204) }
        let folder = Folder()
        let clock = WallClock()
        let store: any CacheStore = run == 0 ? MemoryCacheStore() : DiskCacheStore(directory: folder.url)
        let cache = HTTPCache(store: store, now: clock.read)

        var sources: [ResponseSource] = []
        func get() async throws {
            let response = try await Download(server, cache).start().value
            #expect(response.text == "document")
            #expect(response.statusCode == 200)
            sources.append(response.source)
        }
        try await get()
        try await get()
        // The server's `Date` field has the real time, so the response is aged by this time.
        clock.advance(by: 61 + abs(Date().timeIntervalSince(clock.now)))
        try await get()
        let change = Download(server, cache)
        change.method = .put
        #expect(try await change.start().value.statusCode == 204)
        try await get()
        #expect(sources == [.network, .cache, .revalidated, .network])
    }

    @Test(arguments: [URLSessionTransport.shared as any Transport, .platformDefault])
    func `each URL of a redirected unsafe request is invalidated`(_ transport: any Transport) async throws {
        let server = try MockServer()
        for path in ["/document", "/other"] {
            server.on(.get, path) { _ in .text(path).with(header: "Cache-Control", "max-age=60") }
        }
        server.on(.put, "/document") { _ in MockResponse(statusCode: 307, headers: ["Location": "/other"]) }
        server.on(.put, "/other") { _ in .status(204) }
        let cache = HTTPCache()
        func request(_ path: RequestPath) -> Download {
            let request = Download(server, cache)
            request.path = path
            request.session = transport
            return request
        }
        for path: RequestPath in ["/document", "/other"] {
            _ = try await request(path).start().value
            #expect(try await request(path).start().value.source == .cache)
        }
        let change = request("/document")
        change.method = .put
        #expect(try await change.start().value.statusCode == 204)
        for path: RequestPath in ["/document", "/other"] {
            #expect(try await request(path).start().value.source == .network)
        }
    }

    @Test func `a response after a redirect is not stored`() async throws {
        let server = try MockServer()
        server.on(.get, "/document") { _ in MockResponse(statusCode: 302, headers: ["Location": "/other"]) }
        server.on(.get, "/other") { _ in .text("other").with(header: "Cache-Control", "max-age=60") }
        let cache = HTTPCache()
        for _ in 0..<2 {
            let response = try await Download(server, cache).start().value
            #expect(response.text == "other")
            #expect(response.source == .network)
        }
    }
}
