public import Errand

/// An interceptor that limits the number of concurrent requests. Further requests wait for their turn.
///
/// ```swift
/// class LibraryAPI: APIBase {
///     static let concurrencyLimit = ConcurrencyLimit(4)
///     override init() {
///         super.init()
///         interceptors = [Self.concurrencyLimit]
///     }
/// }
/// ```
///
/// A higher ``/Errand/RequestPriority`` goes first, and within one priority the earlier request. A place is released
/// when the response arrives, when the request fails, and when it is cancelled. The place of a stream is released when
/// its body ends, fails or is released. A stream that is held but not read keeps its place.
///
/// If ``queueLimit`` requests already wait, the next one fails immediately with `concurrencyLimited`. A request whose
/// ``/Errand/APIBase/resourceTimeout`` passes before its turn fails in the same way. In a full queue, a request of a
/// higher priority replaces the last one of the lowest priority, which fails like this too. The waiting time is
/// subtracted from the request's time.
///
/// A request for a new token needs no place, because requests with places may wait for it. Any other request that an
/// interceptor sends through the same limit waits like all others.
///
/// A limit can also adapt to the server, see ``init(adaptingIn:initially:slowAfter:scope:queueLimit:ageing:clock:)``.
///
/// All requests that list the same object share it. A transport has its own limit on connections, which counts
/// differently: over HTTP/2, many requests share a connection.
public final class ConcurrencyLimit: Interceptor {
    /// The maximum number of concurrent requests for each name of the scope; the upper bound of a limit that adapts.
    public let limit: Int
    /// The maximum number of waiting requests for each name of the scope.
    public let queueLimit: Int
    private let queue: AdmissionQueue<ConcurrencyLimitState>
    /// The settings by which the limit adapts; `nil` for a fixed limit.
    private let adaptation: Adaptation?

    private struct Adaptation {
        /// The time above which a request counts as an overload; `nil` for never.
        let slowAfter: Duration?
    }

    /// Creates a fixed limit.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of concurrent requests; less than 1 counts as 1.
    ///   - scope: The requests that are limited together.
    ///   - queueLimit: The maximum number of waiting requests; a negative value counts as 0.
    ///   - ageing: The waiting time after which a request counts as one priority higher. `nil`, the default, and zero
    ///     or less mean never.
    ///   - clock: The clock for these times.
    public convenience init(
        _ limit: Int, scope: LimitScope = .all, queueLimit: Int = 1000, ageing: Duration? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        let limit = max(limit, 1)
        self.init(
            AdaptiveLimit(limit, in: limit...limit, decrease: 1), limit: limit, adaptation: nil, scope: scope,
            queueLimit: queueLimit, ageing: ageing, clock: clock)
    }

    /// Creates a limit that adapts to the server by additive increase and multiplicative decrease, as TCP does (RFC
    /// 5681).
    ///
    /// An overload reduces the limit by a quarter: a response with status 429 or 503, a response that took longer than
    /// `slowAfter`, or a timeout, unless the request waited for its turn for more than half of its time. Other requests
    /// that were running at that time do not reduce it again. Without overload, and if at least half of the limit is in
    /// use, it grows by about 1 each time that all places have been used once. Other failures, responses of a cache and
    /// other status codes from 500 do not change it, however long they take.
    ///
    /// ```swift
    /// static let concurrencyLimit = ConcurrencyLimit(adaptingIn: 1...100, slowAfter: .seconds(2), scope: .origin)
    /// ```
    ///
    /// - Parameters:
    ///   - range: The minimum and the maximum of the limit. Bounds below 1 count as 1.
    ///   - initial: The initial limit; 10 by default. A value outside the range counts as the nearest bound.
    ///   - slowAfter: The time from a request's turn to its response above which the request counts as an overload;
    ///     `nil`, the default, for never.
    ///   - scope: The requests that are limited together, with a separate limit; by default, those to one origin.
    ///   - queueLimit: The maximum number of waiting requests; a negative value counts as 0.
    ///   - ageing: The waiting time after which a request counts as one priority higher. `nil`, the default, and zero
    ///     or less mean never.
    ///   - clock: The clock for these times.
    public convenience init(
        adaptingIn range: ClosedRange<Int>, initially initial: Int = 10, slowAfter: Duration? = nil,
        scope: LimitScope = .origin, queueLimit: Int = 1000, ageing: Duration? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        let range = max(range.lowerBound, 1)...max(range.upperBound, 1)
        self.init(
            AdaptiveLimit(initial, in: range, decrease: 0.75), limit: range.upperBound,
            adaptation: Adaptation(slowAfter: slowAfter), scope: scope, queueLimit: queueLimit, ageing: ageing,
            clock: clock)
    }

    private init(
        _ initial: AdaptiveLimit, limit: Int, adaptation: Adaptation?, scope: LimitScope, queueLimit: Int,
        ageing: Duration?, clock: any Clock<Duration>
    ) {
        self.limit = limit
        self.adaptation = adaptation
        self.queueLimit = max(queueLimit, 0)
        let machine = ConcurrencyLimitState(
            initial, queueLimit: max(queueLimit, 0), ageing: ageing.flatMap { $0 > .zero ? $0 : nil })
        queue = AdmissionQueue(machine, scope: scope, refusalCode: .concurrencyLimited, clock: clock)
    }

    /// Returns the current limit for requests to a URL.
    public func limit(for url: URL) -> Int {
        let account = queue.account(of: TransportRequest(URLRequest(url: url)))
        return queue.read { $0.limit(of: account) }
    }

    /// The number of requests that currently wait, for all names of the scope.
    public var waitingCount: Int { queue.waitingCount }

    /// As listed: it adds no credentials.
    public var placement: InterceptorPlacement { .asListed }

    /// Waits for a place, and sends the request.
    ///
    /// - Throws: ``/Errand/ErrandError`` with `concurrencyLimited` or `cancelled` if nothing was sent, or the error of
    ///   `next`.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        // The requests with places may wait for the token that this request gets.
        if ProviderCall.isActive { return try await next(request) }
        let turn = try await queue.enter(request)
        do {
            let response = try await next(turn.request)
            learn(from: .success(response), turn.ticket)
            return response.watched { [queue] _, _ in queue.finish(turn.ticket) }
        } catch {
            // A timeout says something about the server only if at least half of the request's time was left after its
            // wait for the turn.
            let whole = request.resourceTimeout?.bounded ?? .zero
            let left = turn.request.resourceTimeout?.bounded ?? .zero
            if left * 2 >= whole { learn(from: .failure(error), turn.ticket) }
            queue.finish(turn.ticket)
            throw error
        }
    }

    /// Adjusts a limit that adapts.
    private func learn(from outcome: Result<DataResponse, any Error>, _ ticket: Int) {
        guard let adaptation, let isOverload = outcome.isOverload else { return }
        queue.update { machine, now in
            machine.learn(from: ticket, isOverload: isOverload, slowAfter: adaptation.slowAfter, now: now)
        }
    }
}

extension Result<DataResponse, any Error> {
    /// Whether the outcome shows an overload of the server; `nil` if it says nothing about that.
    fileprivate var isOverload: Bool? {
        switch self {
        case .success(let response):
            guard response.source.isFromServer else { return nil }
            if [429, 503].contains(response.statusCode) { return true }
            // Other server errors have causes other than the number of requests.
            return response.statusCode < 500 ? false : nil
        case .failure(let error):
            return error.transportCode == .timedOut ? true : nil
        }
    }
}
