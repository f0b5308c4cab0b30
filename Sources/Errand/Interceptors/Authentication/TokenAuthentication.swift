/// An interceptor that sends a token with every request, and gets a new one when it expires or the server rejects it.
///
/// ```swift
/// class LibraryAPI: APIBase {
///     static let authentication = TokenAuthentication(Session())
///
///     override init() {
///         super.init()
///         interceptors = [Self.authentication]
///     }
/// }
/// ```
///
/// However many requests are rejected at once, the token is refreshed once. They wait for the new token, and each is
/// sent once more. `RefreshState` decides when a refresh starts, and the ``CredentialProvider`` performs it.
///
/// | case | outcome |
/// |---|---|
/// | the new token is rejected too | the rejection is the response |
/// | the request was rejected with an older token than the current one | it is sent again without a refresh |
/// | the refresh fails | all waiting requests fail; ``CredentialProvider/refresh(_:)`` lists the codes. The next request starts another refresh |
/// | more than 5 refreshes would start within 30 seconds | the request fails immediately, with the failure of the last refresh or with ``ErrandError/Code-swift.struct/authenticationFailed`` |
/// | the request is cancelled, or its ``APIBase/resourceTimeout`` ends | it does not wait longer. The refresh continues, because the server may have replaced the refresh token already |
/// | the body can be read only once | the rejection is the response, and the next request begins with a refresh |
/// | the rejection comes after a redirect to another origin | it is the response, because the token was not sent there |
/// | the request already has the field, or a provider sends it | it is sent unchanged. A request of the provider passes each `ConcurrencyLimit`, `CircuitBreaker` and `RetryAfterPause` without waiting, because requests that wait for the token may hold all places |
///
/// Use one instance for all requests that share a token.
public final class TokenAuthentication: Interceptor, Authenticating {
    /// The key of all refreshes, of which only one runs at a time.
    private struct RefreshKey: Hashable {}

    private let provider: any CredentialProvider
    private let leeway: Duration
    private let refreshTimeout: Duration
    /// The name of the header field for the token.
    private let field: String
    private let refusingStatusCodes: Set<Int>
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date
    private let timeline: Timeline
    private let state = Locked(RefreshState())
    /// The refresh in progress, and the requests that wait for it.
    private let refreshes = SharedRuns<RefreshKey, AccessToken, any Error>(cancelsWhenLeft: false)

    /// Creates an interceptor. Use one for all requests that share a token.
    ///
    /// - Parameters:
    ///   - provider: The source and storage of the token.
    ///   - leeway: The time before its expiry at which a token is refreshed; 10 seconds by default, but at most half of
    ///     the time for which a new token is valid. A negative value counts as zero.
    ///   - refreshTimeout: The maximum time of each call of the provider during a refresh; 60 seconds by default. After
    ///     that, the call is cancelled, and the waiting requests fail with
    ///     ``ErrandError/Code-swift.struct/timedOut``. Zero or less fails immediately.
    ///   - field: The header field for the token; by default `Authorization`, with the scheme before the token. Another
    ///     field, such as `Cookie`, contains only the token. An invalid name fails each request with
    ///     ``ErrandError/Code-swift.struct/invalidHeaderField``.
    ///   - refusingStatusCodes: The statuses that reject a token; 401 by default. A status that a new token does not
    ///     change, such as 403 from many servers, causes refreshes up to the limit of 5 within 30 seconds.
    ///   - clock: The clock for timeouts and for the limit of refreshes.
    ///   - now: Returns the current time, which decides whether a token has expired.
    public init(
        _ provider: any CredentialProvider, leeway: Duration = .seconds(10), refreshTimeout: Duration = .seconds(60),
        field: String = "Authorization", refusingStatusCodes: Set<Int> = [401],
        clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.field = field
        self.refusingStatusCodes = refusingStatusCodes
        self.provider = provider
        self.leeway = max(leeway, .zero)
        self.refreshTimeout = refreshTimeout
        self.clock = clock
        self.now = now
        timeline = Timeline(clock)
    }

