/// Sends identical requests that are under way at the same time only once, and gives all of them the answer.
///
/// ```swift
/// class LibraryAPI: APIBase {
///     static let coalescing = Coalescing()
///     override init() {
///         super.init()
///         interceptors = [Self.coalescing]
///     }
/// }
/// ```
///
/// Only safe requests without a body are shared, GET and HEAD (RFC 9110, section 9.2.1), and only those that are the same
/// in URL, header fields, timeouts, redirect policy and body limit. The fields of a ``TraceContext`` make no difference: the
/// transfer is in the trace of whoever came first. Requests with different `Authorization` never
/// share: list this **behind** whatever adds credentials. It goes in front of whatever should see a shared transfer once.
/// Streams, and requests whose redirects a closure decides, pass by.
///
/// Requests over different transports, or with different client certificates, never share a response. A custom ``Transport``
/// whose requests are to be shared is a class, or a `Hashable` value that is equal only if it sends with the same identity;
/// requests over other values are sent one by one.
///
/// One waiter that is cancelled leaves the others alone; when the last one leaves, the transfer is cancelled. A failure
/// goes to all of them. Whoever comes after the end, or after the last has left, sends anew: nothing is kept, which is
/// what a cache is for. ``ScheduledRequest`` shares one request object's answer; this shares between objects.
///
/// The transfer is that of whoever came first, with its stub and priority; the progress of the others shows its
/// end alone. A request of a higher ``RequestPriority`` than the transfer's does not join it, since it would have to wait
/// in the other's place: it sends its own, and those that come later join that.
public final class Coalescing: Interceptor {
    private let transfers = SharedRuns<CoalescingKey, DataResponse, any Error>()
    private let isShared: @Sendable (TransportRequest) -> Bool

    /// Shares what may be shared.
    ///
    /// - Parameter isShared: Whether a request may be shared, asked of those that otherwise could be; false lets it pass
    ///   by. Called on the thread that sends.
    public init(isShared: @escaping @Sendable (TransportRequest) -> Bool = { _ in true }) {
        self.isShared = isShared
    }

    /// The number of requests that wait for a transfer, including those that started one.
    public var waitingCount: Int { transfers.waiterCount }

    /// Joins the transfer of an identical request, or sends the request on.
    ///
    /// - Throws: What the transfer failed with; ``ErrandError`` with `cancelled` at once for a waiter that is cancelled.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        guard !request.streamsResponse, let key = CoalescingKey(request), isShared(request) else {
            return try await next(request)
        }
        // A transfer that waited for itself would never end.
        let passage = Passage(self, account: request.urlRequest.url?.absoluteString ?? "")
        if passage.isUnderWay { return try await next(request) }
        do {
            // A task that is cancelled before it asks must not send anything.
            if Task.isCancelled { throw ErrandError(.cancelled) }
            return try await answer(to: request, key: key) { request in
                try await passage.run { try await next(request) }
            }
        } catch let error as ErrandError {
            throw error.with(request: request.urlRequest)
        }
    }

    private func answer(
        to request: TransportRequest, key: CoalescingKey,
        send: @escaping @Sendable (TransportRequest) async throws -> DataResponse
    ) async throws -> DataResponse {
        let membership = transfers.join(key, rank: request.priority.rawValue) { _ in
            await .catching { try await send(request) }
        }
        return try await membership.delivery.value
    }
}
