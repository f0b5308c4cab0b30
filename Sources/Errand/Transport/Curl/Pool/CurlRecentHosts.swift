#if canImport(CCurl)
/// The hosts of recent requests. They keep libcurl's tables small, so that each request takes the same time, however
/// many hosts there are.
///
/// libcurl has two tables with an entry for each host, and searches all entries when a request starts or ends:
///
/// - It keeps the address of a host for one minute. Errand removes the addresses of hosts that are no longer recent.
/// - Before 8.10, it keeps an entry for each host whose idle connection it closed to make room for another. Therefore
///   the connection of the first request to a host is not kept if there are many connections: see
///   ``CurlPool/Start/isOnlyUse``.
///
/// A pure value.
struct CurlRecentHosts {
    /// The number of hosts in a group. When a group is full, the hosts of the group before it are no longer recent.
    private let capacity: Int
    /// The hosts with configured addresses, which libcurl never removes, as `host:port`.
    private let configured: Set<String>
    private var latestOrigin = ""
    /// The hosts of the current group.
    private var recent: Set<String> = []
    /// The hosts of the group before it, and older ones that are in use.
    private var older: Set<String> = []

    /// The effect of the start of a request on libcurl's tables.
    struct Use: Equatable {
        /// Whether no recent request had the same host.
        var isFirst = false
        /// The entries of libcurl's host table that remove the addresses of hosts that are no longer recent.
        var removals: [String] = []
    }

    init(_ configuration: CurlConfiguration) {
        capacity = max(configuration.maximumConnections, 1)
        configured = configuration.resolvedHostNames
    }

    /// Records the start of a request.
    ///
    /// - Parameters:
    ///   - origin: The origin of the request, in the form of ``CurlOrigin/name(of:)``.
    ///   - isUsed: Returns whether a host, as `host:port`, has requests. Its addresses are not removed, because libcurl
    ///     reads an address again while a request waits for a connection.
    mutating func use(_ origin: String, isUsed: (_ host: String) -> Bool) -> Use {
        guard origin != latestOrigin else { return Use() }
        latestOrigin = origin
        let host = origin.range(of: "://").map { String(origin[$0.upperBound...]) } ?? origin
        guard recent.insert(host).inserted else { return Use() }
        var use = Use(isFirst: !older.contains(host))
        guard recent.count >= capacity else { return use }
        // `recent` is full: its hosts become the older ones, and the previous older ones are forgotten, except those
        // in use.
        let leaving = older.subtracting(recent)
        // libcurl cannot remove an IPv6 address, because it expects the port after the first colon.
        let removed = leaving.filter { !configured.contains($0) && !$0.hasPrefix("[") && !isUsed($0) }
        use.removals = removed.map { "-\($0)" }
        older = recent.union(leaving.filter(isUsed))
        recent = []
        return use
    }
}
#endif
