import Errand
import ErrandAuth
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `An OAuth error of a token refresh` {
    @Test(arguments: [
        (OAuthError(.invalidGrant, statusCode: 400), true), (OAuthError(.accessDenied), true),
        (OAuthError(.invalidClient, statusCode: 200), true), (OAuthError(.temporarilyUnavailable), false),
        (OAuthError(.invalidRequest, statusCode: 429), false), (OAuthError(.invalidRequest, statusCode: 503), false),
    ])
    func `a refresh with an OAuth error is rejected unless the server failed`(_ cause: OAuthError, _ refuses: Bool)
        async throws
    {
        let refreshes = Recorder<Int>()
        let authentication = TokenAuthentication(token: AccessToken("old"), clock: ManualClock()) { _ in
            refreshes.record(1)
            throw cause
        }
        let send = Next { _ in DataResponse(statusCode: 401) }.preceded(by: [authentication])
        for _ in 1...2 {
            let code = refuses ? ErrandError.Code.authenticationFailed : .unacceptableStatusCode
            let error = await expectFailure(code) { try await send(limitedRequest()) }
            #expect(error?.underlyingError as? OAuthError == cause)
            #expect(error?.reason?.contains(cause.code.rawValue) == true)
        }
        #expect(refreshes.elements.count == 2)
    }
}
