public import Errand

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
/// Only GET and HEAD requests without a body are shared, which are safe (RFC 9110, section 9.2.1). They must have the
/// same method, URL, header fields, timeouts, accepted status codes and media types, redirect policy, cache policy,
/// body limit, Digest credential and cookie jars. The fields of a ``/Errand/TraceContext`` are ignored: the transfer
/// belongs to the trace of the first request. Requests with different credentials never share: this runs after all
/// interceptors that may add credentials; see ``/Errand/InterceptorPlacement``. List it before interceptors that should
/// see a shared transfer only once. Streams, requests whose redirects a closure decides, and requests for a new token
/// are not shared.
///
/// Requests over different transports, or with different client certificates, never share a response. For sharing, a
/// custom ``/Errand/Transport`` must be a class, or a `Hashable` value that is equal only if it sends with the same
/// identity. Requests over other values are sent separately.
///
/// A request that an interceptor after this one sends during a transfer is not joined with that transfer. Cancelling
/// one waiting request does not affect the others; cancelling the last one cancels the transfer. If the
/// transfer fails, all waiting requests fail. A request after the end of the transfer is sent again, because nothing is
/// stored; use a cache for that. ``/Errand/ScheduledRequest`` shares the response of one request object; this
/// interceptor shares between objects.
///
/// The transfer uses the stub of the first request. The progress of the others shows only its end. Requests with
/// different ``/Errand/RequestPriority`` are sent separately, so that none waits with a lower priority than its own.
public final class Coalescing: Interceptor {
    /// The transfers that wait for the current task. It must not join them, because they would wait for each other. A
    /// task-local value, because the code of interceptors is between a transfer and the request that it sends.
    @TaskLocal private static var waiting: [Transfer] = []

    private struct Transfer: Equatable, Sendable {
        let owner: ObjectIdentifier
        let key: CoalescingKey
    }

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

    /// After all interceptors that may add credentials.
    public var placement: InterceptorPlacement { .sharing }

    /// Joins the transfer of an identical request, or sends the request.
    ///
    /// - Throws: The failure of the transfer. ``/Errand/ErrandError`` with `cancelled`, immediately, for a waiting
    ///   request that is cancelled.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        // The request for a token must not join a transfer that waits for that token.
        guard !request.streamsResponse, !ProviderCall.isActive, let key = CoalescingKey(request), isShared(request)
        else { return try await next(request) }
        let transfer = Transfer(owner: ObjectIdentifier(self), key: key)
        if Self.waiting.contains(transfer) { return try await next(request) }
        do {
            return try await transfers.join(key) {
                try await Self.$waiting.withValue(Self.waiting + [transfer]) { try await next(request) }
            }
        } catch let error as ErrandError {
            throw error.with(request: request.urlRequest)
        }
    }
}

/// The properties of requests that share a transfer.
struct CoalescingKey: Hashable, Sendable {
    private let identity: RequestIdentity
    private let maximumBodySize: Int
    private let timeoutInterval: TimeInterval
    private let resourceTimeout: Duration?
    /// The rules for the response, because a retry inside the transfer depends on them.
    private let rules: ResponseRules
    private let cachePolicy: URLRequest.CachePolicy
    private let priority: RequestPriority

    /// - Returns: `nil` for a request that cannot be shared: with another method than GET and HEAD, or without a
    ///   ``RequestIdentity``.
    init?(_ request: TransportRequest) {
        guard let identity = request.identity, identity.method == "GET" || identity.method == "HEAD" else {
            return nil
        }
        self.identity = identity
        maximumBodySize = request.maximumBodySize
        timeoutInterval = request.urlRequest.timeoutInterval
        resourceTimeout = request.resourceTimeout
        rules = request.rules
        cachePolicy = request.urlRequest.cachePolicy
        priority = request.priority
    }
}
