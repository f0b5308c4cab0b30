import Errand
import Testing

@testable import ErrandResilience

struct `The state of a concurrency limit` {
    private func full(_ limit: Int = 2, queueLimit: Int = 10) -> ConcurrencyLimitState {
        var state = ConcurrencyLimitState(limit: limit, queueLimit: queueLimit)
        for ticket in 1...limit { #expect(state.arrive(Arrival(ticket: ticket), now: .zero) == [.admit(ticket)]) }
        return state
    }

    @Test func `a concurrency limit admits the next request when one ends`() {
        var state = full()
        #expect(state.arrive(Arrival(ticket: 3), now: .zero).isEmpty)
        #expect(state.arrive(Arrival(ticket: 4), now: .zero).isEmpty)
        #expect(state.finish(2, now: .zero) == [.admit(3)])
        #expect(state.finish(3, now: .zero) == [.admit(4)])
        #expect(state.runningCount == 2)
    }

    @Test func `waiting requests are admitted by priority and then by arrival`() {
        var state = full(1)
        let priorities: [RequestPriority] = [.low, .normal, .high, .normal, .high]
        for (index, priority) in priorities.enumerated() {
            _ = state.arrive(Arrival(ticket: 2 + index, priority: priority), now: .zero)
        }
        var order: [TurnAction] = []
        for ticket in [1, 4, 6, 3, 5] { order += state.finish(ticket, now: .zero) }
        #expect(order == [.admit(4), .admit(6), .admit(3), .admit(5), .admit(2)])
    }

    @Test func `finishing a request twice frees its slot only once`() {
        var state = full(1)
        for ticket in 2...4 { _ = state.arrive(Arrival(ticket: ticket), now: .zero) }
        #expect(state.finish(1, now: .zero) == [.admit(2)])
        #expect(state.finish(1, now: .zero).isEmpty)
        #expect(state.runningCount == 1)
    }

    @Test func `a cancelled waiting request is skipped`() {
        var state = full(1)
        for ticket in 2...3 { _ = state.arrive(Arrival(ticket: ticket), now: .zero) }
        #expect(state.withdraw(2, now: .zero).isEmpty)
        #expect(state.finish(1, now: .zero) == [.admit(3)])
    }

    @Test func `the slot of a request that is cancelled after its admission is passed on`() {
        var state = full(1)
        for ticket in 2...3 { _ = state.arrive(Arrival(ticket: ticket), now: .zero) }
        _ = state.finish(1, now: .zero)
        #expect(state.withdraw(2, now: .zero) == [.admit(3)])
    }

    @Test func `a request is rejected if the queue is full`() {
        var state = full(1, queueLimit: 1)
        _ = state.arrive(Arrival(ticket: 2), now: .zero)
        #expect(state.arrive(Arrival(ticket: 3), now: .zero) == [.refuse(3, .queueIsFull(1))])
        #expect(state.finish(1, now: .zero) == [.admit(2)])
    }

    @Test func `a full queue rejects the last request of the lowest priority`() {
        var state = full(1, queueLimit: 3)
        _ = state.arrive(Arrival(ticket: 2, priority: .low), now: .zero)
        _ = state.arrive(Arrival(ticket: 3, priority: .low), now: .zero)
        _ = state.arrive(Arrival(ticket: 4, priority: .normal), now: .zero)
        #expect(state.arrive(Arrival(ticket: 5, priority: .low), now: .zero) == [.refuse(5, .queueIsFull(3))])
        #expect(state.arrive(Arrival(ticket: 6, priority: .high), now: .zero) == [.refuse(3, .displaced)])
        #expect(state.arrive(Arrival(ticket: 7, priority: .high), now: .zero) == [.refuse(2, .displaced)])
        #expect(state.arrive(Arrival(ticket: 8, priority: .normal), now: .zero) == [.refuse(8, .queueIsFull(3))])
        #expect(state.finish(1, now: .zero) == [.admit(6)])
        #expect(state.withdraw(3, now: .zero) == [])
    }

    @Test func `a waiting request is rejected at its deadline`() {
        var state = full(1)
        let actions = state.arrive(Arrival(ticket: 2, deadline: .seconds(3)), now: .zero)
        guard case .setAlarm(let setting)? = actions.first else {
            Issue.record("no alarm was set")
            return
        }
        #expect(setting.time == .seconds(3))
        #expect(state.wake(now: .seconds(3)) == [.refuse(2, .timeIsOver)])
        #expect(state.arrive(Arrival(ticket: 3, deadline: .seconds(3)), now: .seconds(3)) == [.refuse(3, .timeIsOver)])
        #expect(state.finish(1, now: .seconds(3)).isEmpty)
    }

    @Test func `each account has its own slots, and idle accounts are removed`() {
        var state = ConcurrencyLimitState(limit: 1, queueLimit: 10)
        #expect(state.arrive(Arrival(ticket: 1, account: "a"), now: .zero) == [.admit(1)])
        #expect(state.arrive(Arrival(ticket: 2, account: "b"), now: .zero) == [.admit(2)])
        #expect(state.arrive(Arrival(ticket: 3, account: "a"), now: .zero).isEmpty)
        #expect(state.finish(2, now: .zero).isEmpty)
        #expect(state.finish(1, now: .zero) == [.admit(3)])
        #expect(state.finish(3, now: .zero).isEmpty)
        #expect(state.isEmpty)
    }
}
