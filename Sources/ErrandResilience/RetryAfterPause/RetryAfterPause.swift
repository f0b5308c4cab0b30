public import Errand

/// An interceptor that delays all requests to a server while the server asks to wait, not only the request that got the
/// `Retry-After`.
///
/// ```swift
/// class LibraryAPI: APIBase {
///     static let pause = RetryAfterPause()
///     override init() {
///         super.init()
///         retryPolicy = .exponential()
///         interceptors = [Self.pause]
///     }
/// }
/// ```
///
/// A response begins a pause if its status is 429 or 503, and it has a `Retry-After` header field (RFC 9110, section
/// 10.2.3) or `RateLimit` header fields whose quota is used up. The pause applies to all requests of the same account;
/// by default, to those of the same origin. Requests during the pause wait for its end; those with a higher
/// ``/Errand/RequestPriority`` go first. A response that asks for a later end extends the pause. A pause lasts one day
/// or less.
///
/// A request fails immediately with `rateLimited` if it would wait longer than ``maximumWait`` or its
/// ``/Errand/APIBase/resourceTimeout``, or if ``queueLimit`` requests already wait and none has a lower priority. The
/// time spent waiting counts towards the resource timeout.
///
/// After a pause, the waiting requests are not sent all at once, because many servers accept only one request at that
/// time. One is sent, and each response sends the next one. Every fourth response allows one more at the same time. A
/// response that asks to wait begins another pause. The request whose response began a pause receives that response; a
/// ``/Errand/RetryPolicy`` can send it again.
///
/// List a ``RateLimit`` or ``ConcurrencyLimit`` before this interceptor. In the other order, a request that waits at
/// the limit has passed the pause already, and would be sent during a pause that begins meanwhile.
///
/// All requests that list the same object share its pauses.
public final class RetryAfterPause: Interceptor {
    /// The longest time that a request waits, also for its turn after a pause.
    public let maximumWait: Duration
    /// The maximum number of waiting requests, for each account of the scope.
    public let queueLimit: Int
    private let queue: AdmissionQueue<RetryAfterPauseState>
    private let now: @Sendable () -> Date

    /// Creates the interceptor, without a pause.
    ///
    /// - Parameters:
    ///   - maximumWait: The longest time that a request waits; a minute by default. During a longer pause, requests
    ///     fail immediately.
    ///   - scope: The requests that share a pause.
    ///   - queueLimit: The maximum number of waiting requests; 1,000 by default, and less than 0 counts as 0.
    ///   - clock: The clock for the waits.
    ///   - now: Returns the current time, for a `Retry-After` with a date.
    public init(
        maximumWait: Duration = .seconds(60), scope: LimitScope = .origin, queueLimit: Int = 1000,
        clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.maximumWait = max(maximumWait.bounded, .zero)
        self.queueLimit = max(queueLimit, 0)
        self.now = now
        let machine = RetryAfterPauseState(
            maximumWait: max(maximumWait.bounded, .zero), queueLimit: max(queueLimit, 0))
        queue = AdmissionQueue(machine, scope: scope, refusalCode: .rateLimited, clock: clock)
    }

    /// The number of requests that wait now, in all accounts.
    public var waitingCount: Int { queue.waitingCount }

    /// Waits for the end of a pause, sends the request, and begins a pause if the response asks for it.
    ///
    /// - Throws: ``/Errand/ErrandError`` with `rateLimited` or `cancelled` if nothing was sent; otherwise the errors of
    ///   `next`.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        // The request that is sent alone after a pause may wait for the token that this request gets.
        if ProviderCall.isActive { return try await next(request) }
        let account = queue.account(of: request)
        let turn = try await queue.enter(request)
        defer { queue.finish(turn.ticket) }
        let response = try await next(turn.request)
        if let wait = requestedWait(in: response) {
            queue.update { machine, now in machine.pause(account, for: wait, now: now) }
        } else if ![429, 503].contains(response.statusCode) {
            queue.update { machine, now in machine.succeed(turn.ticket, now: now) }
        }
        return response
    }

    private func requestedWait(in response: DataResponse) -> Duration? {
        guard response.source == .network, [429, 503].contains(response.statusCode) else { return nil }
        let now = now()
        return response.headers.retryAfter(now: now)
            ?? response.headers.rateLimitReset(statusCode: response.statusCode, now: now)
    }
}
