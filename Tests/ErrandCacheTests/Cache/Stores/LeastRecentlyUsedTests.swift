import Testing

@testable import Errand

struct `The least recently used value` {
    @Test func `the least recently used value is removed first`() {
        var values = LeastRecentlyUsed<String, Int>(limit: 3)
        for (key, value) in [("a", 1), ("b", 2), ("c", 3)] { #expect(values.insert(value, for: key, cost: 1) == []) }
        #expect(values.use("a") == 1)
        #expect(values.insert(4, for: "d", cost: 1) == ["b"])
        #expect(values.insert(5, for: "e", cost: 2) == ["c", "a"])
        #expect(Set(values.keys) == ["d", "e"])
        #expect(values.cost == 3)
    }

    @Test func `peeking at a value does not count as a use`() {
        var values = LeastRecentlyUsed<String, Int>(limit: 2)
        _ = values.insert(1, for: "a", cost: 1)
        _ = values.insert(2, for: "b", cost: 1)
        #expect(values.peek("a") == 1)
        #expect(values.insert(3, for: "c", cost: 1) == ["a"])
    }

    @Test func `a new value for a key replaces the old value and its cost`() {
        var values = LeastRecentlyUsed<String, Int>(limit: 4)
        _ = values.insert(1, for: "a", cost: 3)
        _ = values.insert(2, for: "b", cost: 1)
        #expect(values.insert(3, for: "a", cost: 2) == [])
        #expect(values.cost == 3)
        #expect(values.remove("a") == 3)
        #expect(values.remove("a") == nil)
        #expect(values.cost == 1)
    }

    @Test func `a value that exceeds the limit by itself removes no other value`() {
        var values = LeastRecentlyUsed<String, Int>(limit: 2)
        _ = values.insert(1, for: "a", cost: 1)
        #expect(values.insert(2, for: "b", cost: 3) == ["b"])
        #expect(values.insert(2, for: "b", cost: .max) == ["b"])
        #expect(values.keys == ["a"])
        #expect(values.insert(3, for: "a", cost: 3) == ["a"])
        #expect(values.keys.isEmpty)
    }

    @Test func `a least-recently-used cache matches a simple model after random operations`() throws {
        var random = SystemRandomNumberGenerator()
        var values = LeastRecentlyUsed<Int, Int>(limit: 10)
        var model: [(key: Int, cost: Int)] = []
        for step in 0..<5_000 {
            let key = Int.random(in: 0..<12, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                _ = values.remove(key)
                model.removeAll { $0.key == key }
            case 1:
                if values.use(key) != nil, let index = model.firstIndex(where: { $0.key == key }) {
                    model.append(model.remove(at: index))
                }
            default:
                let cost = Int.random(in: 0..<5, using: &random)
                _ = values.insert(step, for: key, cost: cost)
                model.removeAll { $0.key == key }
                model.append((key, cost))
                while model.reduce(0, { $0 + $1.cost }) > 10 { model.removeFirst() }
            }
            try #require(Set(values.keys) == Set(model.map(\.key)))
            try #require(values.cost == model.reduce(0) { $0 + $1.cost })
        }
    }
}

struct `A limit of nothing` {
    @Test(arguments: [0, -1, .min]) func `a cache with a limit of zero or less keeps nothing`(_ limit: Int) {
        var values = LeastRecentlyUsed<String, Int>(limit: limit)
        #expect(values.insert(1, for: "a", cost: 1) == ["a"])
        #expect(values.keys.isEmpty)
    }
}
