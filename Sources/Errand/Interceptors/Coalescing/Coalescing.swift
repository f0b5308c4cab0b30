/// An interceptor that sends identical concurrent requests only once, and returns the response to all of them.
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
/// Only safe requests without a body are shared: GET and HEAD (RFC 9110, section 9.2.1). They must have the same URL,
/// header fields, timeouts, redirect policy, cache policy and body limit. The fields of a ``TraceContext`` are ignored:
/// the transfer belongs to the trace of the first request. Requests with different `Authorization` never share: list
/// this **after** interceptors that add credentials. List it before interceptors that should see a shared transfer only
/// once. Streams, and requests whose redirects a closure decides, are not shared.
///
/// Requests over different transports, or with different client certificates, never share a response. For sharing, a
/// custom ``Transport`` must be a class, or a `Hashable` value that is equal only if it sends with the same identity.
/// Requests over other values are sent separately.
///
/// Cancelling one waiting request does not affect the others; cancelling the last one cancels the transfer. All waiting
/// requests receive a failure. A request after the end of the transfer is sent again, because nothing is stored; use a
/// cache for that. ``ScheduledRequest`` shares the response of one request object; this interceptor shares between
/// objects.
///
/// The transfer uses the stub of the first request. The progress of the others shows only its end. Requests with
/// different ``RequestPriority`` are sent separately, so that none waits with a lower priority than its own.
public final class Coalescing: Interceptor {
    private let transfers = SharedRuns<CoalescingKey, DataResponse, any Error>()
    private let isShared: @Sendable (TransportRequest) -> Bool

    /// Creates an interceptor.
    ///
    /// - Parameter isShared: A closure that decides whether a request that could be shared is shared. It is called on
    ///   the thread that sends the request.
    public init(isShared: @escaping @Sendable (TransportRequest) -> Bool = { _ in true }) {
        self.isShared = isShared
    }

    /// The number of requests that wait for a transfer, including those that started one.
    public var waitingCount: Int { transfers.waiterCount }

    /// Joins the transfer of an identical request, or sends the request.
    ///
    /// - Throws: The failure of the transfer. ``ErrandError`` with `cancelled`, immediately, for a waiting request that
    ///   is cancelled.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        // A transfer that waits for a token must not wait for itself.
        guard !request.streamsResponse, !ProviderCall.isActive, let key = CoalescingKey(request), isShared(request)
        else { return try await next(request) }
        do {
            // A task that is already cancelled must not send anything.
            if Task.isCancelled { throw ErrandError(.cancelled) }
            return try await response(to: request, key: key) { try await next($0) }
        } catch let error as ErrandError {
            throw error.with(request: request.urlRequest)
        }
    }

    private func response(
        to request: TransportRequest, key: CoalescingKey,
        send: @escaping @Sendable (TransportRequest) async throws -> DataResponse
    ) async throws -> DataResponse {
        try await transfers.join(key) { try await send(request) }
    }
}
