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
        let store = MemoryCacheStore(maximumBytes: 4_000, maximumEntryBytes: 2_000)
        for name in ["a", "b", "c"] { await store.store(Self.entry(1_000), for: .named(name)) }
        #expect(await store.entries(for: .named("a")).count == 1)
        await store.store(Self.entry(1_000), for: .named("d"))
        #expect(await store.entries(for: .named("b")).isEmpty)
        #expect(await store.entries(for: .named("a")).count == 1)
        #expect(store.byteCount <= 4_000)
    }

    @Test func `an entry that is too large is not stored and removes the previous entry`() async {
        let store = MemoryCacheStore(maximumBytes: 80_000)
        await store.store(Self.entry(9_000), for: .named("a"))
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
