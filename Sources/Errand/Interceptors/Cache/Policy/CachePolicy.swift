/// The decisions of a cache for a request, as pure functions (RFC 9111, section 4; RFC 5861).
enum CachePolicy {
    /// The decision for a request.
    enum Decision: Equatable, Sendable {
        /// Respond with the stored entry.
        case use(ResponseSource)
        /// Respond with the stale stored entry, and refresh it in the background.
        case useAndRefresh
        /// Send the request to the server, and revalidate the stored entry if there is one.
        case load
        /// Respond with 504, because the request must not use the network (`only-if-cached`).
        case gatewayTimeout
        /// Fail, because the request must not use the network (`returnCacheDataDontLoad`).
        case notCached
    }

    /// Decides how to handle a request with these terms.
    ///
    /// - Parameter entry: The stored entry for it; `nil` if it is missing.
    static func decision(_ terms: CacheTerms, entry: CacheEntry?, now: Date) -> Decision {
        let decision = wish(terms, entry: entry, now: now)
        switch decision {
        case .load where terms.use == .anyAgeOnly: return .notCached
        case .load where terms.isCacheOnly: return .gatewayTimeout
        case .useAndRefresh where terms.isCacheOnly: return .use(.stale)
        default: return decision
        }
    }

    /// Returns `true` if the stale stored entry may be used because the server is not available (RFC 5861, section 4).
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

    /// Returns `true` if a status is a server error.
    static func isServerError(_ statusCode: Int) -> Bool { (500...599).contains(statusCode) }

    /// Returns `true` if a stale response may replace a response with this error status (RFC 5861, section 4).
    static func mayBeReplaced(_ statusCode: Int) -> Bool { [500, 502, 503, 504].contains(statusCode) }

    /// Returns `true` if a stale response may replace this failure, because the server sent no response. Other errors
    /// of interceptors are not replaced.
    static func mayBeReplaced(_ error: any Error) -> Bool {
        guard !error.isCancellation else { return false }
        guard let error = error as? ErrandError else { return error.transportCode != nil }
        if error.isRefusedByLimit { return true }
        switch error.code {
        case .timedOut: return true
        // Errors of a custom transport are converted to one of these.
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
            // RFC 8246: a fresh response that never changes is not revalidated.
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
        // A HEAD request would not refresh anything.
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
