import Errand
import ErrandResilience
import ErrandTesting
import Testing

/// The samples of the guide to caching, line by line.
enum CachingGuideSamples {
    static func forAFixedTime() -> APIService<any Error> {
        let library = APIService(baseURL: "library.example.com", interceptors: [TimedCache(for: .seconds(30))])
        return library
    }

    class LibraryAPI: APIBase {
        static let cache = HTTPCache()

        override init() {
            super.init()
            baseURL = URL(string: "https://library.example.com")
            interceptors.append(Self.cache)
        }
    }

    final class BusyAPI: LibraryAPI {
        static let coalescing = Coalescing()

        override init() {
            super.init()
            interceptors = [Self.cache, Self.coalescing]
        }
    }

    static func onDisk() throws -> HTTPCache {
        let caches = try FileManager.default.url(
            for: .cachesDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
        let directory = caches.appendingPathComponent("library")
        let store = DiskCacheStore(directory: directory, maximumBytes: 32 << 20) { error in
            print("the cache cannot be used: \(type(of: error))")
        }
        let cache = HTTPCache(store: store)
        return cache
    }

    static func withHeuristicFreshness() -> HTTPCache {
        let cache = HTTPCache(usesHeuristicFreshness: true)
        return cache
    }

    static func forAccounts() -> HTTPCache {
        let cache = HTTPCache(partition: { $0.value(forHTTPHeaderField: "X-Account") })
        return cache
    }

    final class ShelfRequest: LibraryAPI, Request {
        func start() -> Pipeline<[String], any Error> { sendRequest().decode([String].self) }
    }
}

struct `The guide to caching` {
    typealias ShelfRequest = CachingGuideSamples.ShelfRequest

    @Test func `a shelf is read once a minute`() async throws {
        let clock = ManualClock()
        let cache = HTTPCache(now: { clock.date })
        let request = ShelfRequest()
        request.interceptors = [cache]
        request.dataTaskPipeline = request.stubJSONResponse(
            data: Data(#"["Malafrena"]"#.utf8), headers: ["Cache-Control": "max-age=60"])

        #expect(try await request.sendRequest().value.source == .network)
        #expect(try await request.sendRequest().value.source == .cache)
        clock.advance(by: .seconds(60))
        #expect(try await request.sendRequest().value.source == .network)
    }

    @Test func `the guide: a service keeps responses for a fixed time`() async throws {
        let library = CachingGuideSamples.forAFixedTime()
        let shelf = Endpoint<[String]>.get("/shelf")
        let stub = shelf.stub(inTurn: [shelf.stubJSONResponse(data: Data(#"["one"]"#.utf8))])
        for _ in 0..<2 { #expect(try await library.send(shelf, stub: stub).value == ["one"]) }
    }
}
