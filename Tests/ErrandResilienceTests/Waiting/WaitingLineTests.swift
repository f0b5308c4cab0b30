import Errand
import Testing

@testable import ErrandResilience

struct `A waiting line` {
    private func line(_ members: [(Int, RequestPriority)]) -> WaitingLine {
        var line = WaitingLine()
        for (ticket, priority) in members { line.join(ticket, priority: priority, deadline: nil) }
        return line
    }

    private func order(_ line: WaitingLine) -> [Int] {
        var line = line
        return Array(sequence(state: ()) { _ in line.takeFirst() })
    }

    @Test func `a waiting line is ordered by priority and then by arrival`() {
        let line = line([(1, .low), (2, .normal), (3, .high), (4, .normal), (5, .high), (6, .low)])
        #expect(order(line) == [3, 5, 2, 4, 1, 6])
    }

    @Test func `a waiting request rises by one priority for each ageing interval`() {
        var line = WaitingLine(ageing: .seconds(10))
        line.join(1, priority: .low, deadline: nil, now: .zero)
        line.join(2, priority: .normal, deadline: nil, now: .seconds(5))
        line.join(3, priority: .high, deadline: nil, now: .seconds(9))
        line.join(4, priority: .normal, deadline: nil, now: .seconds(9))
        // Only the first has waited for 10 seconds: it counts as normal, and arrived before the others of that
        // priority.
        #expect(line.takeFirst(now: .seconds(10)) == 3)
        #expect(line.takeFirst(now: .seconds(10)) == 1)
        line.join(5, priority: .high, deadline: nil, now: .seconds(15))
        // The second now counts as high.
        #expect(line.takeFirst(now: .seconds(15)) == 2)
        #expect(line.takeFirst(now: .seconds(15)) == 5)
        #expect(line.takeFirst(now: .seconds(1_000_000)) == 4)
        #expect(line.takeFirst(now: .seconds(1_000_000)) == nil)
    }

    @Test func `a request with a low priority is eventually served with ageing`() {
        for (ageing, isServed) in [(Duration.seconds(10), true), (nil, false)] {
            var line = WaitingLine(ageing: ageing)
            line.join(0, priority: .low, deadline: nil, now: .zero)
            var order: [Int] = []
            for second in 1...60 {
                // One request arrives for each that leaves.
                line.join(second, priority: .high, deadline: nil, now: .seconds(second))
                if let ticket = line.takeFirst(now: .seconds(second)) { order.append(ticket) }
            }
            #expect(order.contains(0) == isServed)
        }
    }

    @Test func `a request can leave a waiting line`() {
        var line = line([(1, .normal), (2, .normal), (3, .normal)])
        #expect(line.leave(2) == true)
        #expect(line.leave(2) == false)
        #expect(line.count == 2)
        #expect(order(line) == [1, 3])
    }

    @Test func `count(before:) returns the number of requests with the same or a higher priority`() {
        var line = line([(1, .low), (2, .normal), (3, .high)])
        #expect(line.count(before: .high) == 1)
        #expect(line.count(before: .normal) == 2)
        #expect(line.count(before: .low) == 3)
        line.leave(3)
        #expect(line.count(before: .low) == 2)
    }

    @Test func `expired requests are removed from a waiting line`() {
        var line = WaitingLine()
        line.join(1, priority: .normal, deadline: .seconds(2))
        line.join(2, priority: .low, deadline: .seconds(1))
        line.join(3, priority: .high, deadline: nil)
        #expect(line.earliestDeadline == .seconds(1))
        #expect(line.takeExpired(at: .milliseconds(999)).isEmpty)
        #expect(line.takeExpired(at: .seconds(1)) == [2])
        #expect(line.earliestDeadline == .seconds(2))
        #expect(order(line) == [3, 1])
    }

    @Test func `a waiting line keeps its order when many requests arrive and leave`() {
        var line = line([(0, .normal)])
        for ticket in 1...500 {
            line.join(ticket, priority: .normal, deadline: nil)
            if ticket % 100 != 0 { line.leave(ticket) }
        }
        #expect(line.takeFirst() == 0)
        line.join(501, priority: .normal, deadline: nil)
        #expect(order(line) == [100, 200, 300, 400, 500, 501])
        #expect(line.count == 6)
    }
}
