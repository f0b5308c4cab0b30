/// An interceptor that sends a token with every request. It refreshes the token when it expires or the server rejects
/// it, once for all concurrent requests.
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
/// A request that receives 401, or another status that you specify, waits for a new token and is sent once more. A
/// second rejection is its response. During a refresh, new requests wait for it too. A request that was rejected with
/// an older token than the current one is sent again without a refresh. The waiting time counts toward the
/// ``APIBase/resourceTimeout`` of the request.
///
/// - If the token server or the provider refuses a refresh, all waiting requests fail with
///   ``ErrandError/Code-swift.struct/authenticationFailed`` and that failure as the cause. A refusal is a response of
///   the token server with the status 400, 401 or 403, or an ``OAuthError``. An ``OAuthError`` that says that the
///   server failed or is overloaded is not a refusal. An ``ErrandError`` with `authenticationFailed` from the provider
///   is also a refusal.
/// - If a refresh fails for another reason, they fail with the code of that failure, such as
///   ``ErrandError/Code-swift.struct/transportFailed``, ``ErrandError/Code-swift.struct/unacceptableStatusCode`` for a
///   503, or ``ErrandError/Code-swift.struct/rateLimited``; after an error of the provider's own type with
///   ``ErrandError/Code-swift.struct/tokenUnavailable``. The next request starts another refresh.
/// - After a refusal, and after the server has rejected a new token, no refresh starts for 1 second. After further
///   consecutive refusals, the pause is 2, 4, 8, … seconds, at most 60. During this pause, requests that need another
///   token fail immediately with the failure that began it. A token that the server accepts resets the count, and so
///   does another token from ``CredentialProvider/credential()``.
/// - Requests still use a new token that the server has rejected once. It may reject every token for one resource, and
///   accept this one for others.
/// - A cancelled request fails immediately with ``ErrandError/Code-swift.struct/cancelled``, and one that times out
///   with ``ErrandError/Code-swift.struct/timedOut``. A refresh that has started continues, even without waiting
///   requests, because the server may have replaced the refresh token already. The next request uses its token.
/// - A body that can be read only once is not sent again. The rejection is the response, and the next request begins
///   with a refresh.
/// - A rejection by another origin, to which a redirect led, is a response, because the token was not sent there.
/// - A request that already has the field is sent unchanged, and so is one that a refresh sends.
/// - A refresh may send a request through a ``ConcurrencyLimit`` or a ``CircuitBreaker`` that is listed before this
///   interceptor. Such a request counts as part of the requests that wait for it, whenever they began to wait.
///
/// Use one instance for all requests that share a token.
public final class TokenAuthentication: Interceptor {
    let provider: any CredentialProvider
    let leeway: Duration
    let refreshTimeout: Duration
    /// The name of the header field for the token.
    private let field: String
    let refusingStatusCodes: Set<Int>
    let clock: any Clock<Duration>
    let now: @Sendable () -> Date
    let timeline: Timeline
    /// Guards the state of the tokens.
    let state = Locked(RefreshState())
    /// The refresh in progress, and the requests that wait for it.
    let refreshes = SharedRuns<RefreshKey, AccessToken, any Error>(.init(cancelsWhenLeft: false))

    /// The number of requests that wait for the refresh in progress.
    var waiterCount: Int { refreshes.waiterCount }

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
    ///     change, such as 403 from many servers, begins the pause after refusals.
    ///   - clock: The clock for timeouts and for pauses after refusals.
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
    ///   invalid token, and with `cancelled`. Otherwise, the error of `next`.
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
        /// The request must be sent again. The body of a streamed rejection was released, and with it the connection,
        /// which the refresh may need.
        case refused(DataResponse, RefreshPause?)
    }

    /// Sends the request with a token that may be rejected.
    private func send(_ request: TransportRequest, with token: AccessToken, next: Next) async throws -> Outcome {
        let response = try await next(authorized(request, with: token))
        guard case .refused(let pause) = verdict(on: token, response, request),
            request.bodyStream?.canBeReadAgain != false
        else { return .done(response) }
        return .refused(response.withoutStream, pause)
    }

    private func authorized(_ request: TransportRequest, with token: AccessToken) throws -> TransportRequest {
        let credentials = try token.value(in: field).get(for: request)
        if field.equalsIgnoringASCIICase("Authorization") { return request.authorized(by: credentials) }
        var request = request
        request.urlRequest.setHeaderField(field, credentials.text)
        request.credentialFields.insert(field.asciiLowercased)
        return request
    }

    /// Converts the provider's error to an error of the request.
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
    /// The name of the type, without any part of the provider or of a token.
    public var description: String { "TokenAuthentication" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// No children, because the provider may be a value that holds a secret.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
