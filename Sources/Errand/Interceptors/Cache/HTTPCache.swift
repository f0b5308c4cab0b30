/// Answers requests from what earlier ones brought, by the rules of HTTP for a private cache (RFC 9111), with
/// `stale-while-revalidate` and `stale-if-error` (RFC 5861).
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
/// GET is answered and stored, HEAD is answered from a stored GET, and what any other method makes out of date is removed.
/// ``DataResponse/source`` says who answered; a stored answer has an `Age` field, and its
/// ``DataResponse/attempts`` is 0. Requests with a body, a range or conditions of their own pass by, as do streamed
/// answers, unless they may not go to the network. Redirects, and answers that one led to, are not stored. A stored body
/// that is longer than the request's ``TransportRequest/maximumBodySize`` fails it, as it would by way of the network.
///
/// Of requests for the same at the same time, one goes to the network and the rest wait for it. They share its answer
/// where it may be stored and is fresh, and its failure; where it may not be shared, each then asks for itself. Only those
/// wait for one another whose header fields, timeouts, redirect policy, body limit, cache policy and priority are the same,
/// but for the fields of a trace.
///
/// A private cache may store what was asked for with `Authorization`. So that no user gets another's answer, those who
/// show different credentials share nothing: list the cache behind what authenticates, where it can see them, or name the
/// user with `partition`.
///
/// It is an object with a state: keep one for all requests that are to share it. When it goes away, what it refreshes in
/// the background is cancelled.
public final class HTTPCache: Interceptor {
    let answers: CachedAnswers

    /// A cache over a store.
    ///
    /// - Parameters:
    ///   - store: Where answers are kept; in memory by default. Two caches over one store share what is stored.
    ///   - usesHeuristicFreshness: Whether a response with `Last-Modified`, but without `max-age` and `Expires`, is fresh for a tenth
    ///     of the time since it changed (heuristic freshness; RFC 9111, section 4.2.2). It is not by default: the server is asked
    ///     whether the stored response is still valid.
    ///   - maximumRefreshes: How many answers may be refreshed in the background at once, for `stale-while-revalidate`; 4
    ///     by default. What is beyond is refreshed by a later request.
    ///   - partition: What sets users apart, such as the identifier of an account. Answers are shared only within a
    ///     partition; nil, which is the default, takes what the request shows: each header field that a redirect to another
    ///     origin would not take along, such as `Authorization`, `Cookie` or a field of your own, the credential for
    ///     Digest, the URL's user info, and the client certificate of a ``CurlTransport``. Fields of which each request has
    ///     its own do not count: those of a trace, `X-Request-ID`, `X-Correlation-ID`, `Request-ID`, `Idempotency-Key`.
    ///   - shouldStore: Whether an answer that may be stored is; all are by default. It should be quick.
    ///   - now: Who tells the time of day.
    public init(
        store: any CacheStore = MemoryCacheStore(),
        usesHeuristicFreshness: Bool = false,
        maximumRefreshes: Int = 4,
        partition: @escaping @Sendable (URLRequest) -> String? = { _ in nil },
        shouldStore: @escaping @Sendable (URLRequest, DataResponse) -> Bool = { _, _ in true },
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        answers = CachedAnswers(
            store: store, usesHeuristicFreshness: usesHeuristicFreshness, maximumRefreshes: maximumRefreshes,
            partition: partition, shouldStore: shouldStore, now: now)
    }

    deinit {
        answers.cancelRefreshes()
    }

    /// Answers from the cache, or sends the request on and stores what comes.
    ///
    /// Cancelling the calling task ends the wait at once, and what goes to the network too when nobody else waits for it.
    ///
    /// - Throws: What `next` threw; ``ErrandError`` with `notCached` for `returnCacheDataDontLoad` when nothing is stored,
    ///   and with `transportFailed` and `URLError.dataLengthExceedsMaximum` for a stored body that is too long.
    ///
    /// A request that streams its response is not answered from the cache: it only invalidates what its response makes out of
    /// date. One that may not use the network gets status 504 or fails with `notCached`.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        guard request.streamsResponse else { return try await answers.answer(to: request, next: next) }
        if request.isCacheOnly { return try request.answerWithoutNetwork() }
        let response = try await next(request)
        await answers.invalidate(after: request.urlRequest, response)
        return response
    }

    /// Removes what is stored for a URL, for all users and variants; what is under way for it is not stored.
    public func removeEntries(for url: URL) async {
        await answers.removeEntries(for: url)
    }

    /// Removes all that is stored; what is under way is not stored.
    public func removeAll() async {
        await answers.removeAll()
    }

    /// Cancels what is being refreshed in the background, but for what somebody waits for by now.
    public func cancelRefreshes() {
        answers.cancelRefreshes()
    }
}
