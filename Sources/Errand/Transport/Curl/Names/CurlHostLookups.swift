#if canImport(CCurl)
/// The addresses that a name service function returned, and their waiters. Belongs to the loop's thread.
struct CurlHostLookups {
    typealias Function = @Sendable (_ host: String) async throws -> ResolvedHost

    /// A transfer or connection that waits for the addresses of a host.
    enum Waiter {
        case transfer(CurlTransfer)
        case connection(CurlConnection)
    }

    /// The result of a search for the addresses of a host.
    enum Finding {
        /// Errand need not look up the addresses.
        case notNeeded
        /// An entry for libcurl's host table.
        case entry(String)
        /// The function was called, and its result is pending. The loop receives it, or calls ``takeLate(_:)``.
        case waiting(deadline: UInt64)
    }

    private struct Lookup {
        let number: Int
        let task: Task<Void, Never>
        let deadline: UInt64
        var waiters: [Waiter]
    }

    /// Looks up names; `nil` if Errand need not.
    private let function: Function?
    /// The hosts with configured addresses, as `host:port`.
    private let configured: Set<String>
    /// The maximum time of a lookup.
    private let limit: Duration
    private unowned let engine: CurlEngine
    /// The addresses by host, and the time in nanoseconds until which they are valid.
    private var known: [String: (host: ResolvedHost, end: UInt64)] = [:]
    /// The running lookups by host.
    private var lookups: [String: Lookup] = [:]
    /// The number of lookups so far, which is also the number of the latest.
    private var lookupCount = 0

    /// The maximum number of cached hosts.
    private static let capacity = 1_024

    init(_ configuration: CurlConfiguration, mayUseProxy: Bool, engine: CurlEngine) {
        // A proxy looks up names itself, and a Unix-domain socket needs none.
        let isDirect = !mayUseProxy && configuration.unixSocketPath == nil
        function = isDirect ? Self.function(of: configuration.nameService, with: .current) : nil
        configured = configuration.resolvedHostNames
        limit = configuration.connectTimeout
        self.engine = engine
    }

    /// Returns the function that looks up names for a version of libcurl; `nil` if libcurl looks them up itself.
    static func function(of service: NameService, with library: CurlLibrary) -> Function? {
        switch service {
        case .function(let function): function
        // An old libcurl blocks the loop until the lookup of a cancelled transfer has ended.
        case .system: library.has(.waitsForLookups) ? SystemNames.addresses : nil
        case .https: nil
        }
    }

    var isIdle: Bool { lookups.isEmpty }

    /// The earliest deadline of all lookups.
    var nextDeadline: UInt64 { lookups.values.reduce(.max) { min($0, $1.deadline) } }

    /// Returns the addresses of the host of a URL. If they are not known, starts their lookup, or adds `waiter` to it.
    mutating func find(_ url: String, for waiter: Waiter, _ now: UInt64) -> Finding {
        guard let function, let (host, hostAndPort) = Self.host(of: url), !configured.contains(hostAndPort) else {
            return .notNeeded
        }
        if let (found, end) = known[host], end > now { return .entry(Self.entry(hostAndPort, found)) }
        if let deadline = lookups[host]?.deadline {
            lookups[host]?.waiters.append(waiter)
            return .waiting(deadline: deadline)
        }
        lookupCount += 1
        let task = lookUp(host, lookupCount, by: function)
        let lookup = Lookup(number: lookupCount, task: task, deadline: now + limit.nanoseconds, waiters: [waiter])
        lookups[host] = lookup
        return .waiting(deadline: lookup.deadline)
    }

