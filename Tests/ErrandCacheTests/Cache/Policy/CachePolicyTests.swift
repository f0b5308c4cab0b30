import Testing

@testable import Errand

struct `What a cache does` {
    typealias Decision = CachePolicy.Decision

    static func terms(
        _ control: String? = nil, method: String = "GET",
        _ cachePolicy: URLRequest.CachePolicy = .useProtocolCachePolicy
    ) -> CacheTerms {
        var request = URLRequest(url: URL(filePath: "/"))
        request.httpMethod = method
        request.cachePolicy = cachePolicy
        request.setValue(control, forHTTPHeaderField: "Cache-Control")
        return CacheTerms(request, usesHeuristicFreshness: false)
    }

    static func decision(_ terms: CacheTerms, _ control: String?, age: TimeInterval) -> Decision {
        let entry = control.map { CacheEntry.stored(["Cache-Control": $0]) }
        return CachePolicy.decision(terms, entry: entry, now: WallClock.start + age)
    }

    @Test(
        arguments: [
            (nil, "max-age=60", 59, Decision.use(.cache)),
            (nil, "max-age=60", 60, .load),
            (nil, "max-age=60, no-cache", 0, .load),
            (nil, "max-age=60, no-cache=\"X\"", 0, .use(.cache)),
            (nil, "max-age=60, private=\"X\"", 0, .use(.cache)),
            (nil, "max-age=0, s-maxage=60", 1, .load),
            ("no-cache", "max-age=60", 0, .load),
            ("max-age=10", "max-age=60", 10, .use(.cache)),
            ("max-age=10", "max-age=60", 11, .load),
            ("max-age=nonsense", "max-age=60", 1, .load),
            ("min-fresh=20", "max-age=60", 40, .use(.cache)),
            ("min-fresh=20", "max-age=60", 41, .load),
            ("max-stale", "max-age=60", 100_000, .use(.stale)),
            ("max-stale=10", "max-age=60", 70, .use(.stale)),
            ("max-stale=10", "max-age=60", 71, .load),
            ("max-stale=-10", "max-age=60", 61, .load),
            ("max-stale", "max-age=60, must-revalidate", 61, .load),
            ("max-stale", "max-age=60, proxy-revalidate", 61, .use(.stale)),
            (nil, "max-age=60, stale-while-revalidate=30", 59, .use(.cache)),
            (nil, "max-age=60, stale-while-revalidate=30", 90, .useAndRefresh),
            (nil, "max-age=60, stale-while-revalidate=30", 91, .load),
            (nil, "max-age=60, stale-while-revalidate=30, must-revalidate", 61, .load),
            ("max-age=65", "max-age=60, stale-while-revalidate=30", 70, .load),
            ("only-if-cached", "max-age=60", 1, .use(.cache)),
            ("only-if-cached", "max-age=60", 61, .refuse),
            ("only-if-cached", "max-age=60, stale-while-revalidate=30", 61, .use(.stale)),
            ("only-if-cached", nil, 0, .refuse),
            (nil, nil, 0, .load),
        ] as [(String?, String?, TimeInterval, Decision)])
    func `the cache decision follows the directives of request and response`(
        _ requested: String?, _ stored: String?, _ age: TimeInterval, _ decision: Decision
    ) {
        #expect(Self.decision(Self.terms(requested), stored, age: age) == decision)
    }

    @Test(
        arguments: [
            (.reloadIgnoringLocalCacheData, "max-age=60", 0, Decision.load),
            (.reloadIgnoringLocalAndRemoteCacheData, "max-age=60", 0, .load),
            (.reloadRevalidatingCacheData, "max-age=60", 0, .load),
            (.reloadRevalidatingCacheData, "max-age=60, immutable", 0, .use(.cache)),
            (.reloadRevalidatingCacheData, "max-age=60, immutable", 60, .load),
            (.returnCacheDataElseLoad, "no-cache, must-revalidate", 100, .use(.stale)),
            (.returnCacheDataElseLoad, "max-age=60", 1, .use(.cache)),
            (.returnCacheDataElseLoad, nil, 0, .load),
            (.returnCacheDataDontLoad, "max-age=60", 61, .use(.stale)),
            (.returnCacheDataDontLoad, nil, 0, .refuse),
        ] as [(URLRequest.CachePolicy, String?, TimeInterval, Decision)])
    func `the cache decision follows the cache policy of the request`(
        _ policy: URLRequest.CachePolicy, _ stored: String?, _ age: TimeInterval, _ decision: Decision
    ) {
        #expect(Self.decision(Self.terms(nil, policy), stored, age: age) == decision)
    }

    @Test func `a HEAD request does not cause a background refresh`() {
        let control = "max-age=60, stale-while-revalidate=30"
        #expect(Self.decision(Self.terms(method: "HEAD"), control, age: 61) == .load)
        #expect(Self.decision(Self.terms(method: "HEAD"), control, age: 1) == .use(.cache))
    }

    @Test func `Pragma is used if there is no Cache-Control field`() {
        var request = URLRequest(url: URL(filePath: "/"))
        request.setValue("no-cache", forHTTPHeaderField: "Pragma")
        #expect(Self.decision(CacheTerms(request, usesHeuristicFreshness: false), "max-age=60", age: 0) == .load)
        request.setValue("max-stale", forHTTPHeaderField: "Cache-Control")
        #expect(Self.decision(CacheTerms(request, usesHeuristicFreshness: false), "max-age=60", age: 0) == .use(.cache))
    }

    @Test(
        arguments: [
            (nil, "max-age=60, stale-if-error=30", 90, true),
            (nil, "max-age=60, stale-if-error=30", 91, false),
            (nil, "max-age=60", 61, false),
            ("stale-if-error=30", "max-age=60", 90, true),
            (nil, "max-age=60, stale-if-error=30, must-revalidate", 61, false),
            (nil, "max-age=60, stale-if-error=30, no-cache", 61, false),
            ("no-cache", "max-age=60, stale-if-error=30", 61, false),
            (nil, "max-age=60, stale-if-error=nonsense", 61, false),
        ] as [(String?, String, TimeInterval, Bool)])
    func `the directives decide whether a stored response may replace an error`(
        _ requested: String?, _ stored: String, _ age: TimeInterval, _ isAllowed: Bool
    ) {
        let entry = CacheEntry.stored(["Cache-Control": stored])
        let now = WallClock.start + age
        #expect(CachePolicy.mayUseOnError(Self.terms(requested), entry: entry, now: now) == isAllowed)
    }

    @Test func `a stored response does not replace an error if the request bypasses the cache`() {
        let entry = CacheEntry.stored(["Cache-Control": "max-age=60, stale-if-error=60"])
        let now = WallClock.start + 61
        for policy in [URLRequest.CachePolicy.reloadRevalidatingCacheData, .reloadIgnoringLocalCacheData] {
            #expect(!CachePolicy.mayUseOnError(Self.terms(nil, policy), entry: entry, now: now))
        }
        #expect(CachePolicy.mayUseOnError(Self.terms(nil, .returnCacheDataElseLoad), entry: entry, now: now))
    }

    @Test func `a stored response replaces only the error statuses of RFC 5861`() {
        #expect((100...599).filter { CachePolicy.mayBeReplaced($0) } == [500, 502, 503, 504])
    }
}
