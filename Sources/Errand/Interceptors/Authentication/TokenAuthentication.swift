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
/// A request that is answered 401 waits for a new token, and is sent once more; a second 401 is its answer. While a token is
/// refreshed, new requests wait for it too. A request that was refused with an older token than there is by now is sent
/// again without a refresh. What a request has waited is taken off its ``APIBase/resourceTimeout``.
///
/// - A refresh that fails is the failure of all who wait for it: ``ErrandError/Code-swift.struct/authenticationFailed``,
///   with the refresh's own as the cause. The next request tries again.
/// - Who is cancelled fails at once with ``ErrandError/Code-swift.struct/cancelled``, and whose time is over, with
///   ``ErrandError/Code-swift.struct/timedOut``. The refresh goes on for the others, and is cancelled when the last has
///   left; who comes then waits until it has ended.
/// - A body that can be read only once is not sent again: its 401 is the answer, and the next request begins with a refresh.
/// - A 401 of another origin, where a redirect led, is an answer: the token was not sent there.
/// - A request that has an `Authorization` field itself is sent as it is, and so is one that a refresh sends.
/// - What a refresh sends by way of a ``ConcurrencyLimit`` or a ``CircuitBreaker`` that stands in front of this is part of
///   the requests that wait for it.
///
/// List one instance for all requests that share a token: it is where they meet.
public final class TokenAuthentication: Interceptor {
    private let provider: any CredentialProvider
    private let leeway: Duration
    private let refreshTimeout: Duration
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date
    /// Guards who waits for the flight that is under way.
    private let state = Locked(RefreshState())

    /// How many requests wait for the flight that is under way.
    var waiterCount: Int { state.withLock { $0.waiterCount } }

    /// An interceptor of its own: one for all requests that share a token.
    ///
    /// - Parameters:
    ///   - provider: Where the token comes from, and where it is kept.
    ///   - leeway: How long before a token expires it is refreshed; 10 seconds by default. Choose it shorter than tokens
    ///     live, or each request refreshes. Below zero is zero.
    ///   - refreshTimeout: How long a refresh may take; 60 seconds by default. Then it is cancelled, and has failed with
    ///     ``ErrandError/Code-swift.struct/timedOut``. Zero or less fails at once.
    ///   - clock: Who tells how long a refresh takes, and how long a request waits.
    ///   - now: Who tells whether a token has expired.
    public init(
        _ provider: any CredentialProvider, leeway: Duration = .seconds(10), refreshTimeout: Duration = .seconds(60),
        clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.provider = provider
        self.leeway = max(leeway, .zero)
        self.refreshTimeout = refreshTimeout
        self.clock = clock
        self.now = now
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
    ///   - leeway: As in ``init(_:leeway:refreshTimeout:clock:now:)``.
    ///   - refreshTimeout: As there.
    ///   - clock: As there.
    ///   - now: As there.
    ///   - refresh: Gets a new token in place of the one it is given; as ``CredentialProvider/refresh(_:)``, but for
    ///     keeping it.
    public convenience init(
        token: AccessToken? = nil, leeway: Duration = .seconds(10), refreshTimeout: Duration = .seconds(60),
        clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() },
        refresh: @escaping @Sendable (AccessToken?) async throws -> AccessToken
    ) {
        self.init(
            StoredCredential(token, getNew: refresh), leeway: leeway, refreshTimeout: refreshTimeout, clock: clock,
            now: now)
    }

    /// Sends the request with a token, and once more with a new one when it is answered 401.
    ///
    /// - Throws: ``ErrandError`` with `authenticationFailed` when no token could be had, with `timedOut` when there was none
    ///   before the request's time was over, with `invalidCredential` for one that cannot be sent, with `cancelled`;
    ///   whatever `next` throws.
    public func intercept<Answer: HTTPResponse>(
        _ request: TransportRequest, next: Next<Answer>
    ) async throws -> Answer {
        if ProviderCall.isUnderWay || request.hasAuthorization { return try await next(request) }
        let time = TimeLeft(to: request, clock: clock)
        var timed = request
        let token = try await explaining(request, attempts: 0) {
            if let token = try await time.wait(for: { try await self.usableToken() }) { return token }
            let token = try await time.wait(for: { try await self.token(refused: nil) })
            timed = time.limiting(request)
            return token
        }
        if let answer = try await answer(to: timed, with: token, next: next) { return answer }
        let newer = try await explaining(request, attempts: 1) {
            try await time.wait { try await self.token(refused: token) }
        }
        return try await next(time.limiting(request).authorized(by: newer.credentials.get(for: request)))
    }

