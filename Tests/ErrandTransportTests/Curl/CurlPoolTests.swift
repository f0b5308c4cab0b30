#if canImport(CCurl)
import Testing

@testable import Errand

struct `Pool` {
    @Test(arguments: tables) func `each event has its starts`(_ table: Table) {
        var pool = CurlPool(table.configuration) { _ in table.sharing }
        for (index, step) in table.steps.enumerated() {
            pool.handle(step.event, UInt64(index))
            #expect(pool.starts(UInt64(index)) == step.starts, "\(table.name), step \(index): \(step.event)")
        }
        #expect(pool.isIdle == table.isIdleAtEnd, "\(table.name)")
    }

    static let tables = [
        Table(
            "a request is started at once while there is room", originLimit: 2,
            [
                (.submit(0), [0]),
                (.submit(1), [1]),
                (.submit(2), []),
            ]),
        Table(
            "waiting requests are started in the order of arrival", originLimit: 1,
            [
                (.submit(0), [0]),
                (.submit(1), []),
                (.submit(2), []),
                (.ended(0), [1]),
                (.submit(3), []),
                (.ended(1), [2]),
                (.ended(2), [3]),
                (.ended(3), []),
            ]),
        Table(
            "waiting requests are started in the order of priority first", originLimit: 1,
            [
                (.submit(0), [0]),
                (.submit(1, .low), []),
                (.submit(2, .normal), []),
                (.submit(3, .high), []),
                (.submit(4, .high), []),
                (.submit(5, .low), []),
                (.ended(0), [3]),
                (.ended(3), [4]),
                (.ended(4), [2]),
                (.ended(2), [1]),
                (.ended(1), [5]),
                (.ended(5), []),
            ]),
        Table(
            "each origin has a limit, and so have all together", originLimit: 2, limit: 3,
            [
                (.submit(0), [0]),
                (.submit(1), [1]),
                (.submit(2), []),
                (.submit(3, to: "b"), [3]),
                (.submit(4, to: "b"), []),
                (.submit(5, to: "b"), []),
                // Both origins are below their limits, so the earlier request is first.
                (.ended(0), [2]),
                (.ended(1), [4]),
                (.ended(3), [5]),
                (.ended(2), []),
                (.ended(4), []),
                (.ended(5), []),
            ]),
        Table(
            "requests of different origins are started by priority and then by arrival", originLimit: 5, limit: 1,
            [
                (.submit(0), [0]),
                (.submit(1, to: "b"), []),
                (.submit(2, to: "c"), []),
                (.submit(3, to: "d", .high), []),
                (.ended(0), [3]),
                (.ended(3), [1]),
                (.ended(1), [2]),
            ]),
        Table(
            "a new request does not overtake one that waits", originLimit: 1,
            [
                (.submit(0), [0]),
                (.submit(1), []),
                (.submit(2, .low), []),
                (.ended(1), []),
                (.submit(3), []),
                (.ended(0), [3]),
            ]),
        Table(
            "requests that share a connection do not count as connections", originLimit: 1, limit: 4,
            [
                (.submit(0), [0]),
                (.submit(1), []),
                (.connected(0, .streams), [1]),
                (.submit(2), [2]),
                (.submit(3), [3]),
                (.submit(4), []),
                (.ended(0), [4]),
            ]),
        Table(
            "requests wait for the first connection: streams", originLimit: 2, sharing: .unknown,
            [
                (.submit(0), [0]),
                (.submit(1), []),
                (.submit(2), []),
                (.submit(3), []),
                (.connected(0, .streams), [1, 2, 3]),
            ]),
        Table(
            "requests wait for the first connection: no streams", originLimit: 2, sharing: .unknown,
            [
                (.submit(0), [0]),
                (.submit(1), []),
                (.submit(2), []),
                (.connected(0, .none), [1]),
                (.ended(0), [2]),
            ]),
        Table(
            "the next request is started if the first gets no connection", originLimit: 2, sharing: .unknown,
            [
                (.submit(0), [0]),
                (.submit(1), []),
                (.ended(0), [1]),
                (.ended(1), []),
            ]),
        Table(
            "after a failure to connect, those that waited are started: unknown", originLimit: 3, sharing: .unknown,
            [
                (.submit(0), [0]),
                (.opening(0), []),
                (.submit(1), []),
                (.submit(2), []),
                (.submit(3), []),
                (.submit(4), []),
                (.failedToConnect(0), [1, 2]),
                (.ended(0), [3]),
                // None of them makes the others wait.
                (.opening(1), []),
                (.ended(2), [4]),
                // The first connection shows again how many are started.
                (.submit(5), []),
                (.submit(6), []),
                (.connected(1, .streams), [5, 6]),
            ]),
        Table(
            "after a failure to connect, those that waited are started: streams", originLimit: 3, sharing: .streams,
            [
                (.submit(0), [0]),
                (.opening(0), []),
                (.submit(1), []),
                (.submit(2), []),
                (.submit(3), []),
                (.failedToConnect(0), [1, 2]),
                (.ended(0), [3]),
            ]),
        Table(
            "an origin with a connection has not failed", originLimit: 3, sharing: .streams,
            [
                (.submit(0), [0]),
                (.connected(0, .streams), []),
                (.submit(1), [1]),
                (.opening(1), []),
                (.submit(2), []),
                (.failedToConnect(1), []),
                (.ended(1), [2]),
                (.submit(3), [3]),
            ]),
        Table(
            "one request at a time opens another shared connection", originLimit: 2, sharing: .streams,
            [
                (.submit(0), [0]),
                (.submit(1), [1]),
                (.submit(2), [2]),
                // libcurl has already completed one of the three.
                (.opening(2, completed: [1]), []),
                (.submit(3), []),
                (.submit(4), []),
                (.ended(1), []),
                (.ended(0), [3]),
                (.connected(2, .streams), [4]),
            ]),
        Table(
            "if the other connection cannot be opened, those that waited are started", sharing: .streams,
            [
                (.submit(0), [0]),
                (.submit(1), [1]),
                (.opening(1), []),
                (.submit(2), []),
                (.submit(3), []),
                (.ended(1), [2, 3]),
            ]),
        Table(
            "requests that ended are skipped", originLimit: 1,
            [
                (.submit(0), [0]),
                (.submit(1), []),
                (.submit(2), []),
                (.submit(3), []),
                (.submit(4), []),
                (.ended(1), []),
                (.ended(2), []),
                (.ended(4), []),
                // A number that is used again is another request, with its own turn.
                (.submit(1), []),
                (.ended(0), [3]),
                (.ended(3), [1]),
                (.ended(1), []),
            ]),
        Table(
            "an origin that is forgotten and comes back has one limit", originLimit: 2, limit: 4,
            [
                (.submit(0, to: "x"), [0]),
                (.submit(1, to: "x"), [1]),
                (.submit(2, to: "y"), [2]),
                (.submit(3), [3]),
                (.submit(4), []),
                (.ended(4), []),
                (.ended(3), []),
                (.submit(4), [4]),
                (.ended(0), []),
                (.submit(5), [5]),
                (.submit(6), []),
                (.ended(1), []),
                (.submit(7, to: "z"), [7]),
            ]),
        Table(
            "all spellings of an origin count toward the same limit", originLimit: 1,
            [
                (.submit(0, to: "https://a.example/1"), [0]),
                (.submit(1, to: "https://A.example:443?2"), []),
                (.submit(2, to: "https://a.example.org/"), [2]),
            ]),
        Table(
            "the end of a request that never waited is nothing", originLimit: 1,
            [
                (.ended(3), []),
                (.submit(0), [0]),
                (.ended(0), []),
                (.ended(0), []),
                (.submit(1), [1]),
                (.ended(1), []),
            ]),
    ]

