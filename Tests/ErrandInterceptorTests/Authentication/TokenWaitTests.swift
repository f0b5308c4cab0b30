import Errand
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `The wait for a token` {
    private let clock = ManualClock()
    private let refreshGate = Gate()
    private let sent = Recorder<Duration?>()

    private func authentication(_ token: String? = nil) -> TokenAuthentication {
        TokenAuthentication(token: token.map { AccessToken($0) }, clock: clock) { [refreshGate] _ in
            try await refreshGate.pass()
            return AccessToken("new")
        }
    }

    /// A server that rejects the old token after four seconds.
    private func chain(_ authentication: TokenAuthentication) -> Next {
        Next { [sent, clock] request in
            sent.record(request.resourceTimeout)
            guard request.authorization == "Bearer old" else { return DataResponse(statusCode: 200) }
            clock.advance(by: .seconds(4))
            return DataResponse(statusCode: 401)
        }
        .preceded(by: [authentication])
    }

    @Test(arguments: [nil, "old"])
    func `the wait for a token ends at the resource timeout of the request`(_ token: String?) async throws {
        let authentication = authentication(token)
        let send = chain(authentication)
        let waiting = WaitingTasks(for: AccessToken.self)
        let task = waiting.observing { Task { try await send(limitedRequest(resourceTimeout: .seconds(10))) } }
        try await refreshGate.waitForArrivals(1)
        // The sleepers are the time limits of the request and of the refresh.
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(token == nil ? 10 : 6))
        let error = await expectFailure(.timedOut) { try await task.value }
        #expect(error?.reason == "the resourceTimeout passed while it waited for a token")
        #expect(error?.attempts == (token == nil ? 0 : 1))
        #expect(error?.url?.host == "api.example.com")
        #expect(sent.elements.count == (token == nil ? 0 : 1))
        // The time limit ends the request first, and the wait right after it.
        try await waitUntil { waiting.count == 0 }
    }

    @Test func `the timeout of one request does not affect others that wait for the same token`() async throws {
        let authentication = authentication()
        let send = chain(authentication)
        let waiting = WaitingTasks(for: AccessToken.self)
        let hasty = waiting.observing { Task { try await send(limitedRequest(resourceTimeout: .seconds(10))) } }
        try await refreshGate.waitForArrivals(1)
        try await clock.waitForSleepers(2)
        let patient = waiting.observing {
            Task { try await send(limitedRequest(resourceTimeout: .seconds(30))).statusCode }
        }
        try await clock.waitForSleepers(3)
        try await waitUntil { waiting.count == 2 }
        clock.advance(by: .seconds(10))
        await expectFailure(.timedOut) { try await hasty.value }
        refreshGate.open()
        #expect(try await patient.value == 200)
        #expect(sent.elements == [.seconds(20)])
    }

    @Test(arguments: [nil, "old"])
    func `the wait for a token reduces the resource timeout of the request that follows`(
        _ token: String?
    ) async throws {
        let send = chain(authentication(token))
        let task = Task { try await send(limitedRequest(resourceTimeout: .seconds(10))).statusCode }
        try await refreshGate.waitForArrivals(1)
        clock.advance(by: .seconds(3))
        refreshGate.open()
        #expect(try await task.value == 200)
        #expect(sent.elements == (token == nil ? [.seconds(7)] : [.seconds(10), .seconds(3)]))
    }

    @Test func `an available token does not change the resource timeout`() async throws {
        let send = chain(authentication("new"))
        _ = try await send(limitedRequest(resourceTimeout: .seconds(10)))
        #expect(sent.elements == [.seconds(10)])
    }
}