    /// Sends the request with a token that may be refused.
    ///
    /// - Returns: Nil when it was refused and is to be sent again. The refusal is gone then, and with it the connection
    ///   that its body may hold, which the refresh may need.
    private func answer<Answer: HTTPResponse>(
        to request: TransportRequest, with token: AccessToken, next: Next<Answer>
    ) async throws -> Answer? {
        let answer = try await next(request.authorized(by: token.credentials.get(for: request)))
        let origin = (answer.url ?? request.urlRequest.url).flatMap(Origin.init)
        guard answer.statusCode == 401, origin == request.urlRequest.origin else { return answer }
        if request.bodyStream?.canBeReadAgain != false { return nil }
        state.withLock { $0.remember(refused: token) }
        return answer
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
            throw ErrandError(.timedOut, reason: "its time was over before there was a token")
                .with(request: request.urlRequest, attempts: attempts)
        } catch {
            throw ErrandError(.authenticationFailed, reason: "no token could be had", underlyingError: error)
                .with(request: request.urlRequest, attempts: attempts)
        }
    }
}

// One flight at a time.
extension TokenAuthentication {
    /// What the provider has, where it can be used.
    private func usableToken() async throws -> AccessToken? {
        guard let token = try await found(), isFresh(token), state.withLock({ $0.allows(token) }) else { return nil }
        return token
    }

    /// Waits for a token that is better than the one refused.
    private func token(refused: AccessToken?) async throws -> AccessToken {
        if Task.isCancelled { throw ErrandError(.cancelled) }
        let promise = Promise<AccessToken, any Error>()
        let passages = Passage.underWay
        let (ticket, action) = state.withLock { $0.join(promise, refused: refused, passages: passages) }
        perform(action)
        promise.onCancel { self.perform(self.state.withLock { $0.leave(ticket) }) }
        return try await promise.value
    }

    private func perform(_ action: RefreshState.Action) {
        switch action {
        case .none, .refresh: break
        case .start(let number, let passages):
            // Detached from whoever happens to be the first: the refresh is nobody's retry, and its head nobody's answer.
            let task = TestNetworkScope.detached(priority: Task.currentPriority) {
                await Passage.run(passages) { await self.fly(number) }
                self.perform(self.state.withLock { $0.returned(number) })
            }
            perform(state.withLock { $0.started(task, number) })
        case .cancel(let task): task.cancel()
        case .resolve(let promises, let outcome):
            for promise in promises { promise.resolve(with: outcome) }
        }
    }

    /// A flight: asks what there is, and refreshes it where that is no good.
    private func fly(_ number: Int) async {
        let current = await call(number) { try await self.provider.credential() }
        let isFresh = (try? current.get()).map { self.isFresh($0) } ?? false
        let action = state.withLock { $0.found(current, isFresh: isFresh, number) }
        guard case .refresh(let old) = action else { return perform(action) }
        let outcome = await call(number) { try await self.provider.refresh(old) }
        perform(state.withLock { $0.refreshed(outcome, number) })
    }

    /// Calls the provider and waits until it comes back, also when the flight is cancelled. The waiters are told when that
    /// takes too long.
    private func call<Value: Sendable>(
        _ number: Int, _ body: @escaping @Sendable () async throws -> Value
    ) async -> Result<Value, any Error> {
        guard refreshTimeout > .zero else { return .failure(ErrandError(.timedOut)) }
        let work = Task { try await ProviderCall.run(body) }
        let timer = Task {
            guard (try? await clock.sleep(for: refreshTimeout.bounded)) != nil else { return }
            perform(state.withLock { $0.ranOut(number) })
            work.cancel()
        }
        defer { timer.cancel() }
        return await withCancellationHandler {
            await work.result
        } onCancel: {
            work.cancel()
        }
    }

    /// What the provider has. What it sends to find out is not authenticated, and its head is not this request's.
    private func found() async throws -> AccessToken? {
        try await ProviderCall.run {
            try await HeadObserver.$current.withValue(nil) { try await provider.credential() }
        }
    }

    private func isFresh(_ token: AccessToken?) -> Bool {
        guard let token else { return false }
        guard let expiresAt = token.expiresAt else { return true }
        return now().addingTimeInterval(leeway / .seconds(1)) < expiresAt
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
