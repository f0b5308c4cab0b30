import Testing

@testable import Errand

/// The machine alone: no work is done, and nobody waits.
struct `A flight` {
    typealias Machine = Flights<String, Int>

    static func waiter() -> Machine.Waiter { Promise() }

    static func start(_ action: Machine.Action) throws -> Int {
        guard case .start(let number) = action else { throw Fault.first }
        return number
    }

    static func cancelled(_ action: Machine.Action) -> Int {
        if case .cancel(let tasks) = action { tasks.count } else { -1 }
    }

    enum Fault: Error { case first }

    @Test func `is begun by the first and joined by the rest`() throws {
        var flights = Machine()
        let number = try Self.start(flights.join("a", Self.waiter()).action)
        guard case .none = flights.join("a", Self.waiter()).action else { throw Fault.first }
        _ = try Self.start(flights.join("b", Self.waiter()).action)
        guard case .resolve(let waiters, _) = flights.finish(number, .success(1)) else { throw Fault.first }
        #expect(waiters.count == 2)
        #expect(flights.count == 1)
        _ = try Self.start(flights.join("a", Self.waiter()).action)
    }

    @Test func `is cancelled by the last to leave, and not joined from then on`() throws {
        var flights = Machine()
        let (first, action) = flights.join("a", Self.waiter())
        let number = try Self.start(action)
        _ = flights.started(number, Task {})
        let second = flights.join("a", Self.waiter()).ticket
        #expect(Self.cancelled(flights.leave(first)) == -1)
        #expect(Self.cancelled(flights.leave(second)) == 1)
        #expect(Self.cancelled(flights.leave(second)) == -1)
        let next = try Self.start(flights.join("a", Self.waiter()).action)
        guard case .resolve(let waiters, _) = flights.finish(number, .success(1)) else { throw Fault.first }
        #expect(waiters.isEmpty)
        guard case .none = flights.join("a", Self.waiter()).action else { throw Fault.first }
        #expect(next != number)
    }

    @Test func `that everybody left before it began is cancelled when it does`() throws {
        var flights = Machine()
        let (ticket, action) = flights.join("a", Self.waiter())
        let number = try Self.start(action)
        #expect(Self.cancelled(flights.leave(ticket)) == 0)
        #expect(Self.cancelled(flights.started(number, Task {})) == 1)
    }

    @Test func `that nobody waits for is one of a bounded number, which are cancelled together`() throws {
        var flights = Machine()
        for key in ["a", "b"] {
            let number = try Self.start(flights.beginUnwatched(key, limit: 2))
            _ = flights.started(number, Task {})
        }
        guard case .none = flights.beginUnwatched("c", limit: 2) else { throw Fault.first }
        let ticket = flights.join("a", Self.waiter()).ticket
        #expect(Self.cancelled(flights.cancelUnwatched()) == 1)
        #expect(flights.unwatchedCount == 0)
        #expect(Self.cancelled(flights.leave(ticket)) == 1)
    }

    @Test func `that nobody waits for goes on when one who joined has left`() throws {
        var flights = Machine()
        let number = try Self.start(flights.beginUnwatched("a", limit: 1))
        _ = flights.started(number, Task {})
        let ticket = flights.join("a", Self.waiter()).ticket
        #expect(Self.cancelled(flights.leave(ticket)) == -1)
    }

    @Test func `that is closed is not joined, and ends for those who wait`() throws {
        var flights = Machine()
        let number = try Self.start(flights.join("a", Self.waiter()).action)
        flights.close { $0 == "a" }
        let next = try Self.start(flights.join("a", Self.waiter()).action)
        guard case .resolve(let waiters, _) = flights.finish(number, .success(1)) else { throw Fault.first }
        #expect(waiters.count == 1)
        guard case .none = flights.join("a", Self.waiter()).action else { throw Fault.first }
        _ = flights.finish(next, .success(2))
        #expect(flights.count == 0)
    }
}
