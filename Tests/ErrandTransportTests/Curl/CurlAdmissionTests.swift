import Testing

@testable import Errand

struct `Admission to connections` {
    private func transfer(_ priority: RequestPriority = .normal, _ path: String = "") throws -> CurlTransfer {
        var request = TransportRequest(URLRequest(url: try #require(URL(string: "http://a.example/\(path)"))))
        request.priority = priority
        return try CurlTransfer(request)
    }

    private func transfers(_ count: Int) throws -> [CurlTransfer] { try (0..<count).map { _ in try transfer() } }

    @Test func `a transfer is admitted at once while there is room`() throws {
        let admission = Line(originLimit: 2, limit: 10)
        #expect(admission.isIdle)
        let all = try transfers(3)
        #expect(all.map { admission.admit($0, to: "a") } == [true, true, false])
        #expect(!admission.isIdle)
        #expect(admission.waiting.count == 1)
        #expect(admission.next() == nil)
    }

    @Test func `waiting transfers are admitted in the order of arrival`() throws {
        let admission = Line(originLimit: 1, limit: 10)
        let all = try transfers(50)
        for transfer in all { _ = admission.admit(transfer, to: "a") }
        for (running, next) in zip(all, all.dropFirst()) {
            admission.release(running)
            #expect(admission.next() === next)
            #expect(admission.next() == nil)
        }
        admission.release(all[49])
        #expect(admission.isIdle)
    }

    @Test func `waiting transfers are admitted in the order of priority first`() throws {
        let admission = Line(originLimit: 1, limit: 10)
        let running = try transfer()
        _ = admission.admit(running, to: "a")
        let priorities = RequestPriority.allCases + RequestPriority.allCases.reversed()
        let all = try priorities.map { try transfer($0) }
        for transfer in all { #expect(!admission.admit(transfer, to: "a")) }
        var last = running
        var order: [RequestPriority] = []
        for _ in all {
            admission.release(last)
            last = try #require(admission.next())
            order.append(last.request.priority)
        }
        #expect(order == RequestPriority.allCases.reversed().flatMap { [$0, $0] })
    }

    @Test func `admission respects the limit of each origin and the total limit`() throws {
        let admission = Line(originLimit: 2, limit: 3)
        let (first, second) = (try transfers(3), try transfers(3))
        #expect(first.map { admission.admit($0, to: "a") } == [true, true, false])
        #expect(second.map { admission.admit($0, to: "b") } == [true, false, false])
        // One slot is free, and both origins are below their limits, so the earlier request is first.
        admission.release(first[0])
        #expect(admission.next() === first[2])
        #expect(admission.next() == nil)
        admission.release(first[1])
        #expect(admission.next() === second[1])
        admission.release(second[0])
        #expect(admission.next() === second[2])
        for transfer in [first[2], second[1], second[2]] { admission.release(transfer) }
        #expect(admission.isIdle)
    }

    @Test func `transfers of different origins are admitted by priority and then by arrival`() throws {
        let admission = Line(originLimit: 5, limit: 1)
        let running = try transfer()
        _ = admission.admit(running, to: "a")
        let (early, late, urgent) = (try transfer(), try transfer(), try transfer(.high))
        _ = admission.admit(early, to: "b")
        _ = admission.admit(late, to: "c")
        _ = admission.admit(urgent, to: "d")
        var last = running
        for expected in [urgent, early, late] {
            admission.release(last)
            last = try #require(admission.next())
            #expect(last === expected)
        }
    }

    @Test func `transfers that share a connection do not count as connections`() throws {
        let admission = Line(originLimit: 1, limit: 4)
        let all = try transfers(6)
        #expect(admission.admit(all[0], to: "a"))
        #expect(!admission.admit(all[1], to: "a"))
        admission.connected(all[0], sharing: .streams)
        #expect(admission.next() === all[1])
        #expect(all[2...].map { admission.admit($0, to: "a") } == [true, true, false, false])
    }

    @Test(arguments: [CurlOrigin.Sharing.none, .streams])
    func `transfers wait for the first connection to learn whether it can be shared`(
        _ sharing: CurlOrigin.Sharing
    ) throws {
        let admission = Line(originLimit: 2, limit: 10, sharing: .unknown)
        let all = try transfers(4)
        #expect(all.map { admission.admit($0, to: "a") } == [true, false, false, false])
        admission.connected(all[0], sharing: sharing)
        #expect(admission.next() === all[1])
        #expect(admission.next() === (sharing == .streams ? all[2] : nil))
    }

    @Test func `the next transfer is admitted if the first gets no connection`() throws {
        let admission = Line(originLimit: 2, limit: 10, sharing: .unknown)
        let all = try transfers(2)
        for transfer in all { _ = admission.admit(transfer, to: "a") }
        admission.release(all[0])
        #expect(admission.next() === all[1])
    }

    @Test(arguments: [CurlOrigin.Sharing.unknown, .streams, .none])
    func `after a failure to connect, the transfers that waited are all admitted`(
        _ sharing: CurlOrigin.Sharing
    ) throws {
        let admission = Line(originLimit: 3, limit: 10, sharing: sharing)
        let all = try transfers(6)
        #expect(admission.admit(all[0], to: "a"))
        let origin = try #require(all[0].origin)
        origin.noteConnecting(all[0], 1)
        for transfer in all[1...] { _ = admission.admit(transfer, to: "a") }
        let admitted = sharing == .none ? 3 : 1
        #expect(admission.waiting.count == 6 - admitted)
        origin.noteUnreached(2)
        admission.release(all[0])
        for transfer in all[admitted..<4] { #expect(admission.next() === transfer) }
        // As many as there may be connections, and none of them makes the others wait.
        #expect(admission.next() == nil)
        origin.noteConnecting(all[1], 3)
        admission.release(all[2])
        #expect(admission.next() === all[4])
    }

    @Test func `after a failure, the first connection shows again how many transfers are admitted`() throws {
        let admission = Line(originLimit: 2, limit: 10, sharing: .unknown)
        let all = try transfers(6)
        for transfer in all { _ = admission.admit(transfer, to: "a") }
        let origin = try #require(all[0].origin)
        origin.noteUnreached(1)
        admission.release(all[0])
        #expect(admission.next() === all[1])
        #expect(admission.next() === all[2])
        #expect(admission.next() == nil)
        #expect(origin.hasFailed)
        admission.connected(all[1], sharing: .streams)
        #expect(!origin.hasFailed)
        for transfer in all[3...] { #expect(admission.next() === transfer) }
    }

    @Test func `an origin knows since when it has no connection`() throws {
        let admission = Line(originLimit: 1, limit: 10, sharing: .unknown)
        let all = try transfers(2)
        for transfer in all { _ = admission.admit(transfer, to: "a") }
        let origin = try #require(all[0].origin)
        #expect(origin.unreachedSince == 0)
        origin.noteUnreached(5)
        #expect(origin.unreachedSince == 0)
        admission.connected(all[0], sharing: .none)
        #expect(origin.unreachedSince == nil)
        // The next transfer opens a connection, and no other transfer has one.
        origin.noteConnecting(all[0], 7)
        #expect(origin.unreachedSince == 7)
        // To start a transfer is progress only if it may get a connection.
        admission.release(all[0])
        #expect(admission.next(9) === all[1])
        #expect(origin.movedAt == 0)
    }

    @Test(arguments: [true, false])
    func `only one transfer at a time opens an additional shared connection`(_ succeeds: Bool) throws {
        let admission = Line(originLimit: 2, limit: 10, sharing: .streams)
        let all = try transfers(6)
        for transfer in all[..<3] { #expect(admission.admit(transfer, to: "a")) }
        let origin = try #require(all[2].origin)
        // One of the three has already ended at this point.
        origin.noteConnecting(all[2], 1)
        origin.reduceCapacity(by: 1, for: all[2])
        for transfer in all[3...] { #expect(!admission.admit(transfer, to: "a")) }
        admission.release(all[0])
        #expect(admission.next() == nil)
        admission.release(all[1])
        #expect(admission.next() === all[3])
        #expect(admission.next() == nil)
        if succeeds { admission.connected(all[2], sharing: .streams) } else { admission.release(all[2]) }
        #expect(admission.next() === all[4])
        #expect(admission.next() === all[5])
    }

    @Test func `admission skips cancelled transfers`() throws {
        let admission = Line(originLimit: 1, limit: 10)
        let all = try transfers(5)
        for transfer in all { _ = admission.admit(transfer, to: "a") }
        for transfer in [all[1], all[2], all[4]] { transfer.refuse() }
        #expect(admission.waiting.map(ObjectIdentifier.init) == [ObjectIdentifier(all[3])])
        admission.release(all[0])
        #expect(admission.next() === all[3])
        admission.release(all[3])
        #expect(admission.next() == nil)
        #expect(admission.isIdle)
        #expect(admission.admit(try transfer(), to: "a"))
    }

    @Test func `an origin that is forgotten and comes back has one limit`() throws {
        let admission = Line(originLimit: 2, limit: 4)
        let (all, others) = (try transfers(5), try transfers(4))
        for (transfer, origin) in zip(others, ["x", "x", "y"]) { #expect(admission.admit(transfer, to: origin)) }
        #expect(admission.admit(all[0], to: "a"))
        #expect(!admission.admit(all[1], to: "a"))
        all[1].isOver = true
        admission.release(all[0])
        #expect(admission.admit(all[2], to: "a"))
        for transfer in others.prefix(3) { admission.release(transfer) }
        #expect(admission.next() == nil)
        #expect(admission.admit(others[3], to: "y"))
        #expect([all[3], all[4]].map { admission.admit($0, to: "a") } == [true, false])
    }

    @Test func `admission does not keep cancelled transfers alive`() throws {
        let admission = Line(originLimit: 1, limit: 1)
        let running = try transfer()
        _ = admission.admit(running, to: "a")
        weak var left: CurlTransfer?
        try {
            let transfer = try transfer()
            _ = admission.admit(transfer, to: "b")
            transfer.refuse()
            left = transfer
        }()
        #expect(left != nil)
        admission.release(running)
        #expect(admission.next() == nil)
        #expect(left == nil)
        #expect(admission.isIdle)
    }

    @Test func `transfers of many origins are admitted by priority and arrival`() throws {
        let admission = Line(originLimit: 1, limit: 1)
        let first = try transfer()
        _ = admission.admit(first, to: "first")
        let all = try (0..<200).map { try transfer($0 % 7 == 0 ? .high : $0 % 5 == 0 ? .low : .normal) }
        // Some wait for another transfer, others for a slot.
        for (index, transfer) in all.enumerated() { _ = admission.admit(transfer, to: "origin \(index / 2)") }
        for transfer in all where transfer.arrival % 11 == 0 { transfer.refuse() }
        let expected = RequestPriority.allCases.reversed().flatMap { priority in
            all.filter { $0.request.priority == priority && !$0.isOver }
        }
        var last = first
        for transfer in expected {
            admission.release(last)
            last = try #require(admission.next())
            #expect(last === transfer)
        }
        admission.release(last)
        #expect(admission.isIdle)
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

    @Test func `all spellings of an origin count toward the same limit`() throws {
        let admission = Line(originLimit: 1, limit: 10)
        let all = try transfers(3)
        #expect(admission.admit(all[0], to: "https://a.example/1"))
        #expect(!admission.admit(all[1], to: "https://A.example:443?2"))
        #expect(admission.admit(all[2], to: "https://a.example.org/"))
    }

    @Test func `a new transfer does not overtake a waiting one`() throws {
        let admission = Line(originLimit: 1, limit: 10)
        let all = try transfers(3)
        _ = admission.admit(all[0], to: "a")
        _ = admission.admit(all[1], to: "a")
        admission.release(all[0])
        #expect(!admission.admit(all[2], to: "a"))
        #expect(admission.next() === all[1])
    }
}

/// A reference to an admission, since an expectation cannot mutate a value.
private final class Line {
    private var admission: CurlAdmission

    init(originLimit: Int, limit: Int, sharing: CurlOrigin.Sharing = .none) {
        admission = CurlAdmission(originLimit: originLimit, limit: limit) { _ in sharing }
    }

    var isIdle: Bool { admission.isIdle }
    var waiting: [CurlTransfer] { admission.waiting }

    func admit(_ transfer: CurlTransfer, to name: String) -> Bool { admission.admit(transfer, to: name) }
    func release(_ transfer: CurlTransfer) { admission.release(transfer) }
    func connected(_ transfer: CurlTransfer, sharing: CurlOrigin.Sharing) {
        admission.connected(transfer, sharing: sharing)
    }
    func next(_ now: UInt64 = 0) -> CurlTransfer? { admission.next(now) }
}
