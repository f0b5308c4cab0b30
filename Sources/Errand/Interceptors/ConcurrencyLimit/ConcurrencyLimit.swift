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
/// its turn comes. The time spent waiting is taken off the time it has.
///
/// A request that an interceptor after this one sends through the same limit, such as one for a new token, needs no place:
/// it shares the place of a request that waits for it, even if that request begins to wait later.
///
/// All requests that list the same object share it. A transport has a cap on connections of its own, which counts
/// differently: over HTTP/2, many requests share a connection.
public final class ConcurrencyLimit: Interceptor {
    /// How many requests may be under way, in each account of the scope.
    public let limit: Int
    /// How many requests may wait, in each account of the scope.
    public let queueLimit: Int
    private let room: WaitingRoom<ConcurrencyLimitState>

    /// A limit of so many requests at once.
    ///
    /// - Parameters:
    ///   - limit: How many may be under way; less than 1 counts as 1.
    ///   - scope: Which requests are limited together.
    ///   - queueLimit: How many may wait; less than 0 counts as 0.
    ///   - clock: Who tells the time.
    public init(
        _ limit: Int, scope: LimitScope = .all, queueLimit: Int = 1000, clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.limit = max(limit, 1)
        self.queueLimit = max(queueLimit, 0)
        let machine = ConcurrencyLimitState(limit: max(limit, 1), queueLimit: max(queueLimit, 0))
        room = WaitingRoom(machine, scope: scope, refusalCode: .concurrencyLimited, clock: clock)
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
            return try await passage.run { try await next(turn.request) }.watched { [room] _, _ in
                room.finish(turn.ticket)
            }
        } catch {
            room.finish(turn.ticket)
            throw error
        }
    }
}
