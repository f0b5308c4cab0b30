/// An interceptor that responds to requests from stored responses, with the rules of HTTP for a private cache (RFC
/// 9111). It supports `stale-while-revalidate` and `stale-if-error` (RFC 5861).
///
/// ```swift
/// class LibraryAPI: APIBase {
///     static let cache = HTTPCache()
///
///     override init() {
///         super.init()
///         interceptors = [Self.cache]
///     }
/// }
/// ```
///
/// Responses to GET are stored and used for later requests. HEAD uses a stored GET. Other methods remove the responses
/// that they invalidate. The response to a POST is stored if it says that it is what a GET of the URL would return, and
/// how long it is fresh. ``DataResponse/source`` names the source of a response. A stored response has an `Age` field,
/// and its ``DataResponse/attempts`` is 0, unless the server confirmed it for this request.
///
/// Requests with a body or their own conditions always go to the server, and so do requests that stream their response.
/// If they must not use the network, they end as if nothing were stored. A request for one range of bytes is served
/// from a stored complete response without a content coding, if that needs no revalidation or refresh. Other requests
/// for ranges bypass the cache, and a partial response is not stored. Redirects, and responses after a redirect, are
/// not stored. A stored body that is longer than the request's ``TransportRequest/maximumBodySize`` fails the request,
/// as a body from the network would.
///
/// Concurrent requests for a resource that is not stored all go to the server. `Coalescing` of `ErrandResilience` after
/// the cache sends only one of them:
///
/// ```swift
/// interceptors = [Self.cache, Self.coalescing]
/// ```
///
/// A private cache may store responses to requests with `Authorization`. So that no user receives another's response,
/// requests with different credentials share nothing, and the cache runs after all interceptors that may add
/// credentials; see ``InterceptorPlacement``.
///
/// The cache has state: use one instance for all requests that share it. Its deinitialization cancels background
/// refreshes.
public final class HTTPCache: Interceptor {
    let engine: CacheEngine

    /// Creates a cache with a store.
    ///
    /// - Parameters:
    ///   - store: The storage of responses; in memory by default. Two caches with one store share their entries.
    ///   - usesHeuristicFreshness: Whether a response with `Last-Modified`, but without `max-age` and `Expires`, is
    ///     fresh for a tenth of the time between its last change and its `Date` (heuristic freshness; RFC 9111,
    ///     section 4.2.2). `false` by default, so that the cache asks the server whether such a response is still
    ///     valid.
    ///   - maximumRefreshes: The maximum number of concurrent background refreshes for `stale-while-revalidate`; 4 by
    ///     default. Beyond that, a later request refreshes the response.
    ///   - partition: A closure that returns a text that identifies the user, such as an account. Responses are shared
    ///     only within a partition. `nil`, the default, uses the request's own values: each header field that a
    ///     redirect to another origin would drop, such as `Authorization`, `Cookie` or a custom field; the credential
    ///     for Digest; the URL's user info; and the client certificate of a ``CurlTransport``. Fields that are
    ///     different for each request are ignored: trace fields, `X-Request-ID`, `X-Correlation-ID`, `Request-ID`,
    ///     `Idempotency-Key`.
    ///   - shouldStore: A closure that decides whether a response that may be stored is stored; all are by default. It
    ///     should be fast.
    ///   - now: Returns the current date.
    public init(
        store: any CacheStore = MemoryCacheStore(),
        usesHeuristicFreshness: Bool = false,
        maximumRefreshes: Int = 4,
        partition: @escaping @Sendable (URLRequest) -> String? = { _ in nil },
        shouldStore: @escaping @Sendable (URLRequest, DataResponse) -> Bool = { _, _ in true },
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        engine = CacheEngine(
            store: store, usesHeuristicFreshness: usesHeuristicFreshness, maximumRefreshes: maximumRefreshes,
            partition: partition, shouldStore: shouldStore, now: now)
    }

    deinit {
        engine.refreshes.cancel()
    }

    /// After all interceptors that may add credentials.
    public var placement: InterceptorPlacement { .sharing }

    /// Returns a response from the cache, or sends the request and stores the response.
    ///
    /// A request that streams its response does not use stored responses. It only invalidates the entries that its
    /// response makes out of date. If it must not use the network, it receives status 504 or fails with `notCached`.
    ///
    /// - Throws: The error of `next`. ``ErrandError`` with `notCached` for `returnCacheDataDontLoad` if nothing is
    ///   stored, and with `transportFailed` and `URLError.dataLengthExceedsMaximum` for a stored body that is too long.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        guard request.streamsResponse else { return try await engine.response(to: request, next: next) }
        if request.isCacheOnly { return try request.responseWithoutNetwork() }
        let response = try await next(request)
        await engine.invalidate(after: request.urlRequest, response)
        return response
    }

    /// Removes the entries of a URL, for all users and variants. Responses in progress for it are not stored.
    public func removeEntries(for url: URL) async {
        await engine.removeEntries(for: url)
    }

    /// Removes all entries. Responses in progress are not stored.
    public func removeAll() async {
        await engine.removeAll()
    }

    /// Cancels the background refreshes.
    public func cancelRefreshes() {
        engine.refreshes.cancel()
    }
}
