import ErrandTesting
import TestSupport
import Testing

@testable import Errand

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

    /// A request of the provider, whose failures have a custom type.
    private static func grant(_ result: Result<Int, any Error>) async throws(Fault) -> AccessToken {
        let request = APIBase()
        request.url = URL(string: "https://login.example.com/token")
        request.method = .post
        request.dataTaskPipeline = Pipeline { () async throws(any Error) in DataResponse(statusCode: try result.get()) }
        _ = try await request.startRequest().validateStatusCode(in: 200..<300).mapError { _ in Fault.first }.value
        return AccessToken("new")
    }

    private func authentication(_ refresh: @escaping @Sendable () async throws -> AccessToken) -> Next {
        Next { _ in DataResponse(statusCode: 401) }
            .preceded(by: [TokenAuthentication(token: AccessToken("old"), clock: clock) { _ in try await refresh() }])
    }

    @Test func `a network failure of a refresh is a transport failure even if mapError replaces it`() async throws {
        let send = authentication { try await Self.grant(.failure(URLError(.cannotConnectToHost))) }
        let error = await expectFailure(.transportFailed) { try await send(limitedRequest()) }
        #expect((error?.underlyingError as? URLError)?.code == .cannotConnectToHost)
        // A later request of the provider had a response.
        let other = authentication {
            _ = try? await Self.grant(.failure(URLError(.cannotConnectToHost)))
            return try await Self.grant(.success(400))
        }
        let refusal = await expectFailure(.authenticationFailed) { try await other(limitedRequest()) }
        #expect(refusal?.underlyingError as? Fault == .first)
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

    @Test func `requests fail at once during the pause after a rejected refresh`() async throws {
        let send = chain("new") { count in
            if count == 1 {
                throw ErrandError(.authenticationFailed, reason: "signed out", underlyingError: Fault.first)
            }
            return AccessToken("new")
        }
        for _ in 1...3 {
            let error = await expectFailure(.authenticationFailed) { try await send(limitedRequest()) }
            #expect(error?.reason?.contains("signed out") == true)
            #expect(((error?.underlyingError as? ErrandError)?.underlyingError as? Fault) == .first)
        }
        #expect(refreshes.elements.count == 1)
        #expect(sent.elements == ["Bearer old"])
        clock.advance(by: .seconds(1))
        #expect(try await send(limitedRequest()).statusCode == 200)
        #expect(refreshes.elements.count == 2)
    }

    @Test func `requests do not refresh again at once if the server rejects the new token`() async throws {
        let send = chain { AccessToken("new\($0)") }
        #expect(try await send(limitedRequest()).statusCode == 401)
        for _ in 1...3 {
            let error = await expectFailure(.authenticationFailed) { try await send(limitedRequest()) }
            #expect(error?.reason?.contains("the server refused the new token") == true)
            #expect(error?.reason?.contains("no other refresh starts for 1 s") == true)
        }
        #expect(refreshes.elements.count == 1)
        #expect(sent.elements == ["Bearer old"] + Array(repeating: "Bearer new1", count: 4))
        // The next token is rejected, too, and the pause is twice as long.
        clock.advance(by: .seconds(1))
        #expect(try await send(limitedRequest()).statusCode == 401)
        clock.advance(by: .seconds(1))
        await expectFailure(.authenticationFailed) { try await send(limitedRequest()) }
        #expect(refreshes.elements.count == 2)
        #expect(sent.elements.suffix(3) == ["Bearer new1", "Bearer new2", "Bearer new2"])
    }

    @Test func `a resource that rejects every token does not affect other requests`() async throws {
        let authentication = TokenAuthentication(token: AccessToken("old"), clock: clock) { [refreshes] _ in
            refreshes.record(1)
            return AccessToken("new\(refreshes.elements.count)")
        }
        let send = Next { [refreshes] request in
            let isLocked = request.urlRequest.url?.path == "/locked"
            let isAccepted = request.authorization == "Bearer new\(refreshes.elements.count)"
            return DataResponse(statusCode: isAccepted && !isLocked ? 200 : 401)
        }
        .preceded(by: [authentication])
        var locked = limitedRequest()
        locked.urlRequest.url = URL(string: "https://api.example.com/locked")
        for round in 1...3 {
            #expect(try await send(locked).statusCode == 401)
            #expect(refreshes.elements.count == round)
            for _ in 1...3 { #expect(try await send(limitedRequest()).statusCode == 200) }
            // No other refresh starts during the pause, and the token remains valid.
            await expectFailure(.authenticationFailed) { try await send(locked) }
            #expect(try await send(limitedRequest()).statusCode == 200)
            #expect(refreshes.elements.count == round)
            clock.advance(by: .seconds(1))
            #expect(try await send(limitedRequest()).statusCode == 200)
            #expect(refreshes.elements.count == round)
        }
    }
}
