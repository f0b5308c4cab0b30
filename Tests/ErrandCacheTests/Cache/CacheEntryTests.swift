import Errand
import TestSupport
import Testing

struct `A stored response` {
    @Test func `the description of a cache entry contains neither its body nor its fields`() {
        let entry = CacheEntry.stored(["X-Token": "5ecret"], body: "5ecret")
        var text = "\(entry) \(String(reflecting: entry))"
        dump(entry, to: &text)
        #expect(!text.contains("5ecret"))
        #expect(text.hasPrefix("200 (6 bytes)"))
    }
}
