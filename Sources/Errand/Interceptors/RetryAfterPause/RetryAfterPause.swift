/// Sends no request while the server has asked to wait, not only the one that it told so.
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
/// A response with status 429 or 503 and a `Retry-After` field (RFC 9110, section 10.2.3), or with `RateLimit` fields whose quota
/// is used up, begins a pause for all requests of the same account; by default, for those to the same origin. Requests that come
/// during the pause wait for its end, the higher ``RequestPriority`` first. A longer pause that is asked for in the meantime
/// takes its place; a shorter one does not. A pause lasts one day at most.
///
/// A request fails at once with ``ErrandError/Code-swift.struct/rateLimited`` if it would wait for longer than ``maximumWait`` or than
/// its ``APIBase/resourceTimeout``, and beyond ``queueLimit`` waiting requests. The time spent waiting is taken off the time it
/// has.
///
/// After a pause, all waiting requests go at once. List a ``RateLimit`` or ``ConcurrencyLimit`` after this to spread them. The
/// response that began the pause goes back to its request: a ``RetryPolicy`` sends that again.
///
/// All requests that list the same object share it.
public final class RetryAfterPause: Interceptor {
    /// The longest time that a request waits.
    public let maximumWait: Duration
    /// How many requests may wait, in each account of the scope.
    public let queueLimit: Int
    private let room: WaitingRoom<RetryAfterPauseState>
    private let now: @Sendable () -> Date

    /// Creates the interceptor, without a pause.
    ///
    /// - Parameters:
    ///   - maximumWait: The longest time that a request waits; a minute by default. If a pause lasts longer, requests fail at
    ///     once.
    ///   - scope: Which requests pause together.
    ///   - queueLimit: How many may wait; less than 0 counts as 0.
    ///   - clock: The clock for the waits.
    ///   - now: Returns the current time, for servers that say until when to wait.
    public init(
        maximumWait: Duration = .seconds(60), scope: LimitScope = .origin, queueLimit: Int = 1000,
        clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.maximumWait = max(maximumWait.bounded, .zero)
        self.queueLimit = max(queueLimit, 0)
        self.now = now
        let machine = RetryAfterPauseState(
            maximumWait: max(maximumWait.bounded, .zero), queueLimit: max(queueLimit, 0))
        room = WaitingRoom(machine, scope: scope, refusalCode: .rateLimited, clock: clock)
    }

    /// How many requests wait now, in all accounts.
    public var waitingCount: Int { room.waitingCount }

    /// Waits for the end of a pause, sends the request, and begins a pause if the response asks for one.
    ///
    /// - Throws: ``ErrandError`` with `rateLimited` or `cancelled`, when nothing was sent; what `next` throws.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        let account = room.account(of: request)
        let turn = try await room.enter(request, account: account)
        let response = try await next(turn.request)
        if let wait = waitAsked(by: response) {
            room.update { machine, now in machine.pause(account, for: wait, now: now) }
        }
        return response
    }

    private func waitAsked(by response: DataResponse) -> Duration? {
        guard response.source == .network, [429, 503].contains(response.statusCode) else { return nil }
        let now = now()
        return response.headers.retryAfter(now: now)
            ?? response.headers.rateLimitReset(statusCode: response.statusCode, now: now)
    }
}
