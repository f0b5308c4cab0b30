import ErrandTesting
import TestSupport
import Testing

@testable import Errand

@Suite(.hangGuard) struct `A result cache` {
    let clock = ManualClock()
    let runs = Recorder<Int>()

    /// A pipeline that counts its runs.
    func counting(_ gate: Gate? = nil, fails: Bool = false) -> Pipeline<Int, any Error> {
        Pipeline { [runs] () async throws(any Error) in
            runs.record(1)
            let number = runs.elements.count
            try await gate?.pass()
            if fails { throw Fault.first }
            return number
        }
    }

    @Test func `a result cache returns a value until it expires`() async throws {
        let cache = ResultCache<Int>(clock: clock)
        let pipeline = counting().cached(in: cache, for: .seconds(30), key: RequestKey("a"))
        #expect(try await pipeline.value == 1)
        clock.advance(by: .milliseconds(29_999))
        #expect(try await pipeline.value == 1)
        clock.advance(by: .milliseconds(1))
        #expect(try await pipeline.value == 2)
        clock.advance(by: .seconds(10))
        #expect(try await counting().cached(in: cache, for: .seconds(10), key: RequestKey("a")).value == 3)
    }

    @Test func `a result cache keeps separate values for different keys`() async throws {
        let cache = ResultCache<Int>(clock: clock)
        for (name, value) in [("a", 1), ("b", 2), ("a", 1)] {
            #expect(try await counting().cached(in: cache, for: .seconds(1), key: RequestKey(name)).value == value)
        }
    }

    @Test func `a result cache is not used without a key or with a lifetime of zero`() async throws {
        let cache = ResultCache<Int>(clock: clock)
        for (lifetime, key) in [
            (Duration.seconds(30), nil), (.zero, RequestKey("a")), (.seconds(-1), RequestKey("a")),
        ] {
            let pipeline = counting().cached(in: cache, for: lifetime, key: key)
            #expect(try await pipeline.value != pipeline.value)
        }
        #expect(cache.count == 0)
    }

    @Test func `a result cache accepts the longest lifetime`() async throws {
        let cache = ResultCache<Int>(clock: clock)
        let lifetime = Duration(secondsComponent: .max, attosecondsComponent: 0)
        let pipeline = counting().cached(in: cache, for: lifetime, key: RequestKey("a"))
        #expect(try await pipeline.value == 1)
        clock.advance(by: .seconds(1_000_000_000))
        #expect(try await pipeline.value == 1)
    }

