/// A response from the network, and the rule for sharing it.
struct CacheUpdate: Sendable {
    /// The rule for other requests that waited for the response.
    enum Use: Sendable {
        /// Only the request that was sent may use it.
        case byOne
        /// All waiting requests may use it.
        case byAll
        /// It was stored, and requests whose terms it meets may use it.
        case stored(CacheEntry)
    }

    let response: DataResponse
    let use: Use
}

extension CacheEngine {
    /// Sends the request to the server, stores the response if allowed, and falls back on a stored response if allowed.
    ///
    /// - Parameter stored: The entry to revalidate; `nil` if it is missing.
    func update(
        _ lookup: CacheLookup, stored: CacheEntry?, next: Next
    ) async throws -> CacheUpdate {
        let claim = claims.withLock { $0.begin(lookup.key.resource) }
        defer { _ = claims.withLock { $0.end(claim) } }
        var requestDate = now()
        var revalidated = stored
        var response: DataResponse
        do {
            response = try await next(lookup.revalidating(stored))
            if response.statusCode == 304, let stored, !isAbout(stored, response, lookup) {
                await store.removeEntry(ofVariant: stored.variant, for: lookup.key)
                revalidated = nil
                requestDate = now()
                response = try await next(lookup.revalidating(nil))
            }
        } catch {
            guard CachePolicy.mayBeReplaced(error), let stale = staleResponse(lookup, stored) else { throw error }
            return stale
        }
        if CachePolicy.mayBeReplaced(response.statusCode), let stale = staleResponse(lookup, stored) { return stale }
        let update = try await keep(response, lookup, stored: revalidated, requestDate: requestDate, claim: claim)
        remember(update, lookup)
        return update
    }

    /// Records whether another request could have used the response.
    private func remember(_ update: CacheUpdate, _ lookup: CacheLookup) {
        guard !CachePolicy.isServerError(update.response.statusCode) else { return }
        var isShared = false
        if case .stored(let entry) = update.use {
            let ordinary = CacheTerms(
                URLRequest(url: lookup.url), usesHeuristicFreshness: usesHeuristicFreshness)
            isShared = CachePolicy.decision(ordinary, entry: entry, now: now()) == .use(.cache)
        }
        unshared.withLock { keys in
            if isShared { keys.remove(lookup.key) } else { _ = keys.insert(true, for: lookup.key, cost: 1) }
        }
    }

    func keep(
        _ response: DataResponse, _ lookup: CacheLookup, stored: CacheEntry?, requestDate: Date, claim: Int
    ) async throws -> CacheUpdate {
        let responseDate = now()
        let isStillGood = response.statusCode == 304
        if isStillGood && stored == nil { return CacheUpdate(response: response, use: .byOne) }
        if isStillGood, let stored { try lookup.checkLength(of: stored.body) }
        let kept = isStillGood ? merging(response, into: stored, date: responseDate) : response
        let directives = CacheControl(kept.headers["Cache-Control"])
        guard mayStore(kept, directives, lookup) else {
            // The new response invalidates the previous one, whether or not it is stored.
            if let stored, !CachePolicy.isServerError(kept.statusCode) {
                await store.removeEntry(ofVariant: stored.variant, for: lookup.key)
            }
            return CacheUpdate(response: kept, use: .byOne)
        }
        var entry = CacheEntry(
            statusCode: kept.statusCode,
            headers: CacheStoring.storedFields(kept.headers, directives: directives), body: kept.data,
            requestDate: requestDate, responseDate: responseDate, variant: "")
        entry.variant = CacheEntry.variant(of: lookup.request.urlRequest, varyingBy: kept.headers)
        guard claims.withLock({ $0.isValid(claim) }) else { return CacheUpdate(response: kept, use: .byOne) }
        if let stored, stored.variant != entry.variant {
            await store.removeEntry(ofVariant: stored.variant, for: lookup.key)
        }
        await store.store(entry, for: lookup.key)
        guard claims.withLock({ $0.isValid(claim) }) else {
            // It was invalidated while it was stored.
            await store.removeEntries(ofResource: lookup.key.resource)
            return CacheUpdate(response: kept, use: .byOne)
        }
        return CacheUpdate(response: kept, use: .stored(entry))
    }

    private func isAbout(_ stored: CacheEntry, _ response: DataResponse, _ lookup: CacheLookup) -> Bool {
        CacheValidation.isAbout(stored, response.headers) && !wasRedirected(response, lookup)
    }

    private func mayStore(_ response: DataResponse, _ directives: CacheControl, _ lookup: CacheLookup) -> Bool {
        CacheStoring.mayStore(
            statusCode: response.statusCode, headers: response.headers, directives: directives, terms: lookup.terms)
            && !wasRedirected(response, lookup) && shouldStore(lookup.request.urlRequest, response)
    }

    /// Returns `true` if the transport followed a redirect. The redirect response itself is not visible here, so its
    /// freshness is not known.
    func wasRedirected(_ response: DataResponse, _ lookup: CacheLookup) -> Bool {
        (response.metrics?.redirects ?? 0) > 0 || response.url.map { !CacheKey.isSame($0, lookup.url) } ?? false
    }

    /// Returns the stored response with the fields, the metrics and the attempts of the 304.
    private func merging(_ response: DataResponse, into stored: CacheEntry?, date: Date) -> DataResponse {
        guard let stored else { return response }
        var merged = DataResponse(
            statusCode: stored.statusCode,
            headers: CacheStoring.updating(stored.headers, with: response.headers, date: date), data: stored.body,
            url: response.url)
        merged.method = response.method
        merged.attempts = response.attempts
        merged.metrics = response.metrics
        merged.source = .revalidated
        return merged
    }

    private func staleResponse(_ lookup: CacheLookup, _ stored: CacheEntry?) -> CacheUpdate? {
        let now = now()
        guard let stored, CachePolicy.mayUseOnError(lookup.terms, entry: stored, now: now) else { return nil }
        return (try? lookup.response(from: stored, source: .stale, now: now)).map {
            CacheUpdate(response: $0, use: .byAll)
        }
    }
}