    /// Creates an interceptor that stores the token in memory.
    ///
    /// ```swift
    /// static let authentication = TokenAuthentication { _ in
    ///     AccessToken(try await GrantRequest().start().value.accessToken)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - token: The first token; `nil`, the default, starts the first request with a refresh.
    ///   - leeway: As in ``init(_:leeway:refreshTimeout:field:refusingStatusCodes:clock:now:)``.
    ///   - refreshTimeout: As there.
    ///   - field: As there.
    ///   - refusingStatusCodes: As there.
    ///   - clock: As there.
    ///   - now: As there.
    ///   - refresh: A closure that returns a new token to replace the one it receives, as
    ///     ``CredentialProvider/refresh(_:)`` does. It does not have to store it.
    public convenience init(
        token: AccessToken? = nil, leeway: Duration = .seconds(10), refreshTimeout: Duration = .seconds(60),
        field: String = "Authorization", refusingStatusCodes: Set<Int> = [401],
        clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() },
        refresh: @escaping @Sendable (AccessToken?) async throws -> AccessToken
    ) {
        self.init(
            token: token, leeway: leeway, refreshTimeout: refreshTimeout, field: field,
            refusingStatusCodes: refusingStatusCodes, clock: clock, now: now
        ) { old, _ in try await refresh(old) }
    }

    /// Creates an interceptor that stores the token in memory, and whose closure receives the response that rejected
    /// the old token.
    ///
    /// ```swift
    /// static let authentication = TokenAuthentication(token: AccessToken("none")) { _, refusal in
    ///     let challenge = refusal?.headers.authenticationChallenges.first { $0.hasScheme("Bearer") }
    ///     return AccessToken(try await RegistryTokenRequest(challenge).start().value.token)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - token: The first token; `nil`, the default, starts the first request with a refresh.
    ///   - leeway: As in ``init(_:leeway:refreshTimeout:field:refusingStatusCodes:clock:now:)``.
    ///   - refreshTimeout: As there.
    ///   - field: As there.
    ///   - refusingStatusCodes: As there.
    ///   - clock: As there.
    ///   - now: As there.
    ///   - refresh: A closure that returns a new token, as ``CredentialProvider/refresh(_:after:)`` does. It does not
    ///     have to store it.
    public convenience init(
        token: AccessToken? = nil, leeway: Duration = .seconds(10), refreshTimeout: Duration = .seconds(60),
        field: String = "Authorization", refusingStatusCodes: Set<Int> = [401],
        clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() },
        refresh: @escaping @Sendable (AccessToken?, _ refusal: DataResponse?) async throws -> AccessToken
    ) {
        self.init(
            StoredCredential(token, getNew: refresh), leeway: leeway, refreshTimeout: refreshTimeout, field: field,
            refusingStatusCodes: refusingStatusCodes, clock: clock, now: now)
    }

    /// Sends the request with a token, and once more with a new one if the server rejects the first.
    ///
    /// - Throws: ``ErrandError`` with `authenticationFailed` or the code of the failure if the refresh failed.
    ///   ``ErrandError`` with `timedOut` if there was no token in the request's time, with `invalidCredential` for an
    ///   invalid token, with `invalidHeaderField` for an invalid field name, and with `cancelled`. Otherwise, the error
    ///   of `next`.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        if ProviderCall.isActive || request.urlRequest.value(forHTTPHeaderField: field) != nil {
            return try await next(request)
        }
        guard field.isHTTPToken else {
            throw ErrandError(.invalidHeaderField, reason: "\"\(field)\" is not a valid name of a header field")
                .with(request: request.urlRequest)
        }
        let time = TimeLeft(to: request, clock: clock)
        var timed = request
        let token = try await explaining(request, attempts: 0) {
            if let token = try await time.wait(for: { try await self.usableToken() }) { return token }
            let token = try await time.wait(for: { try await self.betterToken(after: nil) })
            // A stored token is expected at once, so only a refresh shortens the request's `resourceTimeout`.
            timed = time.limiting(request)
            return token
        }
        let (first, isFinal) = try await send(timed, with: token, next: next)
        if isFinal { return first }
        let newer = try await explaining(request, attempts: 1) {
            try await time.wait { try await self.betterToken(after: first) }
        }
        let second = try await next(authorized(time.limiting(request), with: newer))
        // Records a rejection of the new token, so that the next request begins with a refresh.
        _ = recordRejection(newer, second, request)
        return second
    }

    /// Sends the request with a token that may be rejected.
    ///
    /// - Returns: The response, and whether it is final. Otherwise, the request is sent again with a new token. The
    ///   streamed body of the response was released, and with it the connection, which the refresh may need.
    private func send(
        _ request: TransportRequest, with token: AccessToken, next: Next
    ) async throws -> (response: DataResponse, isFinal: Bool) {
        let response = try await next(authorized(request, with: token))
        let isSentAgain = recordRejection(token, response, request) && request.canBeSentAgain
        return isSentAgain ? (response.withoutStream, false) : (response, true)
    }

    /// Returns whether the response rejects the token of its request, and records the rejection.
    private func recordRejection(_ token: AccessToken, _ response: DataResponse, _ request: TransportRequest) -> Bool {
        guard refusingStatusCodes.contains(response.statusCode) else { return false }
        // A redirect to another origin removes the token, even if a later one leads back.
        let urls = [response.url ?? request.urlRequest.url] + (response.redirects?.hops ?? []).map(\.url)
        guard urls.allSatisfy({ $0.flatMap(Origin.init) == request.urlRequest.origin }) else { return false }
        state.withLock { $0.reject(token) }
        return true
    }

    /// Returns the request with the token in its field.
    private func authorized(_ request: TransportRequest, with token: AccessToken) throws -> TransportRequest {
        let credentials = try token.value(in: field).get(for: request)
        if field.equalsIgnoringASCIICase("Authorization") { return request.authorized(by: credentials) }
        var request = request
        request.urlRequest.setHeaderField(field, credentials.text)
        request.credentialFields.insert(field.asciiLowercased)
        return request
    }

    /// Adds the request, and the number of attempts so far, to the error of its wait for a token.
    private func explaining<Value>(
        _ request: TransportRequest, attempts: Int, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch {
            let failure: ErrandError
            if Task.isCancelled {
                failure = ErrandError(.cancelled)
            } else if error is TimeLeft.IsOver {
                failure = ErrandError(
                    .timedOut, reason: "the resourceTimeout passed while it waited for a token")
            } else {
                failure = error as? ErrandError ?? ErrandError(tokenFailure: error)
            }
            throw failure.with(request: request.urlRequest, attempts: attempts)
        }
    }
}

