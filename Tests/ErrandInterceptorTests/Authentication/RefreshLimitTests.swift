import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

/// The rule against loops: at most five refreshes within 30 seconds.
@Suite(.hangGuard) struct `The limit of token refreshes` {
    private let clock = ManualClock()
    private let sent = Recorder<String?>()

    /// Numbers its tokens, or fails.
    private actor Issuer: CredentialProvider {
        var token: AccessToken?
        private(set) var refreshes = 0
        private let failure: (any Error)?
        /// The number of the request for which the token is read, also by the refresh that the request starts.
        @TaskLocal static var request: Int?
        /// The numbers of the requests for which the token was read. A refresh reads it again, and waits at the gate.
        private var readers: Set<Int> = []
        nonisolated let gate = Gate()

        init(_ token: AccessToken? = nil, failing failure: (any Error)? = nil) {
            self.token = token
            self.failure = failure
        }

        func credential() async throws -> AccessToken? {
            if let request = Self.request, !readers.insert(request).inserted { try await gate.pass() }
            return token
        }

        func refresh(_ old: AccessToken?) async throws -> AccessToken {
            refreshes += 1
            if let failure { throw failure }
            let new = AccessToken("\(refreshes)")
            token = new
            return new
        }

        func signIn() { token = AccessToken("user") }
    }

    /// Sends to a server that accepts one token.
    private func chain(_ issuer: Issuer, accepts accepted: String? = nil) -> (TokenAuthentication, Next) {
        let authentication = TokenAuthentication(issuer, clock: clock)
        let server = Next { [sent] request in
            sent.record(request.authorization)
            return DataResponse(statusCode: request.authorization == accepted.map { "Bearer \($0)" } ? 200 : 401)
        }
        return (authentication, server.preceded(by: [authentication]))
    }

    @Test func `a server that rejects every token causes five refreshes in 30 seconds`() async throws {
        let issuer = Issuer(AccessToken("0"))
        let (_, send) = chain(issuer)
        // The first request starts one refresh. Each other one starts two, because it begins with a rejected token.
        for _ in 1...3 { #expect(try await send(limitedRequest()).statusCode == 401) }
        for _ in 1...100 {
            let error = await expectFailure(.authenticationFailed) { try await send(limitedRequest()) }
            #expect(
                error?.reason == "the last new token was rejected or has expired; "
                    + "at most 5 refreshes start within 30 s, the next one in 30 s")
            #expect(error?.attempts == 0)
        }
        #expect(await issuer.refreshes == 5)
        #expect(sent.elements == (0...5).map { "Bearer \($0)" })
        clock.advance(by: .seconds(30))
        #expect(try await send(limitedRequest()).statusCode == 401)
        #expect(await issuer.refreshes == 7)
    }

    @Test func `a token server that always fails is called five times in 30 seconds`() async throws {
        let issuer = Issuer(failing: URLError(.notConnectedToInternet))
        let (_, send) = chain(issuer)
        for count in 1...10 {
            let error = await expectFailure(.transportFailed) { try await send(limitedRequest()) }
            #expect((error?.underlyingError as? URLError)?.code == .notConnectedToInternet)
            #expect(error?.reason?.contains("at most 5 refreshes start within 30 s") == (count > 5))
            #expect(await issuer.refreshes == min(count, 5))
            clock.advance(by: .seconds(1))
        }
        #expect(sent.elements.isEmpty)
        // The first refresh was ten seconds ago.
        clock.advance(by: .seconds(20) - .milliseconds(1))
        await expectFailure(.transportFailed) { try await send(limitedRequest()) }
        #expect(await issuer.refreshes == 5)
        clock.advance(by: .milliseconds(1))
        for _ in 1...2 { await expectFailure(.transportFailed) { try await send(limitedRequest()) } }
        #expect(await issuer.refreshes == 6)
    }

    @Test func `all requests that wait for a refresh that may not start fail at once`() async throws {
        let issuer = Issuer(failing: ErrandError(.authenticationFailed, underlyingError: Fault.first))
        let (_, send) = chain(issuer)
        for _ in 1...5 { await expectFailure(.authenticationFailed) { try await send(limitedRequest()) } }
        let waiting = WaitingTasks(for: AccessToken.self)
        let tasks = (1...10).map { number in
            Issuer.$request.withValue(number) { waiting.observing { Task { try await send(limitedRequest()) } } }
        }
        try await waitUntil { waiting.count == 10 }
        issuer.gate.open()
        for task in tasks {
            let error = await expectFailure(.authenticationFailed) { try await task.value }
            #expect((error?.underlyingError as? ErrandError)?.underlyingError as? Fault == .first)
            #expect(error?.reason?.hasSuffix("refreshes start within 30 s, the next one in 30 s") == true)
        }
        #expect(await issuer.refreshes == 5)
    }

    @Test func `another token of the provider is used although no refresh may start`() async throws {
        let issuer = Issuer(AccessToken("0"))
        let (_, send) = chain(issuer, accepts: "user")
        for _ in 1...3 { #expect(try await send(limitedRequest()).statusCode == 401) }
        await expectFailure(.authenticationFailed) { try await send(limitedRequest()) }
        await issuer.signIn()
        #expect(try await send(limitedRequest()).statusCode == 200)
        #expect(await issuer.refreshes == 5)
    }

    @Test func `a request whose token is rejected when no refresh may start fails after one attempt`() async throws {
        let issuer = Issuer(AccessToken("0"))
        let (_, send) = chain(issuer)
        for _ in 1...3 { #expect(try await send(limitedRequest()).statusCode == 401) }
        await issuer.signIn()
        let error = await expectFailure(.authenticationFailed) { try await send(limitedRequest()) }
        #expect(error?.attempts == 1)
        #expect(sent.elements.last == "Bearer user")
        #expect(await issuer.refreshes == 5)
    }

    @Test func `requests with a token that the server accepts are not limited`() async throws {
        let issuer = Issuer(AccessToken("0"))
        let (_, send) = chain(issuer, accepts: "5")
        for count in 1...3 { #expect(try await send(limitedRequest()).statusCode == (count < 3 ? 401 : 200)) }
        for _ in 1...10 { #expect(try await send(limitedRequest()).statusCode == 200) }
        #expect(await issuer.refreshes == 5)
    }
}
