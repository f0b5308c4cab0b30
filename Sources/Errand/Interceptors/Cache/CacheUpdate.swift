// GET and HEAD requests to the server, and the storing of responses. A request begins a claim on its resource before it
// is sent. Code that invalidates the resource meanwhile revokes the claim, and then the response is not stored.
extension CacheEngine {
    /// Sends the request to the server, stores the response if allowed, and falls back on a stored response if allowed.
    ///
    /// - Parameter stored: The entry to revalidate; `nil` if it is missing.
    func update(
        _ lookup: CacheLookup, stored: CacheEntry?, next: Next
    ) async throws -> DataResponse {
        let claim = claims.withLock { $0.begin(lookup.key.resource) }
        defer { claims.withLock { $0.end(claim) } }
        var requestDate = now()
        var confirmable = stored
        var response: DataResponse
        do {
            response = try await next(lookup.revalidating(stored))
            // A 304 for another representation does not help: the request is sent again without conditions.
            if response.statusCode == 304, let stored, !isConfirmed(stored, by: response, lookup) {
                await store.removeEntry(ofVariant: stored.variant, for: lookup.key)
                confirmable = nil
                requestDate = now()
                response = try await next(lookup.revalidating(nil))
            }
        } catch {
            guard CachePolicy.mayBeReplaced(error), let stale = staleResponse(lookup, stored) else { throw error }
            return stale
        }
        // Also an entry that was just removed: a stale response is better than an error.
        if CachePolicy.mayBeReplaced(response.statusCode), let stale = staleResponse(lookup, stored) { return stale }
        return try await keep(response, lookup, stored: confirmable, requestDate: requestDate, claim: claim)
    }

    /// Stores a response if allowed, and returns it; for a 304, the stored response that it confirms.
    ///
    /// - Parameters:
    ///   - stored: The entry that a 304 confirms, and that another response replaces; `nil` if it is missing.
    ///   - requestDate: The time when the request was sent.
    ///   - claim: The claim of the request on the resource. If it was revoked, nothing is stored.
    func keep(
        _ response: DataResponse, _ lookup: CacheLookup, stored: CacheEntry?, requestDate: Date, claim: Int
    ) async throws -> DataResponse {
        let responseDate = now()
        var kept = response
        if response.statusCode == 304 {
            guard let stored else { return response }
            try lookup.checkLength(of: stored.body)
            kept = merging(response, into: stored, date: responseDate)
        }
        let directives = CacheControl(kept.headers["Cache-Control"])
        guard mayStore(kept, directives, lookup) else {
            // A new response that is not a server error invalidates the previous one, even if it is not stored. A
            // reload has not looked for that one yet.
            let previous = lookup.terms.use == .none ? await selectedEntry(for: lookup) : stored
            if let previous, !CachePolicy.isServerError(kept.statusCode) {
                await store.removeEntry(ofVariant: previous.variant, for: lookup.key)
            }
            return kept
        }
        let entry = CacheEntry(
            statusCode: kept.statusCode,
            headers: CacheStoring.storedFields(kept.headers, directives: directives), body: kept.data,
            requestDate: requestDate, responseDate: responseDate,
            variant: CacheEntry.variant(of: lookup.request.urlRequest, varyingBy: kept.headers))
        await save(entry, replacing: stored, for: lookup.key, claim: claim)
        return kept
    }

    /// Stores an entry in place of the previous one, unless the claim was revoked.
    private func save(_ entry: CacheEntry, replacing previous: CacheEntry?, for key: CacheKey, claim: Int) async {
        guard claims.withLock({ $0.isValid(claim) }) else { return }
        // With another `Vary`, the new entry does not replace the previous one in the store.
        if let previous, previous.variant != entry.variant {
            await store.removeEntry(ofVariant: previous.variant, for: key)
        }
        await store.store(entry, for: key)
        // The entry may have been invalidated while it was stored.
        if !claims.withLock({ $0.isValid(claim) }) { await store.removeEntries(ofResource: key.resource) }
    }

    /// Returns `true` if a 304 confirms this entry.
    private func isConfirmed(_ stored: CacheEntry, by response: DataResponse, _ lookup: CacheLookup) -> Bool {
        CacheValidation.isAbout(stored, response.headers) && !response.wasRedirected(from: lookup.url)
    }

    private func mayStore(_ response: DataResponse, _ directives: CacheControl, _ lookup: CacheLookup) -> Bool {
        CacheStoring.mayStore(
            statusCode: response.statusCode, headers: response.headers, directives: directives, terms: lookup.terms)
            && !response.wasRedirected(from: lookup.url) && shouldStore(lookup.request.urlRequest, response)
    }

    /// Returns the stored response with the fields, the metrics and the attempts of the 304.
    private func merging(_ response: DataResponse, into stored: CacheEntry, date: Date) -> DataResponse {
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

    /// Returns the stale stored response, if it may be used because the server is not available.
    private func staleResponse(_ lookup: CacheLookup, _ stored: CacheEntry?) -> DataResponse? {
        let now = now()
        guard let stored, CachePolicy.mayUseOnError(lookup.terms, entry: stored, now: now) else { return nil }
        return try? lookup.response(from: stored, source: .stale, now: now)
    }

    /// Sends a HEAD request to the server, and updates the stored response to GET (RFC 9111, section 4.3.5). Removes it
    /// if the response is about another representation, has another `Vary`, or forbids storage.
    func head(_ lookup: CacheLookup, next: Next) async throws -> DataResponse {
        let claim = claims.withLock { $0.begin(lookup.key.resource) }
        defer { claims.withLock { $0.end(claim) } }
        let requestDate = now()
        let response = try await next(lookup.revalidating(nil))
        guard response.statusCode == 200, !response.wasRedirected(from: lookup.url),
            var entry = await selectedEntry(for: lookup),
            let isSame = CacheValidation.isSameRepresentation(entry, response.headers)
        else { return response }
        let headers = CacheStoring.updating(entry.headers, with: response.headers, date: now())
        let directives = CacheControl(headers["Cache-Control"])
        let variant = CacheEntry.variant(of: lookup.request.urlRequest, varyingBy: headers)
        guard isSame, !directives.has("no-store"), variant == entry.variant else {
            await store.removeEntry(ofVariant: entry.variant, for: lookup.key)
            return response
        }
        entry.headers = CacheStoring.storedFields(headers, directives: directives)
        (entry.requestDate, entry.responseDate) = (requestDate, now())
        await save(entry, replacing: nil, for: lookup.key, claim: claim)
        return response
    }

    /// Stores the response to a POST for later GETs, if the response says that it is the resource at that URL and how
    /// long it is fresh (RFC 9110, section 9.3.3).
    ///
    /// - Parameters:
    ///   - requestDate: The time when the request was sent.
    ///   - claim: The claim of the request on the resource. If it was revoked, nothing is stored.
    func keepPostResponse(_ response: DataResponse, to request: TransportRequest, requestDate: Date, claim: Int) async {
        guard request.urlRequest.httpMethod == "POST", let url = request.urlRequest.url,
            CacheStoring.isResource(response, at: url)
        else { return }
        var get = request
        get.urlRequest.httpMethod = "GET"
        get.urlRequest.httpBody = nil
        get.urlRequest.httpBodyStream = nil
        get.bodyStream = nil
        guard let lookup = lookup(get) else { return }
        _ = try? await keep(response, lookup, stored: nil, requestDate: requestDate, claim: claim)
    }
}
