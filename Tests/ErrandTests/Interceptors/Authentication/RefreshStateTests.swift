import Testing

@testable import Errand

struct `The state of a refresh` {
    private let old = AccessToken("old")
    private let new = AccessToken("new")

    private struct Failed: Error {}

    private func task() -> Task<Void, Never> { Task {} }

    private func isStart(_ action: RefreshState.Action, _ number: Int, on passages: Set<Passage> = []) -> Bool {
        if case .start(number, passages) = action { true } else { false }
    }

    private func isNone(_ action: RefreshState.Action) -> Bool {
        if case .none = action { true } else { false }
    }

    private func resolved(_ action: RefreshState.Action) -> (count: Int, token: AccessToken?)? {
        guard case .resolve(let waiters, let outcome) = action else { return nil }
        return (waiters.count, try? outcome.get())
    }

    private func refreshes(_ action: RefreshState.Action, _ token: AccessToken?) -> Bool {
        guard case .refresh(let found) = action else { return false }
        return found == token
    }

    @Test func `is one flight for all who join`() {
        var state = RefreshState()
        #expect(isStart(state.join(Promise(), refused: old).action, 1))
        for _ in 0..<999 { #expect(isNone(state.join(Promise(), refused: old).action)) }
        #expect(isNone(state.started(task(), 1)))
        #expect(refreshes(state.found(.success(old), isFresh: true, 1), old))
        let landed = resolved(state.refreshed(.success(new), 1))
        #expect(landed?.count == 1_000)
        #expect(landed?.token == new)
        #expect(isStart(state.join(Promise(), refused: new).action, 2))
    }

    @Test func `refreshes nothing that is newer than what was refused`() {
        var state = RefreshState()
        _ = state.join(Promise(), refused: old)
        #expect(resolved(state.found(.success(new), isFresh: true, 1))?.token == new)
        #expect(state.allows(new))
    }

    @Test func `refreshes what one waiter was refused with, though another was not`() {
        var state = RefreshState()
        _ = state.join(Promise(), refused: nil)
        _ = state.join(Promise(), refused: new)
        #expect(refreshes(state.found(.success(new), isFresh: true, 1), new))
    }

    @Test func `refreshes what is missing or about to expire`() {
        var state = RefreshState()
        _ = state.join(Promise(), refused: nil)
        #expect(refreshes(state.found(.success(nil), isFresh: false, 1), nil))
        _ = state.refreshed(.success(old), 1)
        _ = state.join(Promise(), refused: nil)
        #expect(refreshes(state.found(.success(old), isFresh: false, 2), old))
    }

    @Test func `keeps new requests waiting while it lasts`() {
        var state = RefreshState()
        #expect(state.allows(old))
        _ = state.join(Promise(), refused: old)
        #expect(!state.allows(old))
        _ = state.found(.success(old), isFresh: true, 1)
        #expect(!state.allows(new))
        _ = state.refreshed(.failure(Failed()), 1)
        #expect(state.allows(old))
    }

    @Test func `fails everybody once, and may be tried again`() {
        var state = RefreshState()
        _ = state.join(Promise(), refused: old)
        _ = state.join(Promise(), refused: nil)
        _ = state.found(.success(old), isFresh: true, 1)
        let landed = resolved(state.refreshed(.failure(Failed()), 1))
        #expect(landed?.count == 2)
        #expect(landed?.token == nil)
        #expect(isNone(state.refreshed(.failure(Failed()), 1)))
        #expect(isStart(state.join(Promise(), refused: old).action, 2))
    }

    @Test func `is cancelled when the last has left, and not before`() {
        var state = RefreshState()
        let (one, _) = state.join(Promise(), refused: old)
        let (two, _) = state.join(Promise(), refused: old)
        let flight = task()
        _ = state.started(flight, 1)
        #expect(isNone(state.leave(one)))
        #expect(isNone(state.leave(one)))
        guard case .cancel(flight) = state.leave(two) else {
            Issue.record("the flight goes on")
            return
        }
        #expect(isNone(state.returned(1)))
        #expect(isStart(state.join(Promise(), refused: old).action, 2))
        // What the one that was given up says is of no interest.
        #expect(isNone(state.found(.success(new), isFresh: true, 1)))
        #expect(isNone(state.refreshed(.success(new), 1)))
        #expect(resolved(state.found(.success(new), isFresh: true, 2))?.count == 1)
    }

    @Test func `is cancelled once it has started when all have left before`() {
        var state = RefreshState()
        let (ticket, _) = state.join(Promise(), refused: old)
        #expect(isNone(state.leave(ticket)))
        let flight = task()
        guard case .cancel(flight) = state.started(flight, 1) else {
            Issue.record("the flight goes on")
            return
        }
    }

    @Test func `that is over before it was told to have started leaves the next alone`() {
        var state = RefreshState()
        _ = state.join(Promise(), refused: old)
        _ = state.found(.success(new), isFresh: true, 1)
        let (ticket, _) = state.join(Promise(), refused: new)
        #expect(isNone(state.started(task(), 1)))
        let flight = task()
        #expect(isNone(state.started(flight, 2)))
        guard case .cancel(flight) = state.leave(ticket) else {
            Issue.record("another flight was taken for it")
            return
        }
    }

    @Test func `does not begin another before the provider has come back from one that was given up`() {
        let (first, second) = (Passage(ConcurrencyLimit(1), account: "1"), Passage(ConcurrencyLimit(1), account: "2"))
        var state = RefreshState()
        let (ticket, start) = state.join(Promise(), refused: old, passages: [first])
        #expect(isStart(start, 1, on: [first]))
        _ = state.started(task(), 1)
        _ = state.leave(ticket)
        #expect(!state.allows(new))
        #expect(isNone(state.join(Promise(), refused: old, passages: [first]).action))
        #expect(isNone(state.join(Promise(), refused: old, passages: [second]).action))
        #expect(isNone(state.found(.success(new), isFresh: true, 1)))
        #expect(isStart(state.returned(1), 2, on: [first, second]))
        #expect(isNone(state.returned(1)))
        #expect(resolved(state.found(.success(new), isFresh: true, 2))?.count == 2)
    }

    @Test func `does not wait for ever for a provider that does not come back`() {
        var state = RefreshState()
        let (ticket, _) = state.join(Promise(), refused: old)
        _ = state.started(task(), 1)
        _ = state.leave(ticket)
        let (another, _) = state.join(Promise(), refused: old)
        #expect(isStart(state.ranOut(1), 2))
        #expect(isNone(state.started(task(), 1)))
        #expect(isNone(state.returned(1)))
        _ = state.started(task(), 2)
        _ = state.leave(another)
        #expect(isNone(state.ranOut(2)))
        #expect(state.allows(new))
    }

    @Test func `fails everybody when a call takes too long`() {
        var state = RefreshState()
        _ = state.join(Promise(), refused: old)
        _ = state.started(task(), 1)
        let landed = resolved(state.ranOut(1))
        #expect(landed?.count == 1)
        #expect(landed?.token == nil)
        #expect(isNone(state.ranOut(1)))
        #expect(isNone(state.refreshed(.success(new), 1)))
        #expect(isStart(state.join(Promise(), refused: old).action, 2))
    }

    @Test func `remembers what was refused while nobody could wait`() {
        var state = RefreshState()
        state.remember(refused: old)
        #expect(!state.allows(old))
        #expect(state.allows(new))
        _ = state.join(Promise(), refused: nil)
        #expect(refreshes(state.found(.success(old), isFresh: true, 1), old))
        _ = state.refreshed(.success(old), 1)
        // The provider says that it is as good as new: it is the server's to say otherwise.
        #expect(state.allows(old))
    }
}
