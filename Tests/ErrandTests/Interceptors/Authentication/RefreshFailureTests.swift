import ErrandTesting
import TestSupport
import Testing

@testable import Errand

@Suite(.timeLimit(.minutes(1))) struct `A failed token refresh` {
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
    func `is a transport failure if the network is the reason, and is repeated at once`(
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
            }
        }
        #expect(refreshes.elements.count == 4)
    }

    @Test func `is an authentication failure for any other reason, and shows the line of its error`() async throws {
        let url = try #require(URL(string: "https://login.example.com/token?secret=1"))
        let refusal = ErrandError(.unacceptableStatusCode, reason: "400 is not accepted")
            .with(request: URLRequest(url: url))
        let send = chain { _ in throw refusal }
        let error = await expectFailure(.authenticationFailed) { try await send(limitedRequest()) }
        #expect(
            error?.reason == "the token refresh failed: "
                + "GET https://login.example.com/token?secret=***: unacceptableStatusCode: 400 is not accepted")
        #expect((error?.underlyingError as? ErrandError)?.code == .unacceptableStatusCode)
    }

    @Test func `fails requests at once during the pause after a refusal`() async throws {
        let send = chain("new") { count in
            if count == 1 { throw Fault.first }
            return AccessToken("new")
        }
        for _ in 1...3 {
            let error = await expectFailure(.authenticationFailed) { try await send(limitedRequest()) }
            #expect(error?.underlyingError as? Fault == .first)
        }
        #expect(refreshes.elements.count == 1)
        #expect(sent.elements == ["Bearer old"])
        clock.advance(by: .seconds(1))
        #expect(try await send(limitedRequest()).statusCode == 200)
        #expect(refreshes.elements.count == 2)
    }

    @Test func `is not repeated by each request if the server refuses the new tokens`() async throws {
        let send = chain { AccessToken("new\($0)") }
        #expect(try await send(limitedRequest()).statusCode == 401)
        for _ in 1...3 {
            let error = await expectFailure(.authenticationFailed) { try await send(limitedRequest()) }
            #expect(error?.reason?.contains("the server refused the new token with 401") == true)
            #expect(error?.reason?.contains("no other refresh starts for 1 s") == true)
        }
        #expect(refreshes.elements.count == 1)
        // The next token is refused, too, and the pause is twice as long.
        clock.advance(by: .seconds(1))
        await expectFailure(.authenticationFailed) { try await send(limitedRequest()) }
        clock.advance(by: .seconds(1))
        await expectFailure(.authenticationFailed) { try await send(limitedRequest()) }
        #expect(refreshes.elements.count == 2)
        #expect(sent.elements == ["Bearer old", "Bearer new1", "Bearer new2"])
    }
}