    @Test func `a result cache does not keep failures`() async throws {
        let cache = ResultCache<Int>(clock: clock)
        let key = RequestKey("a")
        for _ in 0..<2 {
            await #expect(throws: Fault.first) {
                try await counting(fails: true).cached(in: cache, for: .seconds(30), key: key).value
            }
        }
        #expect(try await counting().cached(in: cache, for: .seconds(30), key: key).value == 3)
    }

    @Test func `a full result cache removes the least recently used value`() async throws {
        let cache = ResultCache<Int>(maximumCount: 2, clock: clock)
        func value(_ name: String) async throws -> Int {
            try await counting().cached(in: cache, for: .seconds(30), key: RequestKey(name)).value
        }
        for (name, number) in [("a", 1), ("b", 2), ("a", 1), ("c", 3), ("a", 1), ("b", 4)] {
            #expect(try await value(name) == number)
        }
        #expect(cache.count == 2)
    }

    @Test func `concurrent readers of a result cache share one run`() async throws {
        let gate = Gate()
        let cache = ResultCache<Int>(clock: clock)
        let pipeline = counting(gate).cached(in: cache, for: .seconds(30), key: RequestKey("a"))
        let tasks = (0..<20).map { _ in Task { try await pipeline.value } }
        try await waitUntil { cache.runs.waiterCount == 20 }
        gate.open()
        for task in tasks { #expect(try await task.value == 1) }
    }

    @Test func `cancelling one reader of a result cache does not affect the others`() async throws {
        let gate = Gate()
        let cache = ResultCache<Int>(clock: clock)
        let pipeline = counting(gate).cached(in: cache, for: .seconds(30), key: RequestKey("a"))
        let first = Task { try await pipeline.value }
        try await gate.waitForArrivals(1)
        let second = Task { try await pipeline.value }
        try await waitUntil { cache.runs.waiterCount == 2 }
        first.cancel()
        await expectFailure(.cancelled) { try await first.value }
        gate.open()
        #expect(try await second.value == 1)
    }

    @Test func `cancelling the last reader of a result cache cancels the run`() async throws {
        let cache = ResultCache<Int>(clock: clock)
        let gate = Gate()
        let ended = Gate()
        let blocked = Pipeline<Int, any Error> { () async throws(any Error) in
            do { try await gate.pass() } catch {
                ended.open()
                throw error
            }
            return 0
        }
        let task = Task { try await blocked.cached(in: cache, for: .seconds(30), key: RequestKey("a")).value }
        try await gate.waitForArrivals(1)
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
        #expect(try await counting().cached(in: cache, for: .seconds(30), key: RequestKey("a")).value == 1)
        try await ended.pass()
    }

    @Test(arguments: [true, false])
    func `removing a value also discards the outcome of a run in progress`(_ isAll: Bool) async throws {
        let gate = Gate()
        let cache = ResultCache<Int>(clock: clock)
        let pipeline = counting(gate).cached(in: cache, for: .seconds(30), key: RequestKey("a"))
        let early = Task { try await pipeline.value }
        try await gate.waitForArrivals(1)
        if isAll { cache.removeAll() } else { cache.removeValue(for: RequestKey("a")) }
        let late = Task { try await pipeline.value }
        try await gate.waitForArrivals(2)
        gate.open()
        #expect(try await early.value == 1)
        #expect(try await late.value == 2)
        #expect(try await pipeline.value == 2)
        if isAll { cache.removeAll() } else { cache.removeValue(for: RequestKey("a")) }
        #expect(try await pipeline.value == 3)
    }

    @Test func `removing one value keeps the others`() async throws {
        let cache = ResultCache<Int>(clock: clock)
        for name in ["a", "b"] {
            _ = try await counting().cached(in: cache, for: .seconds(30), key: RequestKey(name)).value
        }
        cache.removeValue(for: RequestKey("a"))
        #expect(try await counting().cached(in: cache, for: .seconds(30), key: RequestKey("b")).value == 2)
        #expect(try await counting().cached(in: cache, for: .seconds(30), key: RequestKey("a")).value == 3)
    }
}

struct `The key of a request` {
    static func request(
        _ url: String = "https://api.example.com/a", _ method: String = "GET", _ fields: [String: String] = [:],
        body: String? = nil
    ) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = method
        request.allHTTPHeaderFields = fields
        request.httpBody = body.map { Data($0.utf8) }
        return request
    }

    @Test func `request keys differ by method, URL, header fields and body`() throws {
        let keys = [
            RequestKey(try Self.request()), RequestKey(try Self.request("https://api.example.com/a?b")),
            RequestKey(try Self.request(Self.url, "POST")), RequestKey(try Self.request(fields: ["Accept": "a"])),
            RequestKey(try Self.request(fields: ["Accept": "b"])), RequestKey(try Self.request(body: "")),
            RequestKey(try Self.request(body: "none")), RequestKey("GET", Self.url),
        ]
        #expect(Set(keys).count == keys.count)
        #expect(RequestKey(try Self.request(fields: ["accept": "a"])) == keys[3])
    }

    @Test func `the description of a request key shows nothing of the request`() throws {
        let key = try #require(RequestKey(try Self.request(fields: ["Authorization": "5ecret"])))
        var text = ""
        dump(key, to: &text)
        #expect(!"\(key) \(text)".contains("5ecret"))
    }

    @Test func `a partitioned request key differs from other partitions`() throws {
        let key = try #require(RequestKey(try Self.request()))
        #expect(Set([key, key.partitioned(by: "a"), key.partitioned(by: "b")]).count == 3)
        #expect(key.partitioned(by: "a") == key.partitioned(by: "a"))
    }

    @Test func `a request key matches the built request and is nil for a streamed body`() throws {
        let api = APIBase()
        api.baseURL = URL(string: Self.url)
        #expect(api.requestKey == RequestKey(try Self.request()))
        api.method = .post
        api.body = .stream(BodyStream(InputStream(data: Data([1]))))
        _ = api.sendRequest()
        #expect(api.requestKey == nil)
    }

    static let url = "https://api.example.com/a"

    static func request(fields: [String: String]) throws -> URLRequest { try request(url, "GET", fields) }
    static func request(body: String) throws -> URLRequest { try request(url, "GET", body: body) }
}
