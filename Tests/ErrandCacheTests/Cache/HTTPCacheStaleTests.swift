import TestSupport
import Testing

@testable import Errand

@Suite(.hangGuard) struct `A stale response` {
    let clock = WallClock()

    static let whileRevalidating: HeaderFields = ["Cache-Control": "max-age=60, stale-while-revalidate=60"]

    @Test func `a stale response is returned at once while one refresh runs`() async throws {
        let gate = Gate()
        let store = WatchedStore()
        let cache = HTTPCache(store: store, now: clock.read)
        let origin = Origin(
            { _ in .ok("one", Self.whileRevalidating) },
            { _ in
                try await gate.pass()
                return .ok("two", Self.whileRevalidating)
            })
        _ = try await cache.get(origin)
        clock.advance(by: 61)
        for _ in 0..<3 {
            let response = try await cache.get(origin)
            #expect(response.source == .stale)
            #expect(response.text == "one")
            #expect(response.headers["Age"] == "61")
        }
        try await gate.waitForArrivals(1)
        #expect(origin.count == 2)
        gate.open()
        try await store.waitForEntries(2)
        let response = try await cache.get(origin)
        #expect(response.source == .cache)
        #expect(response.text == "two")
        #expect(origin.count == 2)
    }

    @Test func `a refresh is conditional and does not report to the progress of the caller`() async throws {
        let store = WatchedStore()
        let cache = HTTPCache(store: store, now: clock.read)
        let origin = Origin(
            { _ in .ok("one", Self.whileRevalidating.merging(["ETag": "\"1\""])) },
            { _ in DataResponse(statusCode: 304) })
        _ = try await cache.get(origin)
        clock.advance(by: 61)
        let request = CacheableRequest(cache, origin)
        _ = try await request.start().value
        try await store.waitForEntries(2)
        #expect(origin.requests[1].value(forHTTPHeaderField: "If-None-Match") == "\"1\"")
        #expect(request.downloadProgress.latest == TransferProgress.Snapshot(completed: 3, total: 3))
        #expect(try await cache.get(origin).source == .cache)
    }

    @Test func `the number of concurrent refreshes is limited`() async throws {
        let gate = Gate()
        let cache = HTTPCache(maximumRefreshes: 2, now: clock.read)
        let filling = Origin(.ok("one", Self.whileRevalidating))
        for path in ["/a", "/b", "/c"] { _ = try await cache.get(filling, path) }
        clock.advance(by: 61)
        let origin = Origin { _ in
            try await gate.pass()
            return .ok("two")
        }
        for path in ["/a", "/b", "/c"] { #expect(try await cache.get(origin, path).source == .stale) }
        #expect(cache.engine.refreshes.tasks.withLock { $0.count } == 2)
        try await gate.waitForArrivals(2)
        #expect(Set(origin.requests.compactMap(\.url?.path)) == ["/a", "/b"])
        gate.open()
    }

    @Test func `refreshes are cancelled when the cache is released`() async throws {
        let gate = Gate()
        let ended = Gate()
        let origin = Origin(
            { _ in .ok("one", Self.whileRevalidating) },
            { _ in
                do { try await gate.pass() } catch {
                    ended.open()
                    throw error
                }
                return .ok("two")
            })
        do {
            let cache = HTTPCache(now: clock.read)
            _ = try await cache.get(origin)
            clock.advance(by: 61)
            _ = try await cache.get(origin)
            try await gate.waitForArrivals(1)
        }
        try await ended.pass()
    }

    @Test func `cancelRefreshes cancels a running refresh`() async throws {
        let gate = Gate()
        let ended = Gate()
        let cache = HTTPCache(now: clock.read)
        let origin = Origin(
            { _ in .ok("one", Self.whileRevalidating) },
            { _ in
                do { try await gate.pass() } catch {
                    ended.open()
                    throw error
                }
                return .ok("two")
            })
        _ = try await cache.get(origin)
        clock.advance(by: 61)
        _ = try await cache.get(origin)
        try await gate.waitForArrivals(1)
        cache.cancelRefreshes()
        try await ended.pass()
    }

    @Test(arguments: [true, false])
    func `stale-if-error allows a stale response in place of an error`(_ isAllowed: Bool) async throws {
        let cache = HTTPCache(now: clock.read)
        let control = isAllowed ? "max-age=60, stale-if-error=60" : "max-age=60"
        let origin = Origin(
            { _ in .ok("one", ["Cache-Control": control]) }, { _ in throw URLError(.cannotConnectToHost) },
            { _ in throw URLError(.timedOut) }, { _ in DataResponse(statusCode: 503) })
        _ = try await cache.get(origin)
        clock.advance(by: 61)
        guard isAllowed else {
            await expectTransportFailure(.cannotConnectToHost) { try await cache.get(origin) }
            await expectFailure(.timedOut) { try await cache.get(origin) }
            #expect(try await cache.get(origin).statusCode == 503)
            return
        }
        for _ in 0..<3 {
            let response = try await cache.get(origin)
            #expect(response.source == .stale)
            #expect(response.text == "one")
        }
        #expect(origin.count == 4)
        clock.advance(by: 60)
        #expect(try await cache.get(origin).statusCode == 503)
    }

    @Test func `a stale response does not replace a cancellation or a failure other than the network`() async throws {
        let cache = HTTPCache(now: clock.read)
        let origin = Origin(
            { _ in .ok("one", ["Cache-Control": "max-age=60, stale-if-error=60"]) },
            { _ in throw CancellationError() }, { _ in throw ErrandError(.unsupportedByTransport) },
            { _ in throw URLError(.dataLengthExceedsMaximum) })
        _ = try await cache.get(origin)
        clock.advance(by: 61)
        await expectFailure(.cancelled) { try await cache.get(origin) }
        await expectFailure(.unsupportedByTransport) { try await cache.get(origin) }
        // A response did come, and is longer than the request allows.
        await expectTransportFailure(.dataLengthExceedsMaximum) { try await cache.get(origin) }
    }
}

extension `A stale response` {
    private struct NotSignedIn: Error {}

