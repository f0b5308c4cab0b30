/// What a request asks of a cache: its directives (RFC 9111, section 5.2.1), and its `URLRequest.cachePolicy`; and what the
/// cache was told about heuristic freshness.
struct CacheTerms: Sendable {
    /// How stored answers may be used.
    enum Use: Sendable {
        /// By the rules of HTTP.
        case byTheRules
        /// Only after the server said that they are still good.
        case revalidated
        /// Not at all.
        case none
        /// Whatever their age; what is not stored is loaded.
        case anyAge
        /// Whatever their age, and nothing is loaded.
        case anyAgeOnly
    }

    /// How stored answers may be used.
    let use: Use
    /// The request's own directives.
    let directives: CacheControl
    /// Whether the head of the answer is all that is asked for.
    let isHead: Bool
    /// Whether the cache uses heuristic freshness (RFC 9111, section 4.2.2).
    let usesHeuristicFreshness: Bool

    /// The terms of a request.
    init(_ request: URLRequest, usesHeuristicFreshness: Bool) {
        self.usesHeuristicFreshness = usesHeuristicFreshness
        let field = request.value(forHTTPHeaderField: "Cache-Control")
        let pragma = field == nil ? request.value(forHTTPHeaderField: "Pragma") : nil
        // RFC 9111, section 5.4: the one thing that `Pragma` ever said.
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

    /// Whether the network may not be asked.
    var isCacheOnly: Bool { use == .anyAgeOnly || directives.has("only-if-cached") }
    /// Whether another's answer may do, when it comes while this request waits.
    var acceptsOthersAnswer: Bool {
        use != .none && use != .revalidated && !directives.has("no-cache") && directives.seconds("max-age") != 0
    }
}
