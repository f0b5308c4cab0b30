import Errand
import ErrandTesting
import TestSupport
import Testing

/// Cancelled requests do not cancel a refresh, and a provider may ignore the cancellation after a timeout.
@Suite(.hangGuard) struct `A refresh that outlives its requests` {
    private let refreshGate = Gate()
    private let begun = Recorder<Int>()
    private let sent = Recorder<String?>()

    private func authentication(_ clock: ManualClock = ManualClock()) -> TokenAuthentication {
        TokenAuthentication(token: nil, clock: clock) { [refreshGate, begun] _ in
            begun.record(1)
            guard begun.elements.count == 1 else { return AccessToken("second") }
            await Task.detached { try? await refreshGate.pass() }.value
            return AccessToken("first")
        }
    }

    private func chain(_ authentication: TokenAuthentication) -> Next {
        Next { [sent] request in
            sent.record(request.authorization)
            return DataResponse(statusCode: 200)
        }
        .preceded(by: [authentication])
    }

    /// Cancels a request that has begun a refresh.
    private func abandonRefresh(_ send: Next) async throws {
        let task = Task { try await send(limitedRequest()) }
        try await refreshGate.waitForArrivals(1)
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
    }

    @Test func `a refresh whose requests were cancelled provides its token to the next request`() async throws {
        let authentication = authentication()
        let send = chain(authentication)
        try await abandonRefresh(send)
        let waiting = WaitingTasks(for: AccessToken.self)
        let task = waiting.observing { Task { try await send(limitedRequest()).statusCode } }
        try await waitUntil { waiting.count == 1 }
        #expect(begun.elements.count == 1)
        refreshGate.open()
        #expect(try await task.value == 200)
        #expect(begun.elements.count == 1)
        #expect(sent.elements == ["Bearer first"])
    }

    @Test func `a refresh that times out fails its requests, and the next request starts another`() async throws {
        let clock = ManualClock()
        let authentication = authentication(clock)
        let send = chain(authentication)
        try await abandonRefresh(send)
        let waiting = WaitingTasks(for: AccessToken.self)
        let task = waiting.observing { Task { try await send(limitedRequest()).statusCode } }
        try await waitUntil { waiting.count == 1 }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(60))
        await expectFailure(.timedOut) { try await task.value }
        #expect(try await send(limitedRequest()).statusCode == 200)
        #expect(sent.elements == ["Bearer second"])
        refreshGate.open()
    }

    @Test func `a late refresh does not replace a newer token`() async throws {
        let credential = StoredCredential(nil) { [refreshGate] old, _ in
            guard old == nil else { return AccessToken("newer") }
            try await refreshGate.pass()
            return AccessToken("late")
        }
        let slow = Task { try await credential.refresh(nil) }
        try await refreshGate.waitForArrivals(1)
        _ = try await credential.refresh(AccessToken("old"))
        refreshGate.open()
        #expect(try await slow.value == AccessToken("late"))
        #expect(try await credential.credential() == AccessToken("newer"))
    }
}
