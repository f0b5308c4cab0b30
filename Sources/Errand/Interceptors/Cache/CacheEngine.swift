/// The implementation of ``HTTPCache``: it reads the store, applies the policy, and performs the decision.
/// `CacheUpdate.swift` has the part that sends a GET or HEAD, and that stores responses.
///
/// It is separate from the cache so that background work retains this value and not the cache, whose deinitialization
/// cancels the work.
struct CacheEngine: Sendable {
    // The parameters of `HTTPCache.init`, which explains them.
    let store: any CacheStore
    let usesHeuristicFreshness: Bool
    let maximumRefreshes: Int
    let partition: @Sendable (URLRequest) -> String?
    let shouldStore: @Sendable (URLRequest, DataResponse) -> Bool
    let now: @Sendable () -> Date

    let refreshes = CacheRefreshes()
    /// The claims of running requests on their resources. A response is stored only if an invalidation of the resource
    /// has not revoked the claim of its request meanwhile.
    let claims = Locked(Claims())

    /// Returns a response from the store or from the server.
    func response(to request: TransportRequest, next: Next) async throws -> DataResponse {
        guard let lookup = lookup(request) else { return try await responseWithoutLookup(to: request, next: next) }
        let stored = try await entry(for: lookup)
        let now = now()
        switch (CachePolicy.decision(lookup.terms, entry: stored, now: now), stored) {
        case (.use(let source), let stored?):
            return try lookup.response(from: stored, source: source, now: now)
        case (.useAndRefresh, let stored?):
            let response = try lookup.response(from: stored, source: .stale, now: now)
            refresh(lookup, stored: stored, next: next)
            return response
        case (.refuse, _):
            return try request.responseWithoutNetwork()
        // The pairs with `nil` do not occur: without an entry, the decision is to load or to refuse.
        case (.load, _), (.use, nil), (.useAndRefresh, nil):
            return try await lookup.terms.isHead
                ? head(lookup, next: next) : update(lookup, stored: stored, next: next)
        }
    }

    /// Returns the response to a request that is not a plain GET or HEAD: one with another method, a body, a range,
    /// conditions of the caller, or `no-store`.
    private func responseWithoutLookup(to request: TransportRequest, next: Next) async throws -> DataResponse {
        if let part = try await storedPart(for: request) { return part }
        if request.isCacheOnly { return try request.responseWithoutNetwork() }
        let requestDate = now()
        let claim = claims.withLock { $0.begin(request.urlRequest.url.map(CacheKey.resource) ?? "") }
        defer { claims.withLock { $0.end(claim) } }
        let response = try await next(request)
        await invalidate(after: request.urlRequest, response, keeping: claim)
        await keepPostResponse(response, to: request, requestDate: requestDate, claim: claim)
        return response
    }

    /// Removes the entries of a resource, and revokes the claims on it.
    ///
    /// - Parameter claim: The claim that stays: that of the request whose response invalidates the resource, and may
    ///   itself be stored.
    func removeEntries(for url: URL, keeping claim: Int? = nil) async {
        let resource = CacheKey.resource(of: url)
        claims.withLock { $0.revoke(resource, keeping: claim) }
        await store.removeEntries(ofResource: resource)
    }

    func removeAll() async {
        claims.withLock { $0.revokeAll() }
        await store.removeAll()
    }

    /// Removes the entries that a response makes out of date, and revokes the claims on them, except that of the
    /// response's own request.
    func invalidate(after request: URLRequest, _ response: DataResponse, keeping claim: Int? = nil) async {
        for url in CacheInvalidation.outdated(by: request, response) {
            await removeEntries(for: url, keeping: claim)
        }
    }

    func lookup(_ request: TransportRequest) -> CacheLookup? {
        CacheLookup(request, usesHeuristicFreshness: usesHeuristicFreshness, partition: partition)
    }

    /// Returns the entry that the request's terms and header fields allow.
    private func entry(for lookup: CacheLookup) async throws -> CacheEntry? {
        let entry = lookup.terms.use == .none ? nil : await selectedEntry(for: lookup)
        // A store reports no errors, so it may return no entries to a cancelled task.
        if Task.isCancelled { throw ErrandError(.cancelled) }
        return entry
    }

    /// Returns the entry that the request's fields select; the newest of several (RFC 9111, section 4.1).
    func selectedEntry(for lookup: CacheLookup) async -> CacheEntry? {
        await store.entries(for: lookup.key)
            .filter { $0.isSelected(by: lookup.request.urlRequest) }
            .max { $0.responseDate < $1.responseDate }
    }

    /// Returns the part of a stored response that a request with one range selects (RFC 9110, section 14.2); `nil` for
    /// another request, or if no stored response can be used without a refresh.
    private func storedPart(for request: TransportRequest) async throws -> DataResponse? {
        guard let field = request.urlRequest.value(forHTTPHeaderField: "Range"),
            let ranges = HeaderFields([HeaderFields.Field("Range", field)]).byteRanges, ranges.count == 1
        else { return nil }
        var whole = request
        whole.urlRequest.setValue(nil, forHTTPHeaderField: "Range")
        guard let lookup = lookup(whole), !lookup.terms.isHead,
            let entry = try await entry(for: lookup), let part = entry.part(ranges[0])
        else { return nil }
        let now = now()
        guard case .use(let source) = CachePolicy.decision(lookup.terms, entry: entry, now: now) else { return nil }
        return try lookup.response(from: part, source: source, now: now)
    }

    /// Starts a background request that replaces the entry. Its failure is ignored; a later request tries again.
    private func refresh(_ lookup: CacheLookup, stored: CacheEntry?, next: Next) {
        let lookup = lookup.inBackground
        refreshes.begin(lookup.key, limit: maximumRefreshes) {
            _ = try? await update(lookup, stored: stored, next: next)
        }
    }
}

/// The refreshes of stale responses in the background, at most one for each key.
final class CacheRefreshes: Sendable {
    /// The running refreshes.
    let tasks = Locked<[CacheKey: Task<Void, Never>]>([:])

    /// Starts a refresh, unless one runs for this key or `limit` refreshes run.
    func begin(_ key: CacheKey, limit: Int, _ refresh: @escaping @Sendable () async -> Void) {
        tasks.withLock { tasks in
            guard tasks[key] == nil, tasks.count < limit else { return }
            // The task removes itself only after it was stored, because the removal waits for the lock.
            tasks[key] = Task(priority: .utility) {
                await refresh()
                _ = self.tasks.withLock { $0.removeValue(forKey: key) }
            }
        }
    }

    /// Cancels all refreshes.
    func cancel() {
        for task in tasks.withLock({ Array($0.values) }) { task.cancel() }
    }
}

/// The claims of running requests on resources, which decide whether their responses may be stored.
///
/// Code that invalidates a resource revokes the claims on it. The responses of requests that began before that are not
/// stored.
struct Claims: Sendable {
    private var resources: [Int: String] = [:]
    private var begun = 0

    /// Begins a request for a resource and returns its claim.
    mutating func begin(_ resource: String) -> Int {
        begun += 1
        resources[begun] = resource
        return begun
    }

    /// Returns `true` if the claim was not revoked.
    func isValid(_ claim: Int) -> Bool { resources[claim] != nil }

    mutating func end(_ claim: Int) {
        resources[claim] = nil
    }

    /// Revokes all claims on a resource, except one.
    mutating func revoke(_ resource: String, keeping claim: Int? = nil) {
        resources = resources.filter { $0.value != resource || $0.key == claim }
    }

    mutating func revokeAll() {
        resources = [:]
    }
}
