import TestSupport
import Testing

@testable import Errand

struct `The state of token refreshes` {
    private let old = AccessToken("old")
    private let new = AccessToken("new")
    private let date = Date(timeIntervalSince1970: 1_000_000)

    private func uses(_ state: inout RefreshState, _ token: AccessToken?, leeway: TimeInterval = 10) -> Bool {
        state.use(token, at: date, leeway: leeway) != nil
    }

    /// The failure of a request that would start a refresh.
    private func failure(_ state: inout RefreshState, at seconds: Double) -> ErrandError? {
        do throws(ErrandError) {
            try state.begin(now: .seconds(seconds))
            return nil
        } catch {
            return error
        }
    }

    @Test func `a token that is fresh and was not rejected is used`() {
        var state = RefreshState()
        #expect(uses(&state, old))
        state.reject(old)
        #expect(!uses(&state, old))
        #expect(uses(&state, new))
        #expect(!uses(&state, nil))
        #expect(uses(&state, AccessToken("other", expiresAt: date + 11)))
        #expect(!uses(&state, AccessToken("other", expiresAt: date + 10)))
    }

    @Test func `a rejected token is used again if a refresh has returned it`() {
        var state = RefreshState()
        #expect(uses(&state, old))
        state.reject(old)
        state.end(.success(old), at: date)
        #expect(uses(&state, old))
    }

    @Test func `a rejected token stays rejected after a refresh has returned another one`() {
        var state = RefreshState()
        #expect(uses(&state, old))
        state.reject(old)
        state.end(.success(new), at: date)
        #expect(!uses(&state, old))
        #expect(uses(&state, new))
    }

    @Test func `the late rejection of an older token does not hide that the current one was rejected`() {
        var state = RefreshState()
        #expect(uses(&state, old))
        state.end(.success(new), at: date)
        state.reject(new)
        state.reject(old)
        #expect(!uses(&state, new))
    }

    @Test func `the leeway is at most half of the lifetime of a new token`() {
        var state = RefreshState()
        let short = AccessToken("short", expiresAt: date + 6)
        #expect(!uses(&state, short))
        state.end(.success(short), at: date)
        #expect(uses(&state, short))
        #expect(state.use(short, at: date + 2.9, leeway: 10) == short)
        #expect(state.use(short, at: date + 3.1, leeway: 10) == nil)
    }

    @Test func `five refreshes start within any 30 seconds`() {
        var state = RefreshState()
        for second in 0..<5 { #expect(failure(&state, at: Double(second)) == nil) }
        for (second, remaining) in [(4, "26 s"), (20, "10 s"), (29.55, "0.5 s")] {
            let error = failure(&state, at: second)
            #expect(error?.code == .authenticationFailed)
            #expect(error?.reason?.hasSuffix("refreshes start within 30 s, the next one in \(remaining)") == true)
        }
        // One starts whenever the earliest is 30 seconds old.
        #expect(failure(&state, at: 30) == nil)
        #expect(failure(&state, at: 30.5)?.reason?.hasSuffix("the next one in 0.5 s") == true)
        #expect(failure(&state, at: 31) == nil)
        #expect(failure(&state, at: 31)?.reason?.hasSuffix("the next one in 1 s") == true)
        for _ in 0..<5 { #expect(failure(&state, at: 1_000) == nil) }
        #expect(failure(&state, at: 1_000) != nil)
    }

    @Test func `a request that may not start a refresh fails with the failure of the last one`() {
        var state = RefreshState()
        for _ in 0..<5 {
            #expect(failure(&state, at: 0) == nil)
            let error = ErrandError(.transportFailed, reason: "no network", underlyingError: Fault.first)
            state.end(.failure(error), at: date)
        }
        let error = failure(&state, at: 1)
        #expect(error?.code == .transportFailed)
        #expect(error?.underlyingError as? Fault == .first)
        #expect(error?.reason == "no network; at most 5 refreshes start within 30 s, the next one in 29 s")
        state.end(.success(new), at: date)
        #expect(
            failure(&state, at: 1)?.reason
                == "the last new token was rejected or has expired; at most 5 refreshes start within 30 s, "
                + "the next one in 29 s")
    }
}