    /// Calls the function in a task, which submits the result to the engine.
    private func lookUp(_ host: String, _ number: Int, by function: @escaping Function) -> Task<Void, Never> {
        Task { [engine] in
            let result: Result<ResolvedHost, any Error>
            do {
                let found = try await function(host)
                if let invalid = found.addresses.first(where: { !Self.isAddress($0) }) {
                    result = Self.failure(
                        "the name service returned \"\(invalid)\" for \(host), which is not an IP address")
                } else if found.addresses.isEmpty {
                    result = Self.failure("the name service has no address of \(host)")
                } else {
                    result = .success(found)
                }
            } catch {
                result = Self.failure("the name service failed for \(host): \(error)")
            }
            engine.submit(.resolved(host, lookup: number, result))
        }
    }

    private static func failure(_ reason: String) -> Result<ResolvedHost, any Error> {
        .failure(TransportFailure(URLError(.cannotFindHost), reason: reason))
    }

    /// Ends a lookup and stores its result. Does nothing for a lookup that ended earlier because it was late: the host
    /// may have another one since then.
    ///
    /// - Returns: The waiters, each with its entry or failure.
    mutating func take(
        _ result: Result<ResolvedHost, any Error>, of host: String, lookup number: Int, _ now: UInt64
    ) -> [(Waiter, Result<String, any Error>)] {
        guard let lookup = lookups[host], lookup.number == number else { return [] }
        lookups[host] = nil
        if case .success(let found) = result {
            if known.count >= Self.capacity { known = known.filter { $0.value.end > now } }
            if known.count >= Self.capacity { known = [:] }
            known[host] = (found, now + found.timeToLive.nanoseconds)
        }
        return lookup.waiters.map { waiter in
            // The waiters may use different ports.
            (waiter, result.map { Self.entry(Self.host(of: waiter.url)?.hostAndPort ?? host, $0) })
        }
    }

    /// Cancels the lookups whose deadline has passed.
    ///
    /// - Returns: The waiters, each with its failure.
    mutating func takeLate(_ now: UInt64) -> [(Waiter, Result<String, any Error>)] {
        let late = lookups.filter { $0.value.deadline <= now }
        return late.flatMap { host, lookup in
            lookup.task.cancel()
            let reason = TimeoutReason(.connecting(limit), .nameLookup(host: host))
            return take(.failure(TransportFailure(timeout: reason)), of: host, lookup: lookup.number, now)
        }
    }

    /// Cancels all lookups.
    ///
    /// - Returns: The waiters, each with its failure.
    mutating func cancelAll() -> [(Waiter, Result<String, any Error>)] {
        defer { lookups = [:] }
        return lookups.values.flatMap { lookup in
            lookup.task.cancel()
            return lookup.waiters.map { ($0, Result<String, any Error>.failure(URLError(.cancelled))) }
        }
    }

    /// Returns the host of a URL, without and with the port; `nil` for an IP address, which needs no lookup.
    private static func host(of url: String) -> (host: String, hostAndPort: String)? {
        let origin = CurlOrigin.name(of: url)
        guard let start = origin.range(of: "://")?.upperBound, let colon = origin.lastIndex(of: ":"), colon > start
        else { return nil }
        let host = String(origin[start..<colon])
        return host.hasPrefix("[") || isAddress(host) ? nil : (host, String(origin[start...]))
    }

    /// Returns an entry of libcurl's host table. Because of the plus sign, libcurl keeps it only as long as the result
    /// of a DNS lookup.
    private static func entry(_ hostAndPort: String, _ found: ResolvedHost) -> String {
        "+\(hostAndPort):\(found.addresses.joined(separator: ","))"
    }

    /// Returns whether a text is an IPv4 or IPv6 address.
    static func isAddress(_ text: String) -> Bool {
        var bytes = in6_addr()
        // The system reads a text only up to a null character.
        return !text.utf8.contains(0) && [AF_INET, AF_INET6].contains { inet_pton($0, text, &bytes) == 1 }
    }
}

extension CurlHostLookups.Waiter {
    fileprivate var url: String {
        switch self {
        case .transfer(let transfer): transfer.exchange.url
        case .connection(let connection): connection.url
        }
    }
}
#endif