    /// Stores a response that may replace an error, and lets it become stale.
    private func staleCache() async throws -> HTTPCache {
        let cache = HTTPCache(now: clock.read)
        _ = try await cache.get(Origin(.ok("one", ["Cache-Control": "max-age=60, stale-if-error=600"])))
        clock.advance(by: 61)
        return cache
    }

    @Test func `a stale response does not replace the error of another interceptor`() async throws {
        let cache = try await staleCache()
        struct Refusing: Interceptor {
            func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse { throw NotSignedIn() }
        }
        let request = CacheableRequest(cache, Origin(.ok("two")))
        request.interceptors = [cache, Refusing()]
        await #expect(throws: NotSignedIn.self) { try await request.start().value }
    }

    @Test func `a stale response does not replace the error of a custom transport`() async throws {
        let cache = try await staleCache()
        let error = await expectFailure(.transportFailed) { try await cache.get(Origin { _ in throw NotSignedIn() }) }
        #expect(error?.underlyingError is NotSignedIn)
    }

    @Test func `a stale response replaces a transport failure of each type`() async throws {
        let cache = try await staleCache()
        let failures: [any Error] = [
            URLError(.cannotFindHost), NSError(domain: NSURLErrorDomain, code: URLError.Code.timedOut.rawValue),
            TransportFailure(URLError(.networkConnectionLost), metrics: TransferMetrics()),
            ErrandError(.transportFailed), ErrandError(.timedOut),
        ]
        for failure in failures {
            let next = Next { _ in throw failure }
            let response = try await cache.intercept(limitedRequest("https://api.example.com/things"), next: next)
            #expect(response.source == .stale)
        }
    }

    @Test(arguments: [501, 505, 507])
    func `a stale response replaces only errors of an unavailable server`(
        _ status: Int
    ) async throws {
        let cache = try await staleCache()
        #expect(try await cache.get(Origin(DataResponse(statusCode: 500))).source == .stale)
        #expect(try await cache.get(Origin(DataResponse(statusCode: status))).statusCode == status)
    }

    @Test func `a stale response is not returned to a request that requires validation`() async throws {
        let cache = try await staleCache()
        let policy = URLRequest.CachePolicy.reloadRevalidatingCacheData
        #expect(try await cache.get(Origin(DataResponse(statusCode: 503)), cachePolicy: policy).statusCode == 503)
        await expectTransportFailure(.cannotFindHost) {
            try await cache.get(Origin { _ in throw URLError(.cannotFindHost) }, cachePolicy: policy)
        }
    }
}

/// A store that counts its stored entries, and records which variants are removed.
final class WatchedStore: CacheStore {
    let removed = Recorder<String>()
    private let store = MemoryCacheStore()
    private let gate = Gate()

    init() {
        gate.open()
    }

    func waitForEntries(_ count: Int) async throws { try await gate.waitForArrivals(count) }

    func entries(for key: CacheKey) async -> [CacheEntry] { await store.entries(for: key) }

    func store(_ entry: CacheEntry, for key: CacheKey) async {
        await store.store(entry, for: key)
        try? await gate.pass()
    }

    func removeEntry(ofVariant variant: String, for key: CacheKey) async {
        removed.record(variant)
        await store.removeEntry(ofVariant: variant, for: key)
    }

    func removeEntries(ofResource resource: String) async { await store.removeEntries(ofResource: resource) }

    func removeAll() async { await store.removeAll() }
}
