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
        if case .cancel(let task) = action { task == nil ? 0 : 1 } else { -1 }
    }

    private static func resolved(_ action: Machine.Action) -> Int {
        if case .resolve(let waiters, _) = action { waiters.count } else { -1 }
    }

    private static func isNone(_ action: Machine.Action) -> Bool {
        if case .none = action { true } else { false }
    }

    @Test func `the first waiter of a key starts a run, and later waiters join it`() throws {
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

    @Test func `a run is cancelled with its last waiter, and the next waiter starts a new one`() throws {
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

    @Test func `a run whose waiters left before it starts is cancelled as it starts`() throws {
        var state = Machine()
        let (ticket, action) = state.join("a", Self.waiter())
        let number = try Self.start(action)
        #expect(Self.cancelled(state.leave(ticket)) == 0)
        #expect(Self.cancelled(state.started(number, Task {})) == 1)
    }

    @Test func `a run can continue without waiters`() throws {
        var state = Machine(cancelsWhenLeft: false)
        let (ticket, action) = state.join("a", Self.waiter())
        let number = try Self.start(action)
        _ = state.started(number, Task {})
        #expect(Self.isNone(state.leave(ticket)))
        #expect(Self.isNone(state.join("a", Self.waiter()).action))
        #expect(Self.resolved(state.finish(number, .success(1))) == 1)
    }

    @Test func `an outcome can be kept, unless the waiters of its run left`() throws {
        var state = Machine(keepsOutcome: true)
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

    @Test func `a waiter that left but awaits the outcome receives it`() throws {
        var state = Machine()
        let (ticket, action) = state.join("a", Self.waiter())
        let number = try Self.start(action)
        #expect(Self.cancelled(state.leave(ticket, awaitsOutcome: true)) == 0)
        #expect(state.waiterCount == 0)
        #expect(Self.resolved(state.finish(number, .success(1))) == 1)
    }
}
