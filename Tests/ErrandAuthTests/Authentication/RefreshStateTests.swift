import TestSupport
import Testing

@testable import Errand

struct `The state of token refreshes` {
    private let old = AccessToken("old")
    private let new = AccessToken("new")
    private let third = AccessToken("third")

    private let refused = ErrandError(.authenticationFailed)

    private func used(_ decision: RefreshState.Decision) -> AccessToken? {
        if case .use(let token) = decision { token } else { nil }
    }

    private func refreshes(_ decision: RefreshState.Decision) -> Bool {
        if case .refresh = decision { true } else { false }
    }

    private func pause(_ decision: RefreshState.Decision) -> Duration? {
        if case .fail(let pause) = decision { pause.remaining } else { nil }
    }

    @Test func `a token that is fresh and was not rejected is used`() {
        var state = RefreshState()
        #expect(state.refuse(old, now: .zero)?.remaining == nil)
        #expect(used(state.decide(on: new, isFresh: true, now: .zero)) == new)
        #expect(refreshes(state.decide(on: old, isFresh: true, now: .zero)))
        #expect(refreshes(state.decide(on: new, isFresh: false, now: .zero)))
        #expect(refreshes(state.decide(on: nil, isFresh: false, now: .zero)))
    }

    @Test func `a rejected token is used again if a refresh has returned it`() {
        var state = RefreshState()
        #expect(state.refuse(old, now: .zero)?.remaining == nil)
        state.refreshed(old, at: .distantPast)
        #expect(!state.isRefused(old))
        #expect(used(state.decide(on: old, isFresh: true, now: .zero)) == old)
    }

    @Test func `the last eight rejected tokens are remembered`() {
        var state = RefreshState()
        for number in 0..<9 { _ = state.refuse(AccessToken("\(number)"), now: .zero) }
        #expect(!state.isRefused(AccessToken("0")))
        #expect(state.isRefused(AccessToken("1")))
        #expect(state.isRefused(AccessToken("8")))
    }

    @Test func `the pause after consecutive rejected refreshes doubles from 1 to 60 seconds`() {
        var state = RefreshState()
        var now = Duration.zero
        for length in [1, 2, 4, 8, 16, 32, 60, 60] {
            #expect(refreshes(state.decide(on: old, isFresh: false, now: now)))
            state.failed(refused, current: old, now: now)
            #expect(pause(state.decide(on: old, isFresh: false, now: now)) == .seconds(length))
            now += .seconds(length) - .milliseconds(1)
            #expect(pause(state.decide(on: old, isFresh: false, now: now)) == .milliseconds(1))
            now += .milliseconds(1)
        }
    }

    @Test func `a failed refresh that was not rejected causes no pause`() {
        var state = RefreshState()
        let failures: [any Error] = [
            ErrandError(.transportFailed), ErrandError(.timedOut), URLError(.notConnectedToInternet),
            ErrandError(.rateLimited), ErrandError(.unacceptableStatusCode), Fault.first,
        ]
        for failure in failures {
            state.failed(failure, current: old, now: .zero)
            #expect(refreshes(state.decide(on: old, isFresh: false, now: .zero)))
        }
    }

    @Test func `a pause begins when the server rejects a new token, and grows with the next`() {
        var state = RefreshState()
        state.refreshed(new, at: .distantPast)
        #expect(state.refuse(new, now: .zero)?.remaining == .seconds(1))
        #expect(state.refuse(new, now: .milliseconds(999))?.remaining == .milliseconds(1))
        #expect(pause(state.decide(on: new, isFresh: false, now: .zero)) == .seconds(1))
        #expect(state.refuse(new, now: .seconds(1))?.remaining == nil)
        #expect(refreshes(state.decide(on: new, isFresh: true, now: .seconds(1))))
        state.refreshed(third, at: .distantPast)
        #expect(state.refuse(third, now: .seconds(1))?.remaining == .seconds(2))
    }

    @Test func `other requests use a new token that was rejected once`() {
        var state = RefreshState()
        state.refreshed(new, at: .distantPast)
        #expect(state.refuse(new, now: .zero)?.remaining != nil)
        #expect(!state.isRefused(new))
        #expect(used(state.decide(on: new, isFresh: true, now: .zero)) == new)
    }

    @Test func `the pause is shortened when another request succeeds with the token`() {
        var state = RefreshState()
        state.refreshed(new, at: .distantPast)
        #expect(state.refuse(new, now: .zero)?.remaining != nil)
        #expect(state.refuse(new, now: .seconds(1))?.remaining == nil)
        state.refreshed(third, at: .distantPast)
        #expect(state.refuse(third, now: .seconds(1))?.remaining == .seconds(2))
        state.accept(third, now: .seconds(1))
        #expect(state.refuse(third, now: .seconds(1))?.remaining == .seconds(1))
        #expect(state.refuse(third, now: .seconds(2))?.remaining == nil)
        // The sequence of refusals has ended.
        state.refreshed(new, at: .distantPast)
        #expect(state.refuse(new, now: .seconds(2))?.remaining == .seconds(1))
    }

    @Test func `a rejected token that was accepted before causes no pause`() {
        var state = RefreshState()
        state.refreshed(new, at: .distantPast)
        _ = state.refuse(new, now: .zero)
        state.refreshed(third, at: .distantPast)
        state.accept(third, now: .zero)
        #expect(state.refuse(third, now: .zero)?.remaining == nil)
        #expect(refreshes(state.decide(on: third, isFresh: true, now: .zero)))
        state.failed(refused, current: third, now: .zero)
        #expect(pause(state.decide(on: third, isFresh: true, now: .zero)) == .seconds(1))
    }

    @Test func `a pause ends when the provider has another token`() {
        var state = RefreshState()
        for _ in 0..<3 { state.failed(refused, current: old, now: .zero) }
        #expect(used(state.decide(on: new, isFresh: true, now: .zero)) == new)
        #expect(refreshes(state.decide(on: new, isFresh: false, now: .zero)))
        state.failed(refused, current: new, now: .zero)
        #expect(pause(state.decide(on: new, isFresh: false, now: .zero)) == .seconds(1))
        #expect(refreshes(state.decide(on: nil, isFresh: false, now: .zero)))
    }
}
