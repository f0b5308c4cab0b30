import Errand
import ErrandResilience
import TestSupport
import Testing

/// Many requests for one resource at the same time. A cache sends them all, and ``Coalescing`` after it only one.
@Suite(.hangGuard) struct `Concurrent requests to a cache` {
    let clock = WallClock()
    let gate = Gate()

    /// An origin that responds when the gate is open, to each request with its number.
    private func origin(_ headers: HeaderFields) -> Origin {
        let counted = Locked(0)
        return Origin { [gate] request in
            let number = counted.withLock { count in
                count += 1
                return count
            }
            try await gate.pass()
            if request.value(forHTTPHeaderField: "If-None-Match") != nil { return DataResponse(statusCode: 304) }
            return DataResponse(statusCode: 200, headers: headers, data: Data("\(number)".utf8))
        }
    }

    /// Sends a hundred requests, and opens the gate once all of them wait for one transfer.
    private func stampede(_ send: Next, _ coalescing: Coalescing) async throws -> [DataResponse] {
        try await withThrowingTaskGroup { group in
            for _ in 0..<100 { group.addTask { try await send(limitedRequest()) } }
            try await waitUntil { coalescing.waitingCount == 100 }
            gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test(arguments: [true, false])
    func `a hundred requests reach the server once if coalescing follows the cache`(_ isStored: Bool) async throws {
        let (cache, coalescing) = (HTTPCache(now: clock.read), Coalescing())
        let fields: HeaderFields = ["Cache-Control": "max-age=60", "ETag": "\"1\""]
        if isStored {
            _ = try await cache.intercept(limitedRequest(), next: Next { _ in .ok("1", fields) })
            clock.advance(by: 61)
        }
        let origin = origin(fields)
        let send = Next { try await origin.send($0) }.preceded(by: [cache, coalescing])
        let responses = try await stampede(send, coalescing)
        #expect(origin.count == 1)
        #expect(responses.count == 100)
        #expect(responses.allSatisfy { $0.text == "1" && $0.source == (isStored ? .revalidated : .network) })
        #expect(try await send(limitedRequest()).source == .cache)
        #expect(origin.count == 1)
    }

    @Test func `a cache alone sends each of them`() async throws {
        let cache = HTTPCache(now: clock.read)
        let origin = origin(["Cache-Control": "max-age=60"])
        let tasks = (0..<3).map { _ in Task { try await cache.get(origin).text } }
        try await gate.waitForArrivals(3)
        gate.open()
        var texts: Set<String> = []
        for task in tasks { texts.insert(try await task.value) }
        #expect(texts == ["1", "2", "3"])
        #expect(try await cache.get(origin).source == .cache)
    }

    @Test func `a response from before a change is not stored`() async throws {
        let cache = HTTPCache(now: clock.read)
        let origin = origin(["Cache-Control": "max-age=60"])
        let reading = Task { try await cache.get(origin) }
        try await gate.waitForArrivals(1)
        _ = try await cache.get(Origin(DataResponse(statusCode: 204)), method: .put)
        let later = Task { try await cache.get(origin) }
        try await gate.waitForArrivals(2)
        gate.open()
        #expect(try await reading.value.text == "1")
        #expect(try await later.value.text == "2")
        #expect(try await cache.get(origin).text == "2")
        #expect(origin.count == 2)
    }
}
