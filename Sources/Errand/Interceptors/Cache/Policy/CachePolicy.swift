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
        /// Respond as ``TransportRequest/responseWithoutNetwork()``, because the request must not use the network.
        case refuse
    }

    /// Decides how to handle a request with these terms.
    ///
    /// - Parameter entry: The stored entry for it; `nil` if it is missing.
    static func decision(_ terms: CacheTerms, entry: CacheEntry?, now: Date) -> Decision {
        let decision = decisionWithNetwork(terms, entry: entry, now: now)
        switch decision {
        case .load where terms.isCacheOnly: return .refuse
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

    /// Returns `true` if a status is a server error. If such a response is not stored itself, the stored one is kept.
    static func isServerError(_ statusCode: Int) -> Bool { (500...599).contains(statusCode) }

    /// Returns `true` if a stale response may replace a response with this error status (RFC 5861, section 4).
    static func mayBeReplaced(_ statusCode: Int) -> Bool { [500, 502, 503, 504].contains(statusCode) }

    /// Returns `true` if a stale response may replace this failure, because the server sent no complete response. An
    /// error that an interceptor makes for another reason is not replaced, nor is that of a response that is too long.
    static func mayBeReplaced(_ error: any Error) -> Bool {
        guard !error.isCancellation, error.transportCode != .dataLengthExceedsMaximum else { return false }
        guard let error = error as? ErrandError else { return error.transportCode != nil }
        // A limit, such as an open circuit breaker, refused the request in place of the server.
        if error.isRefusedByLimit { return true }
        switch error.code {
        case .timedOut: return true
        // A cause that is not a `URLError` is that of a stub or a custom transport, and can mean anything.
        case .transportFailed: return error.underlyingError == nil || error.transportCode != nil
        default: return false
        }
    }

    /// Returns the decision for a request that may use the network.
    private static func decisionWithNetwork(_ terms: CacheTerms, entry: CacheEntry?, now: Date) -> Decision {
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
        // The negative staleness is the time for which the response remains fresh.
        if let margin = terms.directives.seconds("min-fresh"), -freshness.staleness < TimeInterval(margin) {
            return .load
        }
        if freshness.isFresh { return .use(.cache) }
        if forbidsStale(directives) { return .load }
        if accepts(staleness: freshness.staleness, terms.directives) { return .use(.stale) }
        let window = directives.seconds("stale-while-revalidate") ?? 0
        // A refresh in the background stores its response, and only that of a GET can be stored.
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

/// The requirements of a request for a cache: its directives (RFC 9111, section 5.2.1), its `URLRequest.cachePolicy`,
/// and the cache's setting for heuristic freshness.
struct CacheTerms: Sendable {
    /// The allowed use of stored responses.
    enum Use: Sendable {
        /// With the rules of HTTP.
        case byTheRules
        /// Only after revalidation by the server.
        case revalidated
        /// No use.
        case none
        /// Regardless of their age. A missing response is loaded.
        case anyAge
        /// Regardless of their age, and nothing is loaded.
        case anyAgeOnly
    }

    /// The allowed use of stored responses.
    let use: Use
    /// The request's own directives.
    let directives: CacheControl
    /// Whether only the head of the response is requested.
    let isHead: Bool
    /// Whether the cache uses heuristic freshness (RFC 9111, section 4.2.2).
    let usesHeuristicFreshness: Bool

    /// Creates the terms of a request.
    init(_ request: URLRequest, usesHeuristicFreshness: Bool) {
        self.usesHeuristicFreshness = usesHeuristicFreshness
        let field = request.value(forHTTPHeaderField: "Cache-Control")
        let pragma = field == nil ? request.value(forHTTPHeaderField: "Pragma") : nil
        // RFC 9111, section 5.4: `no-cache` is the only defined directive of `Pragma`.
        directives = CacheControl(field ?? pragma.flatMap { CacheControl($0).has("no-cache") ? "no-cache" : nil })
        isHead = request.httpMethod == "HEAD"
        use =
            switch request.cachePolicy {
            case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData: .none
            case .reloadRevalidatingCacheData: .revalidated
            case .returnCacheDataElseLoad: .anyAge
            case .returnCacheDataDontLoad: .anyAgeOnly
            default: .byTheRules
            }
    }

    /// Whether the request must not use the network.
    var isCacheOnly: Bool { use == .anyAgeOnly || directives.has("only-if-cached") }
}

/// The age and the freshness lifetime of a stored response in seconds (RFC 9111, section 4.2).
struct CacheFreshness: Equatable, Sendable {
    /// The freshness lifetime, from the time when the server created the response.
    let lifetime: TimeInterval
    /// The time since the server created the response.
    let age: TimeInterval

    /// Whether the response is fresh.
    var isFresh: Bool { lifetime > age }
    /// The time since the response became stale; negative while it is fresh.
    var staleness: TimeInterval { age - lifetime }

    /// Computes the values of an entry from its fields and dates at a given time.
    ///
    /// - Parameters:
    ///   - heuristic: Whether `Last-Modified` gives a lifetime to an entry without an explicit one.
    ///   - now: The current time, also used to read dates whose year has two digits.
    init(_ entry: CacheEntry, heuristic: Bool, now: Date) {
        let date = entry.headers["Date"].flatMap { HTTPDate($0, now: now)?.date } ?? entry.responseDate
        lifetime = Self.lifetime(of: entry, date: date, heuristic: heuristic, now: now)
        age = Self.age(of: entry, date: date, now: now)
    }

    /// Returns the freshness lifetime: the first of `max-age`, `Expires` and the heuristic (sections 4.2.1 and 4.2.2).
    /// The heuristic is a tenth of the time from `Last-Modified` to `Date`, if it is enabled, and the status or
    /// `public` allows it. An invalid `Expires` counts as past (section 5.3). `s-maxage` is for shared caches only.
    private static func lifetime(of entry: CacheEntry, date: Date, heuristic: Bool, now: Date) -> TimeInterval {
        let directives = entry.directives
        if let seconds = directives.seconds("max-age") { return TimeInterval(seconds) }
        let expirations = Set(entry.headers[values: "Expires"])
        if let expires = expirations.first {
            // A date in HTTP is in GMT (RFC 9110, section 5.6.7). `HTTPDate` also reads UTC, but it is safer to count
            // such a date as past.
            guard expirations.count == 1, !expires.uppercased().contains("UTC"),
                let end = HTTPDate(expires, now: now)?.date
            else { return 0 }
            return max(0, end.timeIntervalSince(date))
        }
        let allowsHeuristic = CacheStoring.heuristicStatusCodes.contains(entry.statusCode) || directives.has("public")
        guard heuristic, allowsHeuristic,
            let changed = entry.headers["Last-Modified"].flatMap({ HTTPDate($0, now: now)?.date })
        else { return 0 }
        return max(0, date.timeIntervalSince(changed)) / 10
    }

    /// Computes the age as in section 4.2.3, but no part of it is negative. If the clock was set back since the
    /// response came, the response does not seem younger: the difference counts as time in the cache.
    private static func age(of entry: CacheEntry, date: Date, now: Date) -> TimeInterval {
        let field = entry.headers[values: "Age"].first?.split(separator: ",").first
        let stated = field.flatMap { CacheControl.seconds(in: $0.trimmingCharacters(in: .whitespaces)) } ?? 0
        let apparent = max(0, entry.responseDate.timeIntervalSince(date))
        let delay = max(0, entry.responseDate.timeIntervalSince(entry.requestDate))
        let resident = abs(now.timeIntervalSince(entry.responseDate))
        return max(apparent, TimeInterval(stated) + delay) + resident
    }
}
