import Dispatch
import TestSupport
import Testing

@testable import Errand

@Suite(.hangGuard) struct `A disk store` {
    let folder = Folder()

    static func entry(_ text: String, variant: String = "") -> CacheEntry {
        var entry = CacheEntry.stored(["ETag": "\"1\""], body: text)
        entry.variant = variant
        return entry
    }

    func store(maximumBytes: Int = 1 << 20, errors: Recorder<String> = Recorder()) -> DiskCacheStore {
        DiskCacheStore(directory: folder.url, maximumBytes: maximumBytes, maximumEntryBytes: maximumBytes) {
            errors.record("\($0)")
        }
    }

    @Test(arguments: [false, true])
    func `entries of a disk store are available in another store of the same directory`(_ isLink: Bool) async throws {
        let first = store()
        let link = folder.url.appending(path: "link")
        try folder.create()
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.url)
        let second = isLink ? DiskCacheStore(directory: link) : store()
        #expect(await second.entries(for: .named("a")).isEmpty)
        await first.store(Self.entry("one"), for: .named("a"))
        await first.store(Self.entry("two", variant: "v"), for: .named("a"))
        await first.store(Self.entry("three"), for: .named("a", partition: "p"))
        await first.flush()
        #expect(await Set(second.entries(for: .named("a"))) == [Self.entry("one"), Self.entry("two", variant: "v")])
        #expect(await second.entries(for: .named("a", partition: "p")).map(\.body) == [Data("three".utf8)])
        #expect(await second.entries(for: .named("b")).isEmpty)
    }

    @Test func `the files of a disk store can only be accessed by their owner`() async throws {
        let store = store()
        await store.store(Self.entry("one"), for: .named("a"))
        await store.flush()
        #expect(try folder.permissions("") == 0o700)
        let names = try folder.names
        #expect(names.count == 1)
        for name in names { #expect(try folder.permissions(name) == 0o600) }
    }

    @Test func `a disk store replaces files atomically`() async throws {
        let store = store()
        await store.store(Self.entry("one"), for: .named("a"))
        await store.flush()
        let name = try #require(try folder.names.first)
        let open = try FileHandle(forReadingFrom: URL(fileURLWithPath: folder.path(name)))
        await store.store(Self.entry("two"), for: .named("a"))
        await store.flush()
        let old = try #require(try open.readToEnd())
        #expect(CacheFile.decode(old, for: .named("a")) == Self.entry("one"))
        #expect(CacheFile.decode(try folder.read(name), for: .named("a")) == Self.entry("two"))
        #expect(try folder.names == [name])
    }

    @Test func `a disk store writes no URL, credential or cookie in readable form`() async throws {
        let store = store()
        let cache = HTTPCache(store: store)
        let origin = Origin(
            .ok("body", ["Cache-Control": "max-age=60", "Set-Cookie": "cookie=5ecret", "Vary": "Authorization"]))
        let headers: HeaderFields = ["Authorization": "Bearer 5ecret", "Cookie": "session=5ecret"]
        _ = try await cache.get(origin, "/5ecret", headers: headers)
        await store.flush()
        let name = try #require(try folder.names.first)
        let text = String(decoding: try folder.read(name), as: UTF8.self)
        #expect(text.contains("body"))
        #expect(!(name + text).contains("5ecret"))
        #expect(try await HTTPCache(store: self.store()).get(origin, "/5ecret", headers: headers).source == .cache)
    }

    @Test func `a damaged cache file is ignored and removed`() async throws {
        let store = store()
        await store.store(Self.entry("one"), for: .named("a"))
        await store.flush()
        let name = try #require(try folder.names.first)
        let whole = try folder.read(name)
        try #require(whole.count > CacheFile.prefixCount)
        for count in stride(from: 0, to: whole.count, by: 7) {
            try folder.write(whole.prefix(count), name)
            #expect(await self.store().entries(for: .named("a")).isEmpty)
            #expect(try folder.names.isEmpty)
        }
        var broken = whole
        broken[broken.count - 1] ^= 1
        try folder.write(broken, name)
        #expect(await store.entries(for: .named("a")).isEmpty)
        #expect(try folder.names.isEmpty)
        try folder.write(whole, name)
        #expect(await self.store().entries(for: .named("a")) == [Self.entry("one")])
    }

    @Test func `a disk store removes symbolic links with its names and keeps other files`() async throws {
        let name = CacheFileName(.named("a"), variant: "").text
        try folder.create()
        try FileManager.default.createSymbolicLink(
            atPath: folder.path(name), withDestinationPath: folder.path("notes.txt"))
        try folder.write(Data("mine".utf8), "notes.txt")
        let store = store()
        #expect(await store.entries(for: .named("a")).isEmpty)
        #expect(try folder.names == ["notes.txt"])
        await store.removeAll()
        await store.flush()
        #expect(try folder.read("notes.txt") == Data("mine".utf8))
    }

    @Test func `a disk store removes unfinished files of another process after their lifetime`() async throws {
        let clock = WallClock()
        let name = CacheFileName(.named("a"), variant: "").temporary
        try folder.create()
        try folder.write(Data("half".utf8), name)
        let modified = WallClock.start + 100
        try FileManager.default.setAttributes([.modificationDate: modified], ofItemAtPath: folder.path(name))
        clock.advance(by: 100 + DiskCacheStore.temporaryLifetime)
        let early = DiskCacheStore(directory: folder.url, now: clock.read)
        #expect(await early.entries(for: .named("a")).isEmpty)
        #expect(try folder.names == [name])
        clock.advance(by: 1)
        _ = await DiskCacheStore(directory: folder.url, now: clock.read).entries(for: .named("a"))
        #expect(try folder.names.isEmpty)
    }

    @Test func `a disk store removes the least recently used entries above its maximum size`() async throws {
        let body = String(repeating: "x", count: 10_000)
        let clock = WallClock()
        func store() -> DiskCacheStore {
            DiskCacheStore(directory: folder.url, maximumBytes: 33_000, maximumEntryBytes: 20_000, now: clock.read)
        }
        let first = store()
        for name in ["a", "b", "c"] {
            clock.advance(by: 10)
            await first.store(Self.entry(body), for: .named(name))
            await first.flush()
        }
        clock.advance(by: 10)
        #expect(await first.entries(for: .named("a")).count == 1)
        // Another process reads the order from the disk.
        let second = store()
        await second.store(Self.entry(body), for: .named("d"))
        #expect(await second.entries(for: .named("b")).isEmpty)
        for name in ["a", "c", "d"] { #expect(await second.entries(for: .named(name)).count == 1) }
        let total = try folder.names.map { try folder.read($0).count }.reduce(0, +)
        #expect(total <= 33_000)
        // An entry that is too large replaces only an earlier entry with its key.
        await second.store(Self.entry(body + body), for: .named("d"))
        #expect(await second.entries(for: .named("d")).isEmpty)
        #expect(try folder.names.count == 2)
        // A store that starts with a smaller limit removes entries at once.
        let small = DiskCacheStore(directory: folder.url, maximumBytes: 12_000)
        #expect(await small.entries(for: .named("none")).isEmpty)
        #expect(try folder.names.count == 1)
    }

    @Test func `disk stores can share a directory`() async throws {
        let one = store()
        let other = store()
        #expect(await one.entries(for: .named("a")).isEmpty)
        await other.store(Self.entry("other"), for: .named("a"))
        await other.flush()
        #expect(await one.entries(for: .named("a")) == [Self.entry("other")])
        await one.store(Self.entry("one"), for: .named("a"))
        await one.flush()
        #expect(await other.entries(for: .named("a")) == [Self.entry("one")])
        await other.store(Self.entry("more"), for: .named("b"))
        await other.flush()
        #expect(await one.entries(for: .named("b")) == [Self.entry("more")])
        await other.removeEntries(ofResource: "a")
        await other.flush()
        #expect(await one.entries(for: .named("a")).isEmpty)
    }

    @Test func `concurrent writes to a shared directory never produce a partial entry`() async throws {
        let stores = (0..<4).map { _ in store() }
        await withTaskGroup { group in
            for number in 0..<200 {
                group.addTask {
                    let store = stores[number % stores.count]
                    let key = CacheKey.named("\(number % 5)")
                    await store.store(Self.entry(String(repeating: "\(number % 5)", count: 3_000)), for: key)
                    for entry in await store.entries(for: key) {
                        #expect(Set(entry.body) == Set("\(number % 5)".utf8))
                    }
                    if number % 17 == 0 { await store.removeEntries(ofResource: key.resource) }
                }
            }
        }
        for store in stores { await store.flush() }
        #expect(try folder.names.allSatisfy { CacheFileName($0) != nil })
    }

    @Test func `a disk store that cannot be created has no entries and reports one error`() async throws {
        try folder.create()
        try folder.write(Data(), "file")
        let errors = Recorder<String>()
        let store = DiskCacheStore(directory: folder.url.appendingPathComponent("file/inside")) {
            errors.record("\($0)")
        }
        let cache = HTTPCache(store: store)
        let origin = Origin(.ok("one", ["Cache-Control": "max-age=60"]))
        for _ in 0..<3 { #expect(try await cache.get(origin).source == .network) }
        await store.removeEntries(ofResource: "a")
        await store.removeAll()
        await store.flush()
        #expect(errors.elements.count == 1)
    }

    @Test func `a disk store in an invalid directory has no entries and reports one error`() async throws {
        let errors = Recorder<String>()
        let store = DiskCacheStore(directory: try #require(URL(string: "https://api.example.com/tmp"))) {
            errors.record("\($0)")
        }
        await store.store(Self.entry("one"), for: .named("a"))
        #expect(await store.entries(for: .named("a")).isEmpty)
        #expect(errors.elements.count == 1)
    }

    @Test func `a read-only disk store returns its entries and reports one error`() async throws {
        await #expect(processExitsWith: .success) {
            // Root may write everywhere, so this runs as another user, in that user's directory.
            if geteuid() == 0 { try #require(setuid(65_534) == 0) }
            let folder = Folder()
            let errors = Recorder<String>()
            let store = DiskCacheStore(directory: folder.url) { errors.record("\($0)") }
            await store.store(`A disk store`.entry("one"), for: .named("a"))
            await store.flush()
            try folder.setPermissions(0o500)
            defer { try? folder.setPermissions(0o700) }
            await store.store(`A disk store`.entry("two"), for: .named("b"))
            #expect(await store.entries(for: .named("b")).isEmpty)
            #expect(await store.entries(for: .named("a")).count == 1)
            await store.store(`A disk store`.entry("two"), for: .named("b"))
            await store.flush()
            #expect(errors.elements.count == 1)
        }
    }

    @Test(arguments: [0o720, 0o702, 0o777])
    func `a directory that others can write to is not used and reported once`(_ mode: Int) async throws {
        let errors = Recorder<String>()
        let first = store(errors: errors)
        await first.store(Self.entry("one"), for: .named("a"))
        #expect(await first.entries(for: .named("a")).count == 1)
        let names = try folder.names
        try folder.setPermissions(mode)
        #expect(await first.entries(for: .named("a")).isEmpty)
        #expect(await store().entries(for: .named("a")).isEmpty)
        await first.store(Self.entry("two"), for: .named("b"))
        await first.store(Self.entry("two"), for: .named("a"))
        await first.removeEntry(ofVariant: Self.entry("one").variant, for: .named("a"))
        await first.removeAll()
        await first.flush()
        #expect(try folder.names == names)
        #expect(errors.elements == ["Untrusted()"])
        try folder.setPermissions(0o700)
        #expect(await first.entries(for: .named("a")) == [Self.entry("one")])
    }

    @Test func `a directory of another user is not used and reported once`() async throws {
        let errors = Recorder<String>()
        var directory = URL(fileURLWithPath: "/")
        if geteuid() == 0 {
            let store = store()
            await store.store(Self.entry("one"), for: .named("a"))
            await store.flush()
            try #require(chown(folder.url.path, 65_534, 65_534) == 0)
            directory = folder.url
        }
        let store = DiskCacheStore(directory: directory) { errors.record("\($0)") }
        #expect(await store.entries(for: .named("a")).isEmpty)
        await store.store(Self.entry("two"), for: .named("b"))
        #expect(await store.entries(for: .named("b")).isEmpty)
        #expect(errors.elements == ["Untrusted()"])
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func `a cache file of another user is ignored and removed`() async throws {
        let store = store()
        await store.store(Self.entry("one"), for: .named("a"))
        await store.flush()
        let name = try #require(try folder.names.first)
        try #require(chown(folder.path(name), 65_534, 65_534) == 0)
        #expect(await store.entries(for: .named("a")).isEmpty)
        #expect(try folder.names.isEmpty)
    }

    @Test func `a full disk keeps the existing entries and is reported once`() async throws {
        await #expect(processExitsWith: .success) {
            let folder = Folder()
            let errors = Recorder<String>()
            let store = DiskCacheStore(directory: folder.url) { errors.record("\($0)") }
            await store.store(`A disk store`.entry("one"), for: .named("a"))
            await store.flush()
            // If the limit's signal is ignored, writing beyond this limit fails as on a full disk.
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 4_096, rlim_max: 4_096)
            try #require(setrlimit(fileSizeLimit, &limit) == 0)
            for name in ["a", "b"] {
                await store.store(`A disk store`.entry(String(repeating: "x", count: 9_000)), for: .named(name))
            }
            await store.flush()
            #expect(await store.entries(for: .named("b")).isEmpty)
            // The old response is out of date, so it is removed although the new one could not be stored.
            #expect(await store.entries(for: .named("a")).isEmpty)
            #expect(try folder.names.isEmpty)
            #expect(errors.elements.count == 1)
        }
    }

    @Test func `a slow disk limits the memory of waiting entries`() async throws {
        // The queue reads the time, and waits there until the test lets it continue.
        let turn = DispatchSemaphore(value: 0)
        let now: @Sendable () -> Date = {
            turn.wait()
            turn.signal()
            return WallClock.start
        }
        let store = DiskCacheStore(
            directory: folder.url, maximumBytes: 80_000, maximumEntryBytes: 20_000, now: now)
        for number in 0..<10 {
            await store.store(Self.entry(String(repeating: "x", count: 8_500)), for: .named("\(number)"))
        }
        turn.signal()
        await store.flush()
        #expect(try folder.names.count == 2)
        await store.store(Self.entry("later"), for: .named("later"))
        #expect(await store.entries(for: .named("later")).count == 1)
    }

    @Test func `a disk store creates its directory again if it was removed`() async throws {
        let errors = Recorder<String>()
        let store = store(errors: errors)
        await store.store(Self.entry("one"), for: .named("a"))
        await store.flush()
        folder.remove()
        #expect(await store.entries(for: .named("a")).isEmpty)
        await store.removeEntries(ofResource: "a")
        await store.store(Self.entry("two"), for: .named("a"))
        #expect(await store.entries(for: .named("a")) == [Self.entry("two")])
        #expect(errors.elements.isEmpty)
    }

    @Test func `every entry of a disk store is complete or missing after the process was killed`() async throws {
        try folder.create()
        let path = folder.url.path
        for _ in 0..<3 {
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
                // If the process is not killed, the alarm ends it with another signal.
                alarm(480)
                let store = DiskCacheStore(directory: URL(fileURLWithPath: path))
                // Another thread kills the process at an arbitrary point of its work.
                Thread.detachNewThread {
                    while (try? FileManager.default.contentsOfDirectory(atPath: path).count) ?? 0 < 20 {}
                    kill(getpid(), SIGKILL)
                }
                var number = 0
                while true {
                    number += 1
                    let text = String(repeating: "\(number % 10)", count: 200_000)
                    await store.store(`A disk store`.entry(text), for: .named("\(number)"))
                    await store.flush()
                }
            }
            let names = try folder.names
            let unfinished = names.filter { CacheFileName($0) == nil }
            #expect(unfinished.allSatisfy { $0.hasSuffix(CacheFileName.temporarySuffix) })
            let store = store(maximumBytes: 64 << 20)
            var found = 0
            // The count is larger than the number of entries that the process can have written.
            for number in 1...1_000 {
                for entry in await store.entries(for: .named("\(number)")) {
                    #expect(entry.body.count == 200_000 && Set(entry.body) == Set("\(number % 10)".utf8))
                    found += 1
                }
            }
            #expect(found >= 18)
            #expect(found == names.count - unfinished.count)
            await store.removeAll()
            await store.flush()
            for name in unfinished { try FileManager.default.removeItem(atPath: folder.path(name)) }
        }
    }
}

/// A directory that is deleted after the test.
final class Folder: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("errand-cache-\(UUID().uuidString)")

    deinit {
        remove()
    }

    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }

    func path(_ name: String) -> String { name.isEmpty ? url.path : "\(url.path)/\(name)" }

    func create() throws {
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    func remove() {
        try? FileManager.default.removeItem(at: url)
    }

    func read(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path(name))) }

    func write(_ data: Data, _ name: String) throws { try data.write(to: URL(fileURLWithPath: path(name))) }

    func permissions(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int
    }

    func setPermissions(_ mode: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
    }
}
