import TestSupport
import Testing

@testable import Errand

struct `A cache file` {
    static let key = CacheKey.named("resource", partition: "partition")
    static let entry = CacheEntry.stored(["ETag": "\"1\"", "X-A": "ä", "x-a": "2", "Vary": "Accept"], sent: 0.25)

    @Test func `a cache file contains the encoded entry`() throws {
        let file = try CacheFile.encode(Self.entry, for: Self.key)
        #expect(CacheFile.decode(file, for: Self.key) == Self.entry)
        #expect(CacheFile.decode(Data("--".utf8 + file).dropFirst(2), for: Self.key) == Self.entry)
    }

    @Test func `a cache file can contain an entry without a body`() throws {
        let entry = CacheEntry.stored([:], statusCode: 204, body: "")
        #expect(CacheFile.decode(try CacheFile.encode(entry, for: Self.key), for: Self.key) == entry)
    }

    @Test func `a truncated or extended cache file is invalid`() throws {
        let file = try CacheFile.encode(Self.entry, for: Self.key)
        for count in 0..<file.count { try #require(CacheFile.decode(file.prefix(count), for: Self.key) == nil) }
        #expect(CacheFile.decode(file + [0], for: Self.key) == nil)
    }

    @Test func `a cache file with any single changed bit is invalid`() throws {
        let file = try CacheFile.encode(Self.entry, for: Self.key)
        for index in 0..<file.count * 8 {
            var broken = file
            broken[index / 8] ^= 1 << UInt8(index % 8)
            try #require(CacheFile.decode(broken, for: Self.key) == nil, "bit \(index)")
        }
    }

    @Test func `a cache file of another key is invalid`() throws {
        let file = try CacheFile.encode(Self.entry, for: Self.key)
        #expect(CacheFile.decode(file, for: .named("resource", partition: "other")) == nil)
        #expect(CacheFile.decode(file, for: .named("other", partition: "partition")) == nil)
    }

    @Test func `a cache file with random content is invalid`() {
        for count in [0, 1, 31, 32, 33, 1_000] {
            #expect(CacheFile.decode(Data(repeating: 0xFF, count: count), for: Self.key) == nil)
            #expect(CacheFile.decode("ErrCache".utf8 + Data(repeating: 0xFF, count: count), for: Self.key) == nil)
        }
    }

    @Test func `a cache file name is recognized by its format`() {
        let name = CacheFileName(.named("../../etc/passwd", partition: "/"), variant: "\0")
        #expect(!name.text.contains("/"))
        #expect(CacheFileName(name.text) == name)
        #expect(CacheFileName(name.temporary) == nil)
        for other in ["", "notes.txt", ".errand-cache", "a-b-c.errand-cache", name.text + "x", "x" + name.text] {
            #expect(CacheFileName(other) == nil)
        }
    }
}
