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
