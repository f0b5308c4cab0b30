import Errand
import ErrandTesting
import TestSupport
import Testing

struct `An extreme age` {
    /// Fields of a response, and whether the cache may return it a moment later.
    static let ages: [(HeaderFields, Bool)] = [
        (["Cache-Control": "max-age=\(String(repeating: "9", count: 100))"], true),
        (["Cache-Control": "max-age=-1"], false),
        (["Cache-Control": "max-age=1e9"], false),
        (["Cache-Control": "max-age=60, max-age=61"], false),
        (["Cache-Control": "max-age=\"60"], false),
        (["Cache-Control": String(repeating: "max-age,", count: 20_000)], false),
        (["Cache-Control": "max-age=60", "Age": String(repeating: "9", count: 100)], false),
        (["Expires": "0"], false),
        (["Expires": "Fri, 31 Dec 99999 23:59:59 GMT"], false),
        (["Expires": "Fri, 31 Dec 9999 23:59:59 GMT"], true),
        (["Expires": String(repeating: "9", count: 100_000)], false),
    ]

    @Test(arguments: ages.indices)
    func `an extreme age or lifetime is handled safely by the cache`(_ index: Int) async throws {
        let (headers, isFresh) = Self.ages[index]
        let clock = WallClock()
        let cache = HTTPCache(store: MemoryCacheStore(), now: clock.read)
        let origin = Origin({ _ in .ok("one", headers) }, { _ in .ok("two", headers) })
        #expect(try await cache.get(origin).text == "one")
        clock.advance(by: 1)
        #expect(try await cache.get(origin).text == (isFresh ? "one" : "two"))
    }
}
