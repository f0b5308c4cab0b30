/// What a cache does with a request: values in, a decision out (RFC 9111, section 4; RFC 5861).
enum CachePolicy {
    /// What is to be done.
    enum Decision: Equatable, Sendable {
        /// Answer with what is stored.
        case use(ResponseSource)
        /// Answer with what is stored, which is out of date, and ask the server meanwhile.
        case useAndRefresh
        /// Ask the server; about what is stored, where something is.
        case load
        /// Answer 504, since the network may not be asked (`only-if-cached`).
        case gatewayTimeout
        /// Fail, since the network may not be asked (`returnCacheDataDontLoad`).
        case notCached
    }

    /// What is to be done with a request of these terms.
    ///
    /// - Parameter entry: What is stored for it, if anything.
    static func decision(_ terms: CacheTerms, entry: CacheEntry?, now: Date) -> Decision {
        let decision = wish(terms, entry: entry, now: now)
        switch decision {
        case .load where terms.use == .anyAgeOnly: return .notCached
        case .load where terms.isCacheOnly: return .gatewayTimeout
        case .useAndRefresh where terms.isCacheOnly: return .use(.stale)
        default: return decision
        }
    }

    /// Whether what is stored may be used though it is out of date, since the server cannot be asked
    /// (RFC 5861, section 4).
    static func mayUseOnError(_ terms: CacheTerms, entry: CacheEntry, now: Date) -> Bool {
        let directives = entry.directives
        guard terms.use != .none, terms.use != .revalidated, !terms.directives.has("no-cache"),
            !forbidsStale(directives)
        else { return false }
        let allowances = [directives, terms.directives].compactMap { $0.seconds("stale-if-error") }
        guard let allowance = allowances.max() else { return false }
        let freshness = CacheFreshness(entry, heuristic: terms.usesHeuristicFreshness, now: now)
        return freshness.staleness <= TimeInterval(allowance)
    }

    /// Whether an answer says that the server cannot serve.
    static func isServerError(_ statusCode: Int) -> Bool { (500...599).contains(statusCode) }

    /// Whether an answer is an error in whose place a stale one may come (RFC 5861, section 4).
    static func mayBeReplaced(_ statusCode: Int) -> Bool { [500, 502, 503, 504].contains(statusCode) }

    /// Whether a failure is one in whose place a stale answer may come: no answer came from the server. What an
    /// interceptor throws for a reason of its own is to be seen.
    static func mayBeReplaced(_ error: any Error) -> Bool {
        guard !error.isCancellation else { return false }
        guard let error = error as? ErrandError else { return error.transportCode != nil }
        switch error.code {
        // What a breaker or a limit behind the cache keeps from the server is as little an answer.
        case .timedOut, .circuitOpen, .rateLimited, .concurrencyLimited: return true
        // Whatever a custom transport throws becomes one of these.
        case .transportFailed: return error.underlyingError == nil || error.transportCode != nil
        default: return false
        }
    }

    private static func wish(_ terms: CacheTerms, entry: CacheEntry?, now: Date) -> Decision {
        guard let entry, terms.use != .none else { return .load }
        let freshness = CacheFreshness(entry, heuristic: terms.usesHeuristicFreshness, now: now)
        if terms.use == .anyAge || terms.use == .anyAgeOnly { return .use(freshness.isFresh ? .cache : .stale) }
        let directives = entry.directives
        if directives.isUnqualified("no-cache") || terms.directives.has("no-cache") { return .load }
        if terms.use == .revalidated {
            // RFC 8246: what never changes is not asked about while it is fresh.
            return freshness.isFresh && directives.has("immutable") ? .use(.cache) : .load
        }
        if let limit = terms.directives.seconds("max-age"), freshness.age > TimeInterval(limit) { return .load }
        if let margin = terms.directives.seconds("min-fresh"), -freshness.staleness < TimeInterval(margin) {
            return .load
        }
        if freshness.isFresh { return .use(.cache) }
        if forbidsStale(directives) { return .load }
        if accepts(staleness: freshness.staleness, terms.directives) { return .use(.stale) }
        let window = directives.seconds("stale-while-revalidate") ?? 0
        // A HEAD would refresh nothing.
        let mayRefreshLater = !terms.isHead && window > 0 && freshness.staleness <= TimeInterval(window)
        return mayRefreshLater ? .useAndRefresh : .load
    }

    private static func accepts(staleness: TimeInterval, _ directives: CacheControl) -> Bool {
        guard directives.has("max-stale") else { return false }
        return directives.isBare("max-stale") || staleness <= TimeInterval(directives.seconds("max-stale") ?? 0)
    }

    private static func forbidsStale(_ directives: CacheControl) -> Bool {
        directives.has("must-revalidate") || directives.isUnqualified("no-cache")
    }
}
