import TestSupport
import Testing

@testable import Errand

/// Concurrent equal requests. Each waits at the gate of the origin, or for a request that waits there.
@Suite(.hangGuard) struct `Waiting for the response to another request` {
    let clock = WallClock()
    let gate = Gate()

    /// An origin that responds when the gate is open, to each request with its number.
    func origin(_ headers: HeaderFields, statusCode: Int = 200, error: URLError? = nil) -> Origin {
        let counted = Locked(0)
        return Origin { [gate] _ in
            let number = counted.withLock { count in
                count += 1
                return count
            }
            try await gate.pass()
            if let error { throw error }
            return DataResponse(statusCode: statusCode, headers: headers, data: Data("\(number)".utf8))
        }
    }

    /// The cache does not report its waiting requests, so this polls it until they wait.
    static func waitForWaiters(_ cache: HTTPCache, _ count: Int) async throws {
        try await waitUntil { cache.engine.updates.waiterCount == count }
    }

    /// Sends this number of requests, and opens the gate once all of them wait.
    func sendRequests(_ cache: HTTPCache, _ origin: Origin, count: Int) async throws -> [DataResponse] {
        try await withThrowingTaskGroup { group in
            for _ in 0..<count { group.addTask { try await cache.get(origin) } }
            try await Self.waitForWaiters(cache, count)
            try await gate.waitForArrivals(1)
            gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func `concurrent requests share a response that can be stored and is fresh`() async throws {
        let cache = HTTPCache(now: clock.read)
        let origin = origin(["Cache-Control": "max-age=60"])
        let responses = try await sendRequests(cache, origin, count: 20)
        #expect(origin.count == 1)
        #expect(Set(responses.map(\.text)) == ["1"])
        #expect(responses.count { $0.source == .network } == 1)
        #expect(responses.count { $0.source == .cache } == 19)
    }

    @Test(arguments: ["no-store", "no-cache", "max-age=0"])
    func `concurrent requests do not share a response that cannot be reused`(_ control: String) async throws {
        let cache = HTTPCache(now: clock.read)
        let origin = origin(["Cache-Control": control])
        let responses = try await sendRequests(cache, origin, count: 10)
        #expect(Set(responses.map(\.text)) == Set((1...10).map(String.init)))
        #expect(responses.allSatisfy { $0.source == .network })
    }

    @Test func `requests do not wait for each other if the last response could not be shared`() async throws {
        let cache = HTTPCache(now: clock.read)
        let quick = Origin(.ok("one", ["Cache-Control": "no-store"]))
        _ = try await cache.get(quick)
        let origin = origin(["Cache-Control": "max-age=60"])
        async let first = cache.get(origin)
        async let second = cache.get(origin)
        try await waitUntil { gate.arrivals == 2 }
        gate.open()
        #expect(try await Set([first.text, second.text]) == ["1", "2"])
        clock.advance(by: 61)
        #expect(try await cache.get(quick).text == "one")
    }

    @Test func `a failure ends all requests that wait for it`() async throws {
        let cache = HTTPCache(now: clock.read)
        let origin = origin([:], error: URLError(.networkConnectionLost))
        await expectTransportFailure(.networkConnectionLost) { try await sendRequests(cache, origin, count: 5) }
        #expect(origin.count == 1)
    }

    @Test func `a stale response that replaces an error is returned to all waiting requests`() async throws {
        let cache = HTTPCache(now: clock.read)
        _ = try await cache.get(Origin(.ok("old", ["Cache-Control": "max-age=60, stale-if-error=60"])))
        clock.advance(by: 61)
        let origin = origin([:], statusCode: 502)
        let responses = try await sendRequests(cache, origin, count: 5)
        #expect(origin.count == 1)
        #expect(responses.allSatisfy { $0.source == .stale && $0.text == "old" })
    }

    @Test func `requests with different fields do not share a response`() async throws {
        let cache = HTTPCache(now: clock.read)
        let origin = origin(["Cache-Control": "max-age=60"])
        let variants: [HeaderFields] = [
            [:], ["Accept": "a"], ["Accept": "b"], ["Authorization": "a"], ["Cache-Control": "no-cache"],
        ]
        try await withThrowingTaskGroup { group in
            for variant in variants { group.addTask { _ = try await cache.get(origin, headers: variant) } }
            try await gate.waitForArrivals(variants.count)
            gate.open()
            try await group.waitForAll()
        }
        #expect(origin.count == variants.count)
    }

    @Test func `a cancelled request stops waiting at once, and the others are not affected`() async throws {
        let cache = HTTPCache(now: clock.read)
        let origin = origin(["Cache-Control": "max-age=60"])
        let first = Task { try await cache.get(origin) }
        try await gate.waitForArrivals(1)
        let second = Task { try await cache.get(origin) }
        try await Self.waitForWaiters(cache, 2)
        first.cancel()
        await expectFailure(.cancelled) { try await first.value }
        gate.open()
        let response = try await second.value
        #expect(response.text == "1")
        #expect(origin.count == 1)
    }

    @Test func `a shared transfer is cancelled when all of its requests are cancelled`() async throws {
        let ended = Gate()
        let cache = HTTPCache(now: clock.read)
        let origin = Origin { [gate] _ in
            do { try await gate.pass() } catch {
                ended.open()
                throw error
            }
            return .ok("one")
        }
        let tasks = (0..<3).map { _ in Task { try await cache.get(origin) } }
        try await gate.waitForArrivals(1)
        for task in tasks { task.cancel() }
        for task in tasks { await expectFailure(.cancelled) { try await task.value } }
        try await ended.pass()
        gate.open()
        #expect(try await cache.get(origin).text == "one")
    }

    @Test func `a response from before a change is not stored`() async throws {
        let cache = HTTPCache(now: clock.read)
        let origin = origin(["Cache-Control": "max-age=60"])
        let reading = Task { try await cache.get(origin) }
        try await gate.waitForArrivals(1)
        _ = try await cache.get(Origin(DataResponse(statusCode: 204)), method: .put)
        // A request after the change does not wait for a response from before it.
        let later = Task { try await cache.get(origin) }
        try await gate.waitForArrivals(2)
        gate.open()
        #expect(try await reading.value.text == "1")
        #expect(try await later.value.text == "2")
        #expect(try await cache.get(origin).text == "2")
        #expect(origin.count == 2)
    }
}

extension `Waiting for the response to another request` {
    /// Sends two requests at the same time, the second one changed by the closure, and returns how many reached the
    /// network.
    ///
    /// - Parameter expected: The expected number. The first response is delayed until this many requests have arrived,
    ///   or until the second request waits for the first. Otherwise the second could use the stored response.
    private func transfers(
        for request: TransportRequest = limitedRequest(), expected: Int, _ change: (inout TransportRequest) -> Void
    ) async throws -> Int {
        let cache = HTTPCache(now: clock.read)
        let next = Next { [gate] _ in
            try await gate.pass()
            return .ok("one", ["Cache-Control": "max-age=60"])
        }
        var other = request
        change(&other)
        let first = Task { try await cache.intercept(request, next: next) }
        try await gate.waitForArrivals(1)
        let second = Task { [other] in try await cache.intercept(other, next: next) }
        try await waitUntil { expected == 2 ? gate.arrivals == 2 : cache.engine.updates.waiterCount == 2 }
        gate.open()
        _ = try await (first.value, second.value)
        return gate.arrivals
    }

    @Test func `requests with different transfer settings do not share a transfer`() async throws {
        let changes: [@Sendable (inout TransportRequest) -> Void] = [
            { $0.redirectPolicy = .ignore }, { $0.redirectPolicy = .decide { _, _ in true } },
            { $0.maximumBodySize = 10 }, { $0.urlRequest.timeoutInterval = 7 }, { $0.resourceTimeout = .seconds(7) },
            { $0.priority = .high },
        ]
        for change in changes {
            let test = `Waiting for the response to another request`()
            #expect(try await test.transfers(expected: 2, change) == 2)
        }
    }

    @Test func `requests with a redirect closure do not share a transfer`() async throws {
        var request = limitedRequest()
        request.redirectPolicy = .decide { _, _ in true }
        #expect(try await transfers(for: request, expected: 2) { _ in } == 2)
    }

    @Test func `requests with different trace fields share a transfer`() async throws {
        let changes: [@Sendable (inout TransportRequest) -> Void] = [
            { $0.urlRequest.setValue("00-1", forHTTPHeaderField: "traceparent") },
            { $0.urlRequest.setValue("a=b", forHTTPHeaderField: "Tracestate") },
        ]
        for change in changes {
            let test = `Waiting for the response to another request`()
            #expect(try await test.transfers(expected: 1, change) == 1)
        }
    }

    @Test func `requests that are traced separately share a response`() async throws {
        let cache = HTTPCache(now: clock.read)
        let origin = origin(["Cache-Control": "max-age=60"])
        let tasks = (0..<5).map { _ in
            let request = CacheableRequest(cache, origin)
            request.interceptors = [TraceContext(), cache]
            let pipeline = request.start()
            return Task { try await pipeline.value }
        }
        try await Self.waitForWaiters(cache, 5)
        gate.open()
        for task in tasks { #expect(try await task.value.text == "1") }
        #expect(origin.count == 1)
    }

    @Test func `a response that varies by the trace field is not shared`() async throws {
        let cache = HTTPCache(now: clock.read)
        let next = Next { [gate] request in
            try await gate.pass()
            let trace = request.urlRequest.value(forHTTPHeaderField: "traceparent") ?? "none"
            return .ok(trace, ["Cache-Control": "max-age=60", "Vary": "traceparent"])
        }
        let requests = ["a", "b"].map { limitedRequest(headers: ["traceparent": $0]) }
        let tasks = try await begin(requests, waiting: cache.engine.updates.waiterCount) {
            try await cache.intercept($0, next: next)
        }
        gate.open()
        #expect(try await tasks[0].value.text == "a")
        #expect(try await tasks[1].value.text == "b")
    }

    @Test func `the timeout of one request does not end the shared transfer of another`() async throws {
        let cache = HTTPCache(now: clock.read)
        let next = Next { [gate] request in
            try await gate.pass()
            if request.resourceTimeout != nil { throw ErrandError(.timedOut) }
            return .ok("one", ["Cache-Control": "max-age=60"])
        }
        let tasks = try await begin(
            [limitedRequest(resourceTimeout: .milliseconds(1)), limitedRequest()],
            waiting: cache.engine.updates.waiterCount
        ) { try await cache.intercept($0, next: next) }
        gate.open()
        await expectFailure(.timedOut) { try await tasks[0].value }
        #expect(try await tasks[1].value.text == "one")
    }
}