    @Test func `an origin knows since when it has no connection, and when it last moved`() {
        var pool = CurlPool(CurlConfiguration(limits: (1, 10))) { _ in .unknown }
        for id in 0..<3 { pool.submit(id, to: "a", .normal, 1) }
        #expect(pool.next(connections: 0, 2)?.unreachedSince == 1)
        #expect(pool.patience(of: 1) == CurlPool.Patience(unreachedSince: 1))
        pool.handle(.failedToConnect(0), 5)
        #expect(pool.patience(of: 1).unreachedSince == 1)
        pool.handle(.connected(0, .none), 6)
        #expect(pool.patience(of: 1).unreachedSince == nil)
        pool.ended(0)
        #expect(pool.starts(7) == [1])
        #expect(pool.patience(of: 2) == CurlPool.Patience(movedAt: 7))
        // The next request opens a connection, and no other one has one.
        pool.handle(.opening(1), 8)
        #expect(pool.patience(of: 2).unreachedSince == 8)
        // To start a request is progress only if it may get a connection.
        pool.submit(3, to: "a", .normal, 9)
        pool.ended(1)
        #expect(pool.starts(10) == [2])
        #expect(pool.patience(of: 3) == CurlPool.Patience(movedAt: 7, unreachedSince: 8))
    }

    @Test func `a start tells what libcurl needs`() {
        var pool = CurlPool(CurlConfiguration(limits: (4, 4))) { _ in .streams }
        pool.submit(0, to: "a", .normal, 1)
        #expect(pool.next(connections: 0, 1) == CurlPool.Start(request: 0, usesStreams: true, unreachedSince: 1))
        pool.handle(.failedToConnect(0), 2)
        pool.submit(1, to: "a", .normal, 3)
        let start = CurlPool.Start(
            request: 1, waitsForSharedConnection: false, usesStreams: true, unreachedSince: 1)
        #expect(pool.next(connections: 0, 3) == start)
    }