/// The tokens and their refreshes.
extension TokenAuthentication {
    /// Returns the provider's token if it can be used immediately. During a refresh, all requests wait for its token.
    private func usableToken() async throws -> AccessToken? {
        let current = try await call { try await self.provider.credential() }
        return refreshes.count == 0 ? usable(current) : nil
    }

    /// Returns the token if the server has not rejected it and it does not expire soon.
    private func usable(_ current: AccessToken?) -> AccessToken? {
        let date = now()
        return state.withLock { $0.use(current, at: date, leeway: leeway / .seconds(1)) }
    }

    /// Waits for the refresh in progress, or starts one.
    ///
    /// - Parameter refusal: The response that is passed to a refresh which this call starts.
    private func betterToken(after refusal: DataResponse?) async throws -> AccessToken {
        try await refreshes.join(RefreshKey()) { try await self.refresh(after: refusal) }
    }

    /// Reads the provider's token, and refreshes it if it cannot be used. Another request, or signing in, may have
    /// changed it meanwhile.
    private func refresh(after refusal: DataResponse?) async throws -> AccessToken {
        let current = try await call(isTimed: true) { try await self.provider.credential() }
        if let token = usable(current) { return token }
        let time = timeline.now
        try state.withLock { try $0.begin(now: time) }
        let outcome = await Result.catching {
            try await self.call(isTimed: true) { try await self.provider.refresh(current, after: refusal) }
        }
        let date = now()
        state.withLock { $0.end(outcome, at: date) }
        return try outcome.get()
    }

    /// Calls the provider, and converts its error. Only the calls of a refresh have a timeout; the time of the other
    /// calls is limited by their request.
    private func call<Value: Sendable>(
        isTimed: Bool = false, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        do {
            return try await ProviderCall.$isActive.withValue(true) {
                guard isTimed else { return try await body() }
                let reason = "the refresh took longer than \(refreshTimeout.secondsText)"
                return try await Pipeline { () async throws(any Error) in try await body() }
                    .timeout(refreshTimeout, clock: clock, failure: ErrandError(.timedOut, reason: reason)).value
            }
        } catch {
            throw ErrandError(tokenFailure: error)
        }
    }
}

extension TokenAuthentication: Confidential {
    /// The name of the type, without any part of the provider or of a token.
    public var description: String { "TokenAuthentication" }
}
