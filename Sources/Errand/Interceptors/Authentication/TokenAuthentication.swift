/// Sends a token with every request, and refreshes it when it expires or the server refuses it: once, however many requests
/// find out at the same time.
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
/// A request that receives 401, or another status that you name, waits for a new token, and is sent once more; a second refusal is
/// its response. While a token is
/// refreshed, new requests wait for it too. A request that was refused with an older token than the current one is sent
/// again without a refresh. The time that a request waits counts toward its ``APIBase/resourceTimeout``.
///
/// - If the token server or the provider refuses a refresh, all waiting requests fail with
///   ``ErrandError/Code-swift.struct/authenticationFailed`` and that failure as the cause. A refusal is an ``OAuthError``, a
///   response of the token server with the status 400, 401 or 403, or an ``ErrandError`` with that code from the provider.
/// - If a refresh fails for another reason, they fail with the code of that failure, such as
///   ``ErrandError/Code-swift.struct/transportFailed``, ``ErrandError/Code-swift.struct/unacceptableStatusCode`` for a 503, or
///   ``ErrandError/Code-swift.struct/rateLimited``; after an error of the provider's own type with
///   ``ErrandError/Code-swift.struct/tokenUnavailable``. The next request starts another refresh.
/// - After a refusal, and after the server has refused a new token, no refresh starts for 1 second; after
///   further refusals in a row for 2, 4, 8, … seconds, 60 at most. During this pause, requests that need another token fail
///   at once with the failure that began it. A token that the server accepts ends the row, and so does another token from
///   ``CredentialProvider/credential()``.
/// - Requests still use a new token that the server has refused once: it may refuse every token for one resource, and accept
///   this one for others.
/// - A cancelled request fails at once with ``ErrandError/Code-swift.struct/cancelled``, and one whose time is over with
///   ``ErrandError/Code-swift.struct/timedOut``. A refresh that has started goes on, even without waiting requests: the
///   server may have replaced the refresh token already. Its token is used by the next request.
/// - A body that can be read only once is not sent again: its refusal is the response, and the next request begins with a refresh.
/// - A refusal of another origin, to which a redirect led, is a response: the token was not sent there.
/// - A request that has the field already is sent unchanged, and so is one that a refresh sends.
/// - A request that a refresh sends through a ``ConcurrencyLimit`` or a ``CircuitBreaker`` listed before this interceptor is
///   part of the requests that wait for it, whenever they began to wait.
///
/// List one instance for all requests that share a token: it is where they meet.
public final class TokenAuthentication: Interceptor {
    let provider: any CredentialProvider
    let leeway: Duration
    let refreshTimeout: Duration
    /// What the token is sent in.
    private let field: String
    let refusingStatusCodes: Set<Int>
    let clock: any Clock<Duration>
    let now: @Sendable () -> Date
    let timeline: Timeline
    /// Guards what is known of tokens.
    let state = Locked(RefreshState())
    /// The refresh under way, and the requests that wait for it. It is detached: it is not part of a request's retry, and its
    /// head is not the head of a request's response.
    let refreshes = SharedRuns<RefreshKey, AccessToken, any Error>(.init(cancelsWhenLeft: false)) { run in
        TaskContext.detached(priority: Task.currentPriority) { await run() }
    }
    let passages = SharedPassages()

    /// The number of requests that wait for the refresh under way.
    var waiterCount: Int { refreshes.waiterCount }

    /// An interceptor of its own: one for all requests that share a token.
    ///
    /// - Parameters:
    ///   - provider: Where the token comes from, and where it is kept.
    ///   - leeway: How long before a token expires it is refreshed; 10 seconds by default. Choose it shorter than tokens
    ///     live, or each request refreshes. Below zero is zero.
    ///   - refreshTimeout: The longest time that a refresh may take; 60 seconds by default. After that it is cancelled, and
    ///     the waiting requests fail with ``ErrandError/Code-swift.struct/timedOut``. Zero or less fails at once.
    ///   - field: The header field for the token; `Authorization` by default, which has the scheme before it. Another field has the
    ///     token alone. A name that cannot be one of a field fails each request with
    ///     ``ErrandError/Code-swift.struct/invalidHeaderField``.
    ///   - refusingStatusCodes: The statuses that refuse a token; 401 by default. A status that a new token does not change, as 403 of
    ///     many servers, begins the pause after refusals.
    ///   - clock: The clock for timeouts and for pauses after refusals.
    ///   - now: Who tells whether a token has expired.
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