    @Test func `the connection to a new host is not kept if there are many`() {
        let isOnlyUse = { (connections: Int, others: Int, isRecent: Bool) in
            var pool = CurlPool(CurlConfiguration(limits: (4, 10)))
            if isRecent {
                pool.handle(.submit(9, to: "http://a/"), 0)
                _ = pool.starts(0)
                pool.handle(.submit(8, to: "http://b/"), 0)
                _ = pool.starts(0)
            }
            for id in 0...others { pool.submit(id, to: "http://a/", .normal, 0) }
            return pool.next(connections: connections, 0)?.isOnlyUse
        }
        #expect(isOnlyUse(5, 0, false) == true)
        #expect(isOnlyUse(4, 0, false) == false)
        #expect(isOnlyUse(5, 1, false) == false)
        #expect(isOnlyUse(5, 0, true) == false)
    }

    @Test func `the requests that libcurl lets wait for a connection are known`() {
        var pool = CurlPool(CurlConfiguration(limits: (9, 20))) { _ in .streams }
        for id in 0..<4 { pool.submit(id, to: "a", .normal, 0) }
        pool.submit(4, to: "b", .normal, 0)
        #expect(pool.starts(0) == [0, 1, 2, 3, 4])
        pool.handle(.connected(3, .streams), 0)
        #expect(pool.companions(of: 0) == [1, 2])
        #expect(pool.companions(of: 4) == [])
        pool.ended(0)
        #expect(pool.companions(of: 0) == [])
    }

    @Test(arguments: [
        // The silence begins when the request is started, and data that arrived since then ends it.
        Silence([Silence.Step(starts: 10, timesOut: 12, lastReceived: 5)], isShared: false, ends: [10]),
        Silence([Silence.Step(starts: 10, timesOut: 20, lastReceived: 10)], isShared: false, ends: [nil]),
        // While others use the connection, the silence of a series of requests must last five seconds.
        Silence(
            [
                Silence.Step(starts: 0, timesOut: 3, lastReceived: -1),
                Silence.Step(starts: 3, timesOut: 6, lastReceived: -1),
            ], isShared: true, ends: [nil, 0]),
        Silence(
            [
                Silence.Step(starts: 0, timesOut: 3, lastReceived: -1),
                Silence.Step(starts: 4, timesOut: 7, lastReceived: 1),
                Silence.Step(starts: 7, timesOut: 9, lastReceived: 1),
            ], isShared: true, ends: [nil, nil, 4]),
    ])
    func `a silent connection is not used again`(_ silence: Silence) {
        var pool = CurlPool(CurlConfiguration(limits: (9, 20))) { _ in .streams }
        pool.submit(0, to: "a", .normal, 0)
        _ = pool.next(connections: 0, 0)
        if silence.isShared { pool.handle(.connected(0, .streams), 0) }
        for (step, end) in zip(silence.steps, silence.ends) {
            pool.submit(1, to: "a", .normal, Silence.time(step.starts))
            #expect(pool.starts(Silence.time(step.starts)) == [1])
            pool.handle(.connected(1, .streams), Silence.time(step.starts))
            let received = Silence.time(step.lastReceived)
            #expect(pool.timedOut(1, lastReceived: received, Silence.time(step.timesOut)) == end.map(Silence.time))
            pool.ended(1)
        }
    }

    @Test(arguments: [
        ("http://a.example/", "http://a.example:80"), ("http://a.example", "http://a.example:80"),
        ("https://a.example?b=/c", "https://a.example:443"),
        ("HTTPS://User:P%40@A.example:443#/", "https://a.example:443"),
        ("https://a.example:8443/x:9", "https://a.example:8443"), ("https://a.example:/", "https://a.example:443"),
        ("http://[::1]/a", "http://[::1]:80"), ("http://[::1]:8080/a", "http://[::1]:8080"),
    ])
    func `all spellings of a scheme, host and port name the same origin`(_ url: String, _ name: String) {
        #expect(CurlOrigin.name(of: url) == name)
    }
}

/// The requests over one connection that time out, in seconds.
struct Silence {
    struct Step {
        let starts, timesOut, lastReceived: Int
    }

    let steps: [Step]
    let isShared: Bool
    /// The beginning of the silence because of which the connection is not used again, after each step.
    let ends: [Int?]

    init(_ steps: [Step], isShared: Bool, ends: [Int?]) {
        (self.steps, self.isShared, self.ends) = (steps, isShared, ends)
    }

    static func time(_ seconds: Int) -> UInt64 { UInt64(seconds + 100) * 1_000_000_000 }
}
#endif
