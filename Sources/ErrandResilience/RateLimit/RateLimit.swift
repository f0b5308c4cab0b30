public import Errand

/// An interceptor that limits the rate of requests. Further requests wait for their turn.
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
/// It is a token bucket with `burst` tokens. A request takes one, and tokens are added evenly, `requests` in each
/// `duration`. After a pause, `requests` plus `burst` requests may therefore be sent within one `duration`; for a
/// server that counts strictly, choose a small burst. Without a token, a request waits: a higher
/// ``/Errand/RequestPriority`` comes first, and within one priority the earlier request. A request that is cancelled
/// while it waits takes no token.
///
/// A request fails immediately with `rateLimited` if ``queueLimit`` requests already wait, or if its turn would come
/// after its ``/Errand/APIBase/resourceTimeout``. A request whose time passes while others overtake it fails in the
/// same way. In a full queue, a request of a higher priority replaces the last one of the lowest priority. The waiting
/// time is subtracted from the request's time.
///
/// All requests that list the same object share it. Unlike ``ConcurrencyLimit``, it ignores the duration of requests.
public final class RateLimit: Interceptor {
    /// The maximum number of waiting requests for each name of the scope.
    public let queueLimit: Int
    private let queue: AdmissionQueue<RateLimitState>

    /// Creates a rate limit.
    ///
    /// - Parameters:
    ///   - requests: The number of requests in each `duration`; less than 1 counts as 1.
    ///   - duration: The time for that number of requests; zero or less means no limit.
    ///   - burst: The number of requests that may be sent at once after a pause; `nil` means `requests`. Less than 1
    ///     counts as 1, and more than 1,000,000 as 1,000,000.
    ///   - scope: The requests that are limited together.
    ///   - queueLimit: The maximum number of waiting requests; a negative value counts as 0.
    ///   - ageing: The waiting time after which a request counts as one priority higher. `nil`, the default, and zero
    ///     or less mean never.
    ///   - clock: The clock for these times.
    public init(
        requests: Int, per duration: Duration, burst: Int? = nil, scope: LimitScope = .all, queueLimit: Int = 1000,
        ageing: Duration? = nil, clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.queueLimit = max(queueLimit, 0)
        let machine = RateLimitState(
            requests: requests, per: duration, burst: burst ?? requests, queueLimit: max(queueLimit, 0),
            ageing: ageing.flatMap { $0 > .zero ? $0 : nil })
        queue = AdmissionQueue(machine, scope: scope, refusalCode: .rateLimited, clock: clock)
    }

    /// The number of requests that currently wait, for all names of the scope.
    public var waitingCount: Int { queue.waitingCount }

    /// Waits for a token, and sends the request.
    ///
    /// - Throws: ``/Errand/ErrandError`` with `rateLimited` or `cancelled` if nothing was sent, or the error of `next`.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        let turn = try await queue.enter(request)
        queue.finish(turn.ticket)
        return try await next(turn.request)
    }
}
