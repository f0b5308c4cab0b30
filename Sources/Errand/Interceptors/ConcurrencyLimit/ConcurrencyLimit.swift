/// Has no more requests under way at once than a server likes; the others wait for their turn.
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
/// The higher ``RequestPriority`` goes first, and within one the earlier. A place is given back when the answer is there,
/// when the request fails, and when it is cancelled; that of a stream when its body has been read to its end or broke
/// off, or when nobody holds it any more. A stream that is held and not read keeps its place.
///
/// Beyond ``queueLimit`` waiting requests the next one fails at once with
/// ``ErrandError/Code-swift.struct/concurrencyLimited``, and so does one whose ``APIBase/resourceTimeout`` is over before
/// its turn comes. In a full line, the last of those with the lowest priority gives way to a request of a higher one, and fails
/// like this too. The time spent waiting is taken off the time it has.
///
/// A request that an interceptor after this one sends through the same limit, such as one for a new token, needs no place:
/// it shares the place of a request that waits for it, even if that request begins to wait later.
///
/// A limit can also adapt to what the server takes, see ``init(adaptingIn:initially:slowAfter:scope:queueLimit:ageing:clock:)``.
///
/// All requests that list the same object share it. A transport has a cap on connections of its own, which counts
/// differently: over HTTP/2, many requests share a connection.
public final class ConcurrencyLimit: Interceptor {
    /// How many requests may be under way, in each account of the scope; the most, of a limit that adapts.
    public let limit: Int
    /// How many requests may wait, in each account of the scope.
    public let queueLimit: Int
    private let room: WaitingRoom<ConcurrencyLimitState>
    /// What the limit learns from; `nil` for a fixed limit.
    private let lesson: Lesson?

    private struct Lesson {
        let slowAfter: Duration?
    }

    /// A limit of so many requests at once.
    ///
    /// - Parameters:
    ///   - limit: How many may be under way; less than 1 counts as 1.
    ///   - scope: Which requests are limited together.
    ///   - queueLimit: How many may wait; less than 0 counts as 0.
    ///   - ageing: After how long a waiting request counts as one priority higher; `nil`, the default, for never.
    ///   - clock: Who tells the time.
    public convenience init(
        _ limit: Int, scope: LimitScope = .all, queueLimit: Int = 1000, ageing: Duration? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        let limit = max(limit, 1)
        self.init(
            AdaptiveLimit(limit, in: limit...limit, decrease: 1), limit, nil, scope, queueLimit, ageing, clock)
    }

    /// A limit that adapts to what the server takes: additive increase, multiplicative decrease, as TCP does (RFC 5681).
    ///
    /// An overload makes the limit smaller by a quarter: a response with status 429 or 503, a timeout, or a response that
    /// took longer than `slowAfter`. Requests that were under way at that time do not make it smaller again. While there is
    /// no overload and at least half of the limit is in use, it grows, by about 1 for each time that all its places have
    /// been used once. Other failures and responses of a cache change nothing.
    ///
    /// ```swift
    /// static let concurrencyLimit = ConcurrencyLimit(adaptingIn: 1...100, slowAfter: .seconds(2), scope: .origin)
    /// ```
    ///
    /// - Parameters:
    ///   - range: The least and the most that may be under way. Bounds below 1 count as 1.
    ///   - initial: The limit to begin with; 10 by default. What is outside of the range counts as the nearest bound.
    ///   - slowAfter: How long a request may take, from its turn to its response, until it counts as an overload; `nil`, the
    ///     default, for any time.
    ///   - scope: Which requests are limited together, with a limit of their own; by default, those to one origin.
    ///   - queueLimit: How many may wait; less than 0 counts as 0.
    ///   - ageing: After how long a waiting request counts as one priority higher; `nil`, the default, for never.
    ///   - clock: Who tells the time.
    public convenience init(
        adaptingIn range: ClosedRange<Int>, initially initial: Int = 10, slowAfter: Duration? = nil,
        scope: LimitScope = .origin, queueLimit: Int = 1000, ageing: Duration? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        let range = max(range.lowerBound, 1)...max(range.upperBound, 1)
        self.init(
            AdaptiveLimit(initial, in: range, decrease: 0.75), range.upperBound, Lesson(slowAfter: slowAfter), scope,
            queueLimit, ageing, clock)
    }

    private init(
        _ initial: AdaptiveLimit, _ limit: Int, _ lesson: Lesson?, _ scope: LimitScope, _ queueLimit: Int,
        _ ageing: Duration?, _ clock: any Clock<Duration>
    ) {
        self.limit = limit
        self.lesson = lesson
        self.queueLimit = max(queueLimit, 0)
        let machine = ConcurrencyLimitState(
            initial, queueLimit: max(queueLimit, 0), ageing: ageing.flatMap { $0 > .zero ? $0 : nil })
        room = WaitingRoom(machine, scope: scope, refusalCode: .concurrencyLimited, clock: clock)
    }

    /// How many requests may be under way now in the account of requests to a URL.
    public func limit(for url: URL) -> Int {
        let account = room.account(of: TransportRequest(URLRequest(url: url)))
        return room.read { $0.limit(of: account) }
    }

    /// How many requests wait now, in all accounts.
    public var waitingCount: Int { room.waitingCount }

    /// Waits for a place, and sends the request on.
    ///
    /// - Throws: ``ErrandError`` with `concurrencyLimited` or `cancelled`, when nothing was sent; what `next` throws.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        let account = room.account(of: request)
        let passage = Passage(self, account: account)
        if passage.isUnderWay { return try await next(request) }
        let turn = try await room.enter(request, account: account, orJoining: passage)
        do {
            let response = try await passage.run { try await next(turn.request) }
            learn(from: .success(response), turn.ticket)
            return response.watched { [room] _, _ in room.finish(turn.ticket) }
        } catch {
            // A timeout after a long wait for the turn says nothing about the server.
            let hadTime = turn.request.resourceTimeout.map { $0 * 2 >= request.resourceTimeout?.bounded ?? $0 } ?? true
            if hadTime { learn(from: .failure(error), turn.ticket) }
            room.finish(turn.ticket)
            throw error
        }
    }

    private func learn(from outcome: Result<DataResponse, any Error>, _ ticket: Int) {
        guard let lesson, let isOverload = outcome.isOverload else { return }
        room.update { machine, now in
            machine.learn(from: ticket, isOverload: isOverload, slowAfter: lesson.slowAfter, now: now)
        }
    }
}

extension Result<DataResponse, any Error> {
    /// Whether the server has more to do than it can; `nil` if this says nothing about it.
    fileprivate var isOverload: Bool? {
        switch self {
        case .success(let response):
            guard response.source == .network || response.source == .revalidated else { return nil }
            return [429, 503].contains(response.statusCode) ? true : response.statusCode < 500 ? false : nil
        case .failure(let error):
            return error.transportCode == .timedOut ? true : nil
        }
    }
}
