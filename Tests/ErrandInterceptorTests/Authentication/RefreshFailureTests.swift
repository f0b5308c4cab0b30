import Errand
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `A failed token refresh` {
    private let clock = ManualClock()
    private let refreshes = Recorder<Int>()
    private let sent = Recorder<String?>()

    private func chain(
        _ accepted: String? = nil, _ refresh: @escaping @Sendable (Int) throws -> AccessToken
    ) -> Next {
        let authentication = TokenAuthentication(token: AccessToken("old"), clock: clock) { [refreshes] _ in
            refreshes.record(1)
            return try refresh(refreshes.elements.count)
        }
        return Next { [sent] request in
            sent.record(request.authorization)
            return DataResponse(statusCode: request.authorization == accepted.map { "Bearer \($0)" } ? 200 : 401)
        }
        .preceded(by: [authentication])
    }

    @Test(arguments: [URLError.Code.notConnectedToInternet, .timedOut])
    func `a network failure of a refresh is a transport failure, and the next request tries again`(
        _ code: URLError.Code
    ) async throws {
        let asIs = chain { _ in throw URLError(code) }
        let asErrandError = chain { _ in throw ErrandError(transportFailure: URLError(code)) }
        for send in [asIs, asErrandError] {
            for _ in 1...2 {
                let expected: ErrandError.Code = code == .timedOut ? .timedOut : .transportFailed
                let error = await expectFailure(expected) { try await send(limitedRequest()) }
                #expect((error?.underlyingError as? URLError)?.code == code)
                #expect(error?.reason?.hasPrefix("the token refresh failed: ") == true)
                // The cause is shown once, even if the reason quotes it.
                #expect(error?.description.components(separatedBy: "URLError").count == (code == .timedOut ? 1 : 2))
            }
        }
        #expect(refreshes.elements.count == 4)
    }

    @Test func `a rejected refresh is an authentication failure without secrets of the token server`() async throws {
        let url = try #require(URL(string: "https://login.example.com/token?secret=1"))
        var refusal = ErrandError(.unacceptableStatusCode, reason: "the status is 400, not 200 to 299")
            .with(request: URLRequest(url: url))
        refusal.statusCode = 400
        let send = chain { [refusal] _ in throw refusal }
        let error = await expectFailure(.authenticationFailed) { try await send(limitedRequest()) }
        #expect(
            error?.reason == "the token refresh failed: "
                + "GET https://login.example.com/token?secret=***: unacceptableStatusCode: "
                + "the status is 400, not 200 to 299")
        #expect((error?.underlyingError as? ErrandError)?.code == .unacceptableStatusCode)
    }

    @Test func `the next request after a rejected refresh begins with another one`() async throws {
        let send = chain("new") { count in
            if count == 1 {
                throw ErrandError(.authenticationFailed, reason: "signed out", underlyingError: Fault.first)
            }
            return AccessToken("new")
        }
        let error = await expectFailure(.authenticationFailed) { try await send(limitedRequest()) }
        #expect(error?.reason?.contains("signed out") == true)
        #expect(((error?.underlyingError as? ErrandError)?.underlyingError as? Fault) == .first)
        // The rejected token is not sent again.
        #expect(try await send(limitedRequest()).statusCode == 200)
        #expect(sent.elements == ["Bearer old", "Bearer new"])
        #expect(refreshes.elements.count == 2)
    }

    @Test func `a new token that the server has rejected is not sent again`() async throws {
        let send = chain("new2") { AccessToken("new\($0)") }
        #expect(try await send(limitedRequest()).statusCode == 401)
        #expect(try await send(limitedRequest()).statusCode == 200)
        #expect(sent.elements == ["Bearer old", "Bearer new1", "Bearer new2"])
        #expect(refreshes.elements.count == 2)
    }
}
