/// The refreshes, of which only one runs at a time.
extension TokenAuthentication {
    /// The key that all refreshes have in common.
    struct RefreshKey: Hashable {}

    /// The result that a response implies for the token of its request.
    enum Verdict {
        /// The token was accepted, or the response says nothing about it.
        case accepted
        /// The token was rejected. With a failure, the request must not wait for another token.
        case refused(RefreshPause?)
    }

    /// Records whether the server rejected the token of a request.
    func verdict(on token: AccessToken, _ response: DataResponse, _ request: TransportRequest) -> Verdict {
        let origin = (response.url ?? request.urlRequest.url).flatMap(Origin.init)
        guard origin == request.urlRequest.origin else { return .accepted }
        let now = timeline.now
        if refusingStatusCodes.contains(response.statusCode) {
            return .refused(state.withLock { $0.refuse(token, now: now) })
        }
        // A server error says nothing about the token.
        if response.statusCode < 500 { state.withLock { $0.accept(token, now: now) } }
        return .accepted
    }

    /// Returns the provider's token if it can be used immediately.
    func usableToken() async throws -> AccessToken? {
        guard let token = try await found(), isFresh(token), refreshes.count == 0,
            !state.withLock({ $0.isRefused(token) })
        else { return nil }
        return token
    }

    /// Waits for the refresh in progress, or starts one.
    ///
    /// - Parameter refusal: The response that is passed to a refresh which this call starts.
    func betterToken(after refusal: DataResponse?) async throws -> AccessToken {
        try await refreshes.join(RefreshKey()) { try await self.refresh(after: refusal) }
    }

    /// Reads the provider's token, and refreshes it if it cannot be used. Another request, or signing in, may have
    /// changed it meanwhile.
    private func refresh(after refusal: DataResponse?) async throws -> AccessToken {
        let current = try await call { try await self.provider.credential() }
        let (isFresh, time) = (isFresh(current), timeline.now)
        switch state.withLock({ $0.decide(on: current, isFresh: isFresh, now: time) }) {
        case .use(let token): return token
        case .fail(let pause): throw pause
        case .refresh: break
        }
        do {
            let new = try await call { try await self.provider.refresh(current, after: refusal) }
            let date = now()
            state.withLock { $0.refreshed(new, at: date) }
            return new
        } catch {
            let time = timeline.now
            state.withLock { $0.failed(error, current: current, now: time) }
            throw error
        }
    }

    /// Calls the provider, and waits until it returns or times out.
    private func call<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let failure = ErrandError(.timedOut, reason: "the refresh took longer than \(refreshTimeout.secondsText)")
        return try await Pipeline<Value, any Error> { () async throws(any Error) in
            try await ProviderCall.run(marksRefusals: true, body)
        }
        .timeout(refreshTimeout, clock: clock, failure: failure)
        .value
    }

    /// Reads the provider's token. Requests that the provider sends for this are not authenticated.
    private func found() async throws -> AccessToken? {
        try await ProviderCall.run(marksRefusals: true) { try await provider.credential() }
    }

    private func isFresh(_ token: AccessToken?) -> Bool {
        guard let token else { return false }
        guard let expiresAt = token.expiresAt else { return true }
        let early = state.withLock { $0.leeway(leeway / .seconds(1), of: token) }
        return now().addingTimeInterval(early) < expiresAt
    }
}
