import Errand
import Testing

@testable import ErrandAuth

struct `The state of an OAuth session` {
    private let first = OAuthTokens(accessToken: AccessToken("a1"), refreshToken: "r1")
    private let second = OAuthTokens(accessToken: AccessToken("a2"), refreshToken: "r2")

    /// The action of the next refresh, as text.
    private func step(_ state: OAuthSessionState, _ old: String?) -> String {
        switch state.step(replacing: old.map { AccessToken($0) }) {
        case .use(let token): "use \(token.value)"
        case .save(let tokens): "save \(tokens.accessToken.value)"
        case .request(let tokens): "request \(tokens.refreshToken ?? "nothing")"
        case .fail(let error): "fail: \(error)"
        }
    }

    private var signedIn: OAuthSessionState {
        var state = OAuthSessionState()
        state.loaded(first)
        return state
    }

    @Test func `a refresh requests new tokens only if the caller used the current ones`() {
        #expect(step(signedIn, "a1") == "request r1")
        #expect(step(signedIn, "a0") == "use a1")
        #expect(step(signedIn, nil) == "use a1")
        #expect(step(OAuthSessionState(), nil).hasPrefix("fail: authenticationFailed"))
    }

    @Test func `received tokens are not used before they are saved`() {
        var state = signedIn
        let isInTime = state.received(second, in: 0)
        #expect(isInTime && state.tokens == first)
        // The store has failed.
        #expect(step(state, "a1") == "save a2")
        let isSaved = state.saved(second, in: 0)
        #expect(isSaved && state.tokens == second)
        #expect(step(state, "a2") == "request r2")
    }

    @Test func `results received after a sign-out are dropped`() {
        var state = signedIn
        state.signOut()
        let results = [state.received(second, in: 0), state.saved(second, in: 0)]
        #expect(results == [false, false])
        state.rejected(OAuthError(.invalidGrant), in: 0)
        state.loaded(first)
        #expect(state.tokens == nil)
        #expect(step(state, "a1").hasPrefix("fail: authenticationFailed"))
    }

    @Test func `refresh results are dropped after a sign-in began, and old tokens stay in use`() {
        var state = signedIn
        let revision = state.beginSignIn()
        let isInTime = state.received(OAuthTokens(accessToken: AccessToken("late")), in: 0)
        #expect(!isInTime && state.tokens == first)
        let isSaved = state.saved(second, in: revision)
        #expect(isSaved && step(state, "a1") == "use a2")
    }

    @Test func `a rejected refresh token is not sent again`() {
        var state = signedIn
        state.rejected(OAuthError(.invalidGrant), in: 0)
        #expect(step(state, "a1") == "fail: invalid_grant")
        let revision = state.beginSignIn()
        let isSaved = state.saved(second, in: revision)
        #expect(isSaved && step(state, "a2") == "request r2")
    }

    @Test func `stored tokens loaded after a sign-in are ignored`() {
        var state = OAuthSessionState()
        let revision = state.beginSignIn()
        _ = state.saved(second, in: revision)
        state.loaded(first)
        #expect(state.tokens == second)
    }
}
