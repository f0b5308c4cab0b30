import Testing

@testable import Errand

struct `Admission to connections` {
    private func transfer(_ priority: RequestPriority = .normal, _ path: String = "") throws -> CurlTransfer {
        var request = TransportRequest(URLRequest(url: try #require(URL(string: "http://a.example/\(path)"))))
        request.priority = priority
        return try CurlTransfer(request)
    }

    private func transfers(_ count: Int) throws -> [CurlTransfer] { try (0..<count).map { _ in try transfer() } }

    @Test func `is had at once while there is room`() throws {
        let admission = Line(originLimit: 2, limit: 10)
        #expect(admission.isIdle)
        let all = try transfers(3)
        #expect(all.map { admission.admit($0, to: "a") } == [true, true, false])
        #expect(!admission.isIdle)
        #expect(admission.waiting.count == 1)
        #expect(admission.next() == nil)
    }

    @Test func `comes in the order of arrival`() throws {
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

    @Test func `comes in the order of priority first`() throws {
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

    @Test func `is given by the cap of each origin and by that of all`() throws {
        let admission = Line(originLimit: 2, limit: 3)
        let (first, second) = (try transfers(3), try transfers(3))
        #expect(first.map { admission.admit($0, to: "a") } == [true, true, false])
        #expect(second.map { admission.admit($0, to: "b") } == [true, false, false])
        // One place is free, and both origins would have room: who came first goes first.
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

    @Test func `among origins goes by priority, then by arrival`() throws {
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

    @Test func `needs no connection each where one carries many`() throws {
        let admission = Line(originLimit: 1, limit: 4)
        let all = try transfers(6)
        #expect(admission.admit(all[0], to: "a"))
        #expect(!admission.admit(all[1], to: "a"))
        all[0].origin?.isMultiplexed = true
        #expect(admission.next() === all[1])
        #expect(all[2...].map { admission.admit($0, to: "a") } == [true, true, false, false])
    }

    @Test func `passes over who has left`() throws {
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

    @Test func `keeps nobody alive who has left`() throws {
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

    @Test func `lets nobody overtake who waits`() throws {
        let admission = Line(originLimit: 1, limit: 10)
        let all = try transfers(3)
        _ = admission.admit(all[0], to: "a")
        _ = admission.admit(all[1], to: "a")
        admission.release(all[0])
        #expect(!admission.admit(all[2], to: "a"))
        #expect(admission.next() === all[1])
    }
}

/// An admission by reference: an expectation cannot change a value.
private final class Line {
    private var admission: CurlAdmission

    init(originLimit: Int, limit: Int) {
        admission = CurlAdmission(originLimit: originLimit, limit: limit)
    }

    var isIdle: Bool { admission.isIdle }
    var waiting: [CurlTransfer] { admission.waiting }

    func admit(_ transfer: CurlTransfer, to name: String) -> Bool { admission.admit(transfer, to: name) }
    func release(_ transfer: CurlTransfer) { admission.release(transfer) }
    func next() -> CurlTransfer? { admission.next() }
}
