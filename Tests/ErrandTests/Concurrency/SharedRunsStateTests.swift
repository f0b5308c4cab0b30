import Testing

@testable import Errand

/// The state machine alone, without running work or waiting tasks.
struct `The state of shared runs` {
    typealias Machine = SharedRunsState<String, Int, any Error>

    private enum Fault: Error { case unexpectedAction }

    private static func waiter() -> Machine.Waiter { PipelinePromise() }

    private static func start(_ action: Machine.Action) throws -> Int {
        guard case .start(let number) = action else { throw Fault.unexpectedAction }
        return number
    }

    private static func cancelled(_ action: Machine.Action) -> Int {
        if case .cancel(let tasks) = action { tasks.count } else { -1 }
    }

    private static func resolved(_ action: Machine.Action) -> Int {
        if case .resolve(let waiters, _) = action { waiters.count } else { -1 }
    }

    private static func isNone(_ action: Machine.Action) -> Bool {
        if case .none = action { true } else { false }
    }

    @Test func `start a run with the first waiter of a key, and the others join it`() throws {
        var state = Machine()
        let number = try Self.start(state.join("a", Self.waiter()).action)
        #expect(Self.isNone(state.join("a", Self.waiter()).action))
        _ = try Self.start(state.join("b", Self.waiter()).action)
        #expect(Self.resolved(state.finish(number, .success(1))) == 2)
        #expect(Self.isNone(state.finish(number, .success(1))))
        #expect(state.count == 1)
        #expect(state.waiterCount == 1)
        _ = try Self.start(state.join("a", Self.waiter()).action)
    }

    @Test func `cancel a run with its last waiter, and start another for the next`() throws {
        var state = Machine()
        let (first, action) = state.join("a", Self.waiter())
        let number = try Self.start(action)
        #expect(Self.isNone(state.started(number, Task {})))
        let second = state.join("a", Self.waiter()).ticket
        #expect(Self.isNone(state.leave(first)))
        #expect(Self.cancelled(state.leave(second)) == 1)
        #expect(Self.isNone(state.leave(second)))
        let next = try Self.start(state.join("a", Self.waiter()).action)
        #expect(next != number)
        #expect(Self.resolved(state.finish(number, .success(1))) == 0)
        #expect(Self.isNone(state.join("a", Self.waiter()).action))
    }

    @Test func `cancel a run as it starts if its waiters left before`() throws {
        var state = Machine()
        let (ticket, action) = state.join("a", Self.waiter())
        let number = try Self.start(action)
        #expect(Self.cancelled(state.leave(ticket)) == 0)
        #expect(Self.cancelled(state.started(number, Task {})) == 1)
    }

    @Test func `leave a run alone that goes on without waiters`() throws {
        var state = Machine(.init(cancelsWhenLeft: false))
        let (ticket, action) = state.join("a", Self.waiter())
        let number = try Self.start(action)
        _ = state.started(number, Task {})
        #expect(Self.isNone(state.leave(ticket)))
        #expect(Self.isNone(state.join("a", Self.waiter()).action))
        #expect(Self.resolved(state.finish(number, .success(1))) == 1)
    }

    @Test func `keep an outcome if told so, but not that of a run whose waiters left`() throws {
        var state = Machine(.init(keepsOutcome: true))
        let (ticket, action) = state.join("a", Self.waiter())
        let abandoned = try Self.start(action)
        _ = state.started(abandoned, Task {})
        _ = state.leave(ticket)
        _ = state.finish(abandoned, .success(1))
        let number = try Self.start(state.join("a", Self.waiter()).action)
        _ = state.finish(number, .success(2))
        guard case .resolve(let waiters, .success(2)) = state.join("a", Self.waiter()).action else {
            throw Fault.unexpectedAction
        }
        #expect(waiters.count == 1)
        _ = try Self.start(state.join("b", Self.waiter()).action)
    }

    @Test func `give the outcome to a waiter that left and still needs it`() throws {
        var state = Machine()
        let (ticket, action) = state.join("a", Self.waiter())
        let number = try Self.start(action)
        #expect(Self.cancelled(state.leave(ticket, awaitsOutcome: true)) == 0)
        #expect(state.waiterCount == 0)
        #expect(Self.resolved(state.finish(number, .success(1))) == 1)
    }

    @Test func `start another run for a waiter of a higher rank, which later waiters join`() throws {
        var state = Machine()
        let low = try Self.start(state.join("a", rank: 0, Self.waiter()).action)
        let high = try Self.start(state.join("a", rank: 2, Self.waiter()).action)
        #expect(Self.isNone(state.join("a", rank: 1, Self.waiter()).action))
        #expect(Self.resolved(state.finish(low, .success(1))) == 1)
        #expect(Self.isNone(state.join("a", rank: 0, Self.waiter()).action))
        #expect(Self.resolved(state.finish(high, .success(2))) == 3)
        #expect(state.count == 0)
    }

    @Test func `bound the background runs, and cancel those without waiters together`() throws {
        var state = Machine()
        for key in ["a", "b"] {
            let number = try Self.start(state.beginInBackground(key, limit: 2))
            _ = state.started(number, Task {})
        }
        #expect(Self.isNone(state.beginInBackground("c", limit: 2)))
        let ticket = state.join("a", Self.waiter()).ticket
        #expect(Self.cancelled(state.cancelBackground()) == 1)
        #expect(state.backgroundCount == 0)
        #expect(Self.cancelled(state.leave(ticket)) == 1)
    }

    @Test func `leave a background run alone when a waiter of it leaves`() throws {
        var state = Machine()
        let number = try Self.start(state.beginInBackground("a", limit: 1))
        _ = state.started(number, Task {})
        let ticket = state.join("a", Self.waiter()).ticket
        #expect(Self.isNone(state.leave(ticket)))
    }

    @Test func `let nobody join a closed run, which ends for those who wait already`() throws {
        var state = Machine()
        let number = try Self.start(state.join("a", Self.waiter()).action)
        state.close { $0 == "a" }
        let next = try Self.start(state.join("a", Self.waiter()).action)
        #expect(Self.resolved(state.finish(number, .success(1))) == 1)
        #expect(Self.isNone(state.join("a", Self.waiter()).action))
        _ = state.finish(next, .success(2))
        #expect(state.count == 0)
    }
}
