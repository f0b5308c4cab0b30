import Errand
import Testing

@testable import ErrandResilience

/// Two requests a second, and no burst unless a test sets one.
struct `The state of a rate limit` {
    private func state(
        _ requests: Int = 2, per duration: Duration = .seconds(1), burst: Int = 1, queueLimit: Int = 10
    ) -> RateLimitState {
        RateLimitState(requests: requests, per: duration, burst: burst, queueLimit: queueLimit)
    }

    private func admitted(_ actions: [TurnAction]) -> [Int] {
        actions.compactMap { if case .admit(let ticket) = $0 { ticket } else { nil } }
    }

    private func alarm(_ actions: [TurnAction]) -> Duration? {
        for case .setAlarm(let setting) in actions { return setting.time }
        return nil
    }

    private func refused(_ actions: [TurnAction]) -> [Refusal] {
        actions.compactMap { if case .refuse(_, let refusal) = $0 { refusal } else { nil } }
    }

    @Test func `a rate limit admits a burst at once, and then one request per new token`() {
        var state = state(burst: 3)
        for ticket in 1...3 { #expect(state.arrive(Arrival(ticket: ticket), now: .zero) == [.admit(ticket)]) }
        #expect(alarm(state.arrive(Arrival(ticket: 4), now: .zero)) == .milliseconds(500))
        #expect(state.arrive(Arrival(ticket: 5), now: .zero).isEmpty)
        #expect(admitted(state.wake(now: .milliseconds(499))).isEmpty)
        let actions = state.wake(now: .milliseconds(500))
        #expect(admitted(actions) == [4])
        #expect(alarm(actions) == .seconds(1))
        #expect(admitted(state.wake(now: .seconds(1))) == [5])
    }

    @Test func `tokens are added up to the burst while no requests arrive`() {
        var state = state(burst: 2)
        for ticket in 1...2 { _ = state.arrive(Arrival(ticket: ticket), now: .zero) }
        for ticket in 3...4 {
            #expect(state.arrive(Arrival(ticket: ticket), now: .seconds(60)) == [.admit(ticket)])
        }
        #expect(admitted(state.arrive(Arrival(ticket: 5), now: .seconds(60))).isEmpty)
    }

    @Test func `waiting requests are admitted by priority and then by arrival`() {
        var state = state()
        let priorities: [RequestPriority] = [.normal, .low, .normal, .high, .normal, .high]
        for (ticket, priority) in priorities.enumerated() {
            _ = state.arrive(Arrival(ticket: ticket, priority: priority), now: .zero)
        }
        let order = (1...5).flatMap { admitted(state.wake(now: .milliseconds(500 * $0))) }
        #expect(order == [3, 5, 2, 4, 1])
    }

    @Test func `a cancelled waiting request leaves its turn to the next`() {
        var state = state()
        for ticket in 1...3 { _ = state.arrive(Arrival(ticket: ticket), now: .zero) }
        #expect(state.withdraw(2, now: .milliseconds(100)).isEmpty)
        #expect(admitted(state.wake(now: .milliseconds(500))) == [3])
    }

    @Test func `the token of a request that is cancelled after its admission is returned`() {
        var state = state()
        for ticket in 1...3 { _ = state.arrive(Arrival(ticket: ticket), now: .zero) }
        #expect(admitted(state.wake(now: .milliseconds(500))) == [2])
        #expect(admitted(state.withdraw(2, now: .milliseconds(500))) == [3])
    }

    @Test func `a token that was used is not returned`() {
        var state = state()
        for ticket in 1...2 { _ = state.arrive(Arrival(ticket: ticket), now: .zero) }
        #expect(state.finish(1, now: .zero).isEmpty)
        #expect(state.withdraw(1, now: .zero).isEmpty)
        #expect(admitted(state.wake(now: .milliseconds(499))).isEmpty)
    }

    @Test func `the alarm is cleared when the last waiting request is cancelled`() {
        var state = state()
        for ticket in 1...2 { _ = state.arrive(Arrival(ticket: ticket), now: .zero) }
        guard case .setAlarm(let setting)? = state.withdraw(2, now: .zero).first else {
            Issue.record("the alarm was left as it was")
            return
        }
        #expect(setting.time == nil)
    }

    @Test func `a request is rejected if the queue is full`() {
        var state = state(queueLimit: 1)
        for ticket in 1...2 { _ = state.arrive(Arrival(ticket: ticket), now: .zero) }
        #expect(state.arrive(Arrival(ticket: 3), now: .zero) == [.refuse(3, .queueIsFull(1))])
        #expect(admitted(state.wake(now: .milliseconds(500))) == [2])
    }

    @Test func `a full queue rejects the last request of the lowest priority`() {
        var state = state(queueLimit: 1)
        _ = state.arrive(Arrival(ticket: 1), now: .zero)
        _ = state.arrive(Arrival(ticket: 2, priority: .low), now: .zero)
        #expect(state.arrive(Arrival(ticket: 3, priority: .high), now: .zero) == [.refuse(2, .displaced)])
        #expect(state.arrive(Arrival(ticket: 4, priority: .high), now: .zero) == [.refuse(4, .queueIsFull(1))])
        #expect(admitted(state.wake(now: .milliseconds(500))) == [3])
    }

    @Test func `a rate limit without a queue still sends at its rate`() {
        var state = state(queueLimit: 0)
        #expect(state.arrive(Arrival(ticket: 1), now: .zero) == [.admit(1)])
        #expect(refused(state.arrive(Arrival(ticket: 2), now: .zero)) == [.queueIsFull(0)])
        #expect(state.arrive(Arrival(ticket: 3), now: .milliseconds(500)) == [.admit(3)])
    }

    @Test func `a request whose turn is after its deadline is rejected at once`() {
        var state = state()
        for ticket in 1...2 { _ = state.arrive(Arrival(ticket: ticket), now: .zero) }
        let late = Arrival(ticket: 3, deadline: .seconds(1))
        #expect(refused(state.arrive(late, now: .zero)) == [.turnComesTooLate(.seconds(1))])
        // Only requests of the same priority precede one with a higher priority.
        let early = Arrival(ticket: 4, priority: .high, deadline: .seconds(1))
        #expect(refused(state.arrive(early, now: .zero)).isEmpty)
        #expect(admitted(state.wake(now: .milliseconds(500))) == [4])
    }

    @Test func `a request that was overtaken is rejected at its deadline`() {
        var state = state()
        _ = state.arrive(Arrival(ticket: 1), now: .zero)
        let actions = state.arrive(Arrival(ticket: 2, deadline: .milliseconds(600)), now: .zero)
        #expect(alarm(actions) == .milliseconds(500))
        _ = state.arrive(Arrival(ticket: 3, priority: .high), now: .zero)
        let first = state.wake(now: .milliseconds(500))
        #expect(admitted(first) == [3])
        #expect(alarm(first) == .milliseconds(600))
        #expect(refused(state.wake(now: .milliseconds(600))) == [.timeIsOver])
    }

    @Test func `a request that need not wait is admitted despite a past deadline`() {
        var state = state()
        #expect(state.arrive(Arrival(ticket: 1, deadline: .seconds(-1)), now: .zero) == [.admit(1)])
    }

    @Test func `each account has its own tokens`() {
        var state = state()
        #expect(state.arrive(Arrival(ticket: 1, account: "a"), now: .zero) == [.admit(1)])
        #expect(state.arrive(Arrival(ticket: 2, account: "b"), now: .zero) == [.admit(2)])
        _ = state.arrive(Arrival(ticket: 3, account: "a"), now: .zero)
        _ = state.arrive(Arrival(ticket: 4, account: "b"), now: .milliseconds(100))
        #expect(admitted(state.wake(now: .milliseconds(500))) == [3, 4])
    }

    @Test(arguments: [
        (0, Duration.seconds(1), 0), (-5, .seconds(-1), -5), (Int.max, .zero, Int.max),
        (1, .seconds(Int64.max), Int.max), (Int.min, .seconds(Int64.min), Int.min),
    ])
    func `extreme rate limit values do not trap`(_ requests: Int, _ duration: Duration, _ burst: Int) {
        var state = state(requests, per: duration, burst: burst)
        #expect(state.arrive(Arrival(ticket: 1), now: .zero) == [.admit(1)])
        for ticket in 2...5 {
            _ = state.arrive(Arrival(ticket: ticket, deadline: .seconds(Int64.max)), now: .seconds(1))
        }
        _ = state.wake(now: .seconds(2))
    }

    @Test func `accounts with all tokens are removed`() {
        var state = state()
        for ticket in 1...1000 {
            _ = state.arrive(Arrival(ticket: ticket, account: "\(ticket)"), now: .seconds(ticket))
            _ = state.finish(ticket, now: .seconds(ticket))
        }
        #expect(state.buckets.count <= 70)
    }
}