    /// An interceptor that keeps the token in memory itself.
    ///
    /// ```swift
    /// static let authentication = TokenAuthentication { _ in
    ///     AccessToken(try await GrantRequest().start().value.accessToken)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - token: What requests are sent with first; nil for none, with which the first request begins with a refresh.
    ///   - leeway: As in ``init(_:leeway:refreshTimeout:field:refusingStatusCodes:clock:now:)``.
    ///   - refreshTimeout: As there.
    ///   - field: As there.
    ///   - refusingStatusCodes: As there.
    ///   - clock: As there.
    ///   - now: As there.
    ///   - refresh: Gets a new token in place of the one it is given; as ``CredentialProvider/refresh(_:)``, but for
    ///     keeping it.
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

    /// An interceptor that keeps the token in memory itself, and gets a new one with the help of the response that refused the old
    /// one.
    ///
    /// ```swift
    /// static let authentication = TokenAuthentication(token: AccessToken("none")) { _, refusal in
    ///     let challenge = refusal?.headers.authenticationChallenges.first { $0.hasScheme("Bearer") }
    ///     return AccessToken(try await RegistryTokenRequest(challenge).start().value.token)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - token: What requests are sent with first; `nil` for none, with which the first request begins with a refresh.
    ///   - leeway: As in ``init(_:leeway:refreshTimeout:field:refusingStatusCodes:clock:now:)``.
    ///   - refreshTimeout: As there.
    ///   - field: As there.
    ///   - refusingStatusCodes: As there.
    ///   - clock: As there.
    ///   - now: As there.
    ///   - refresh: As ``CredentialProvider/refresh(_:after:)``, but for keeping the token.
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

    /// Sends the request with a token, and once more with a new one if the server refuses the first.
    ///
    /// - Throws: ``ErrandError`` with `authenticationFailed` or the code of the failure if the refresh failed, with
    ///   `timedOut` if there was no token before the request's time was over, with `invalidCredential` for a token that
    ///   cannot be sent, and with `cancelled`; the error that `next` throws.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        if ProviderCall.isUnderWay || request.urlRequest.value(forHTTPHeaderField: field) != nil {
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
            timed = time.limiting(request)
            return token
        }
        let refusal: DataResponse
        let pause: RefreshPause?
        switch try await send(timed, with: token, next: next) {
        case .done(let response): return response
        case .refused(let response, let failure):
            refusal = response
            pause = failure
        }
        let newer = try await explaining(request, attempts: 1) {
            if let pause { throw pause }
            return try await time.wait { try await self.betterToken(after: refusal) }
        }
        let response = try await next(authorized(time.limiting(request), with: newer))
        _ = verdict(on: newer, response, request)
        return response
    }

    private enum Outcome {
        case done(DataResponse)
        /// The request is to be sent again. The body of a streamed refusal is gone, and with it the connection that it may hold, which
        /// the refresh may need.
        case refused(DataResponse, RefreshPause?)
    }

    /// Sends the request with a token that may be refused.
    private func send(_ request: TransportRequest, with token: AccessToken, next: Next) async throws -> Outcome {
        let response = try await next(authorized(request, with: token))
        guard case .refused(let pause) = verdict(on: token, response, request),
            request.bodyStream?.canBeReadAgain != false
        else { return .done(response) }
        return .refused(response.withoutStream, pause)
    }

    private func authorized(_ request: TransportRequest, with token: AccessToken) throws -> TransportRequest {
        let credentials = try token.credentials.get(for: request)
        if field.equalsIgnoringASCIICase("Authorization") { return request.authorized(by: credentials) }
        var request = request
        request.urlRequest.setValue(token.value, forHTTPHeaderField: field)
        request.credentialFields.insert(field.asciiLowercased)
        return request
    }

    /// Turns what the provider threw into an error of the request.
    private func explaining<Value>(
        _ request: TransportRequest, attempts: Int, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch  where error.isCancellation && Task.isCancelled {
            throw ErrandError(.cancelled).with(request: request.urlRequest, attempts: attempts)
        } catch is TimeLeft.IsOver {
            let limit = request.resourceTimeout.map { " of \($0.secondsText)" } ?? ""
            throw ErrandError(.timedOut, reason: "the resourceTimeout\(limit) passed while it waited for a token")
                .with(request: request.urlRequest, attempts: attempts)
        } catch {
            throw ErrandError(tokenFailure: error).with(request: request.urlRequest, attempts: attempts)
        }
    }
}

extension TokenAuthentication: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name of the type; nothing of the provider or of a token.
    public var description: String { "TokenAuthentication" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// No children: the provider may be a value that holds a secret.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
