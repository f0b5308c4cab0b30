import TestSupport
import Testing

@testable import Errand

struct `A memory store` {
    static func entry(_ count: Int, variant: String = "") -> CacheEntry {
        var entry = CacheEntry.stored([:], body: String(repeating: "x", count: count))
        entry.variant = variant
        return entry
    }

    @Test func `a memory store keeps one entry for each variant of a key`() async {
        let store = MemoryCacheStore()
        let key = CacheKey.named("a")
        for (count, variant) in [(1, "v"), (2, "w"), (3, "v")] {
            await store.store(Self.entry(count, variant: variant), for: key)
        }
        await store.store(Self.entry(4, variant: "v"), for: .named("a", partition: "p"))
        #expect(await Set(store.entries(for: key).map(\.body.count)) == [2, 3])
        await store.removeEntry(ofVariant: "v", for: key)
        #expect(await store.entries(for: key).map(\.body.count) == [2])
        await store.removeEntries(ofResource: "a")
        #expect(await store.entries(for: key).isEmpty)
        #expect(await store.entries(for: .named("a", partition: "p")).isEmpty)
        #expect(store.byteCount == 0)
    }

    @Test func `a memory store removes the least recently used entries above its maximum size`() async {
        let store = MemoryCacheStore(maximumBytes: 8_000, maximumEntryBytes: 4_000)
        for name in ["a", "b", "c"] { await store.store(Self.entry(1_000), for: .named(name)) }
        #expect(await store.entries(for: .named("a")).count == 1)
        await store.store(Self.entry(1_000), for: .named("d"))
        #expect(await store.entries(for: .named("b")).isEmpty)
        #expect(await store.entries(for: .named("a")).count == 1)
        #expect(store.byteCount <= 8_000)
    }

    /// The number and the length of the header fields, and the length of the body.
    @Test(
        .enabled(if: Footprint.measuresMemory),
        arguments: [(1, 10, 6), (4, 10, 6), (4, 40, 100), (10, 30, 0), (30, 50, 2_000), (2, 5_000, 15)]
    )
    func `a memory store counts the memory that its entries use`(_ count: Int, _ length: Int, _ body: Int) async {
        await #expect(processExitsWith: .success) {
            [count = count as Int, length = length as Int, body = body as Int] in
            let store = MemoryCacheStore(maximumBytes: .max / 2)
            // As long as a digest.
            func name(_ text: String) -> String { text + String(repeating: "0", count: 64 - text.utf8.count) }
            func fill(_ numbers: Range<Int>) async {
                for number in numbers {
                    let fields = (0..<count).map { field in
                        HeaderFields.Field("X-\(field)", String(repeating: "v", count: length))
                    }
                    let entry = CacheEntry(
                        statusCode: 200, headers: HeaderFields(fields + [.init("Cache-Control", "max-age=60")]),
                        body: Data([UInt8](repeating: 1, count: body)), requestDate: .now, responseDate: .now,
                        variant: name("v\(number)"))
                    let key = CacheKey(resource: name("r\(number)"), partition: name("p\(number)"))
                    await store.store(entry, for: key)
                }
            }
            // The first entries also load code, and fill memory that was free.
            await fill(0..<1_000)
            let (bytes, counted) = (try Footprint.residentBytes(), store.byteCount)
            await fill(1_000..<6_000)
            let ratio = Double(try Footprint.residentBytes() - bytes) / Double(store.byteCount - counted)
            #expect(0.6...1.25 ~= ratio, "\(ratio)")
        }
    }

    @Test func `an entry that is too large is not stored and removes the previous entry`() async {
        let store = MemoryCacheStore(maximumBytes: 80_000)
        await store.store(Self.entry(8_500), for: .named("a"))
        #expect(await store.entries(for: .named("a")).count == 1)
        await store.store(Self.entry(10_001), for: .named("a"))
        #expect(await store.entries(for: .named("a")).isEmpty)
    }

    @Test(arguments: [0, -1, .min]) func `a memory store without capacity stores nothing`(_ limit: Int) async {
        let store = MemoryCacheStore(maximumBytes: limit)
        await store.store(Self.entry(0), for: .named("a"))
        #expect(await store.entries(for: .named("a")).isEmpty)
    }

    @Test func `removeAll removes all entries of a memory store`() async {
        let store = MemoryCacheStore()
        for name in ["a", "b"] { await store.store(Self.entry(1), for: .named(name)) }
        await store.removeAll()
        for name in ["a", "b"] { #expect(await store.entries(for: .named(name)).isEmpty) }
    }

    @Test func `a memory store can be used from many tasks at once`() async {
        let store = MemoryCacheStore(maximumBytes: 100_000)
        await withTaskGroup { group in
            for number in 0..<500 {
                group.addTask {
                    let key = CacheKey.named("\(number % 20)")
                    await store.store(Self.entry(number), for: key)
                    _ = await store.entries(for: key)
                    if number % 7 == 0 { await store.removeEntries(ofResource: key.resource) }
                }
            }
        }
        #expect(store.byteCount <= 100_000)
    }
}
