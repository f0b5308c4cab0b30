/// Sends no more requests in a time than a server allows; the others wait for their turn.
///
/// ```swift
/// class LibraryAPI: APIBase {
///     static let rateLimit = RateLimit(requests: 10, per: .seconds(1))
///     override init() {
///         super.init()
///         interceptors = [Self.rateLimit]
///     }
/// }
/// ```
///
/// It is a token bucket: it holds `burst` tokens, a request takes one, and they come back evenly, `requests` in each
/// `duration`. So after a pause as many as both together may go within one `duration`: where a server counts strictly,
/// choose a small burst. Whoever finds none waits, the higher ``RequestPriority`` first, and within one the earlier. One that is
/// cancelled while it waits leaves no gap.
///
/// A request that could not be sent in time is not: beyond ``queueLimit`` waiting requests, or where its turn would come
/// after its ``APIBase/resourceTimeout``, it fails at once with ``ErrandError/Code-swift.struct/rateLimited``, and so does
/// one that others overtook until its time was over. In a full line, the last of those with the lowest priority gives way to a
/// request of a higher one. The time spent waiting is taken off the time it has.
///
/// All requests that list the same object share it. Unlike ``ConcurrencyLimit``, it does not care how long a request
/// takes.
public final class RateLimit: Interceptor {
    /// How many requests may wait, in each account of the scope.
    public let queueLimit: Int
    private let room: WaitingRoom<RateLimitState>

    /// A limit of so many requests in a time.
    ///
    /// - Parameters:
    ///   - requests: How many requests; at least 1, and less counts as 1.
    ///   - duration: In how long; zero or less means no limit.
    ///   - burst: How many may go at once after a pause; nil means as many as `requests`, and less than 1 counts as 1.
    ///   - scope: Which requests are limited together.
    ///   - queueLimit: How many may wait; less than 0 counts as 0.
    ///   - ageing: After how long a waiting request counts as one priority higher; `nil`, the default, for never.
    ///   - clock: Who tells the time.
    public init(
        requests: Int, per duration: Duration, burst: Int? = nil, scope: LimitScope = .all, queueLimit: Int = 1000,
        ageing: Duration? = nil, clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.queueLimit = max(queueLimit, 0)
        let machine = RateLimitState(
            requests: requests, per: duration, burst: burst ?? requests, queueLimit: max(queueLimit, 0),
            ageing: ageing.flatMap { $0 > .zero ? $0 : nil })
        room = WaitingRoom(machine, scope: scope, refusalCode: .rateLimited, clock: clock)
    }

    /// How many requests wait now, in all accounts.
    public var waitingCount: Int { room.waitingCount }

    /// Waits for a token, and sends the request on.
    ///
    /// - Throws: ``ErrandError`` with `rateLimited` or `cancelled`, when nothing was sent; what `next` throws.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        let turn = try await room.enter(request, account: room.account(of: request))
        room.finish(turn.ticket)
        return try await next(turn.request)
    }
}
