extension CacheEngine {
    /// Sends a HEAD request to the server, and updates the stored response to GET (RFC 9111, section 4.3.5).
    func head(_ lookup: CacheLookup, next: Next) async throws -> DataResponse {
        let claim = claims.withLock { $0.begin(lookup.key.resource) }
        defer { _ = claims.withLock { $0.end(claim) } }
        let requestDate = now()
        let response = try await next(lookup.revalidating(nil))
        guard response.statusCode == 200, !wasRedirected(response, lookup),
            var entry = await selectedEntry(for: lookup),
            let isSame = CacheValidation.isSameRepresentation(entry, response.headers)
        else { return response }
        let headers = CacheStoring.updating(entry.headers, with: response.headers, date: now())
        let directives = CacheControl(headers["Cache-Control"])
        guard isSame, !directives.has("no-store") else {
            await store.removeEntry(ofVariant: entry.variant, for: lookup.key)
            return response
        }
        entry.headers = CacheStoring.storedFields(headers, directives: directives)
        (entry.requestDate, entry.responseDate) = (requestDate, now())
        guard claims.withLock({ $0.isValid(claim) }) else { return response }
        await store.store(entry, for: lookup.key)
        // The entry may have been invalidated while it was stored.
        if !claims.withLock({ $0.isValid(claim) }) {
            await store.removeEntries(ofResource: lookup.key.resource)
        }
        return response
    }
}
