/// An interceptor that returns the response to a GET request again for a fixed time, whatever its header fields say.
///
/// ```swift
/// let library = APIService(baseURL: "library.example.com", interceptors: [TimedCache(for: .seconds(30))])
/// ```
///
/// Use it for servers that do not declare how long their responses are fresh; ``HTTPCache`` follows what they declare.
/// Successful responses are kept in memory, except those after a redirect, whose target may depend on the user.
/// Requests with another method or a body, streams, and requests with a closure as their ``RedirectPolicy`` go to the
/// server.
///
/// Requests share a response if they have equal URLs, header fields, redirect policies, cookie jars, credentials and
/// transports. The fields of a ``TraceContext`` are ignored. Like any interceptor with state, it must be the same
/// object for all requests that share it. `Coalescing` after it sends identical concurrent requests only once.
public final class TimedCache: Interceptor {
    private let lifetime: Duration
    /// Measures the time since the creation of the cache.
    private let timeline: Timeline
    /// The responses, and the time on the timeline when each was stored.
    private let kept: Locked<LeastRecentlyUsed<RequestIdentity, (response: DataResponse, since: Duration)>>

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - lifetime: The time for which a response is returned, from its arrival. With zero or less, none is kept.
    ///   - maximumBytes: The maximum size of all kept bodies, with 1,000 bytes for each response; 16 MiB by default.
    ///     The least recently used responses are removed first.
    ///   - clock: The clock for the lifetime.
    public init(
        for lifetime: Duration, maximumBytes: Int = 16 << 20, clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.lifetime = lifetime
        timeline = Timeline(clock)
        kept = Locked(LeastRecentlyUsed(limit: maximumBytes))
    }

    /// After all interceptors that may add credentials.
    public var placement: InterceptorPlacement { .sharing }

    /// Returns the kept response, or sends the request and keeps its response. A kept body that is longer than the
    /// request's ``TransportRequest/maximumBodySize`` counts as missing.
    ///
    /// The `cachePolicy` of a request applies: a reload goes to the server, and its response replaces the kept one. The
    /// policies that return data of any age do so.
    ///
    /// - Throws: ``ErrandError`` with `notCached` for `returnCacheDataDontLoad` without a kept response, and the
    ///   failure of the request.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        let identity = request.streamsResponse ? nil : request.identity
        let key = identity?.method == "GET" ? identity : nil
        if let key, let response = response(for: key, request.urlRequest.cachePolicy),
            response.data.count <= request.maximumBodySize
        {
            return response.responding(to: request.urlRequest, from: .cache)
        }
        if request.urlRequest.cachePolicy == .returnCacheDataDontLoad { return try request.responseWithoutNetwork() }
        let response = try await next(request)
        guard let key, lifetime > .zero, 200..<300 ~= response.statusCode, !response.body.isStreamed,
            let url = request.urlRequest.url, !response.wasRedirected(from: url)
        else { return response }
        let now = timeline.now
        kept.withLock { _ = $0.insert((response, now), for: key, cost: response.data.count + 1_000) }
        return response
    }

    /// Removes all responses.
    public func removeAll() {
        kept.withLock { $0.removeAll() }
    }

    private func response(for key: RequestIdentity, _ policy: URLRequest.CachePolicy) -> DataResponse? {
        let now = timeline.now
        return kept.withLock { kept in
            // `peek`, because a reload, and finding a response that is too old, do not count as a use.
            guard let found = kept.peek(key) else { return nil }
            switch policy {
            case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData, .reloadRevalidatingCacheData:
                return nil
            case .returnCacheDataElseLoad, .returnCacheDataDontLoad: return kept.use(key)?.response
            default: return now - found.since < lifetime ? kept.use(key)?.response : nil
            }
        }
    }
}
