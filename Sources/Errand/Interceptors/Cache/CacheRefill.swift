/// A response from the network, and the rule for sharing it.
struct CacheRefill: Sendable {
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

extension CachedAnswers {
    /// Sends the request to the server, stores the response if allowed, and falls back on a stored response if allowed.
    ///
    /// - Parameter stored: The entry to revalidate; `nil` if it is missing.
    func refill(
        _ question: CacheQuestion, stored: CacheEntry?, next: Next
    ) async throws -> CacheRefill {
        let claim = claims.withLock { $0.begin(question.key.resource) }
        defer { _ = claims.withLock { $0.end(claim) } }
        var requestDate = now()
        var askedAbout = stored
        var response: DataResponse
        do {
            response = try await next(question.asking(about: stored))
            if response.statusCode == 304, let stored, !isAbout(stored, response, question) {
                await store.removeEntry(ofVariant: stored.variant, for: question.key)
                askedAbout = nil
                requestDate = now()
                response = try await next(question.asking(about: nil))
            }
        } catch {
            guard CachePolicy.mayBeReplaced(error), let stale = staleAnswer(question, stored) else { throw error }
            return stale
        }
        if CachePolicy.mayBeReplaced(response.statusCode), let stale = staleAnswer(question, stored) { return stale }
        let refill = try await keep(response, question, stored: askedAbout, requestDate: requestDate, claim: claim)
        remember(refill, question)
        return refill
    }

    /// Records whether another request could have used the response.
    private func remember(_ refill: CacheRefill, _ question: CacheQuestion) {
        guard !CachePolicy.isServerError(refill.response.statusCode) else { return }
        var isShared = false
        if case .stored(let entry) = refill.use {
            let ordinary = CacheTerms(
                URLRequest(url: question.url), usesHeuristicFreshness: usesHeuristicFreshness)
            isShared = CachePolicy.decision(ordinary, entry: entry, now: now()) == .use(.cache)
        }
        unshared.withLock { keys in
            if isShared { keys.remove(question.key) } else { _ = keys.insert(true, for: question.key, cost: 1) }
        }
    }

    private func keep(
        _ response: DataResponse, _ question: CacheQuestion, stored: CacheEntry?, requestDate: Date, claim: Int
    ) async throws -> CacheRefill {
        let responseDate = now()
        let isStillGood = response.statusCode == 304
        if isStillGood && stored == nil { return CacheRefill(response: response, use: .byOne) }
        if isStillGood, let stored { try question.checkLength(of: stored.body) }
        let answer = isStillGood ? merging(response, into: stored, date: responseDate) : response
        let directives = CacheControl(answer.headers["Cache-Control"])
        guard mayStore(answer, directives, question) else {
            // The new response invalidates the previous one, whether or not it is stored.
            if let stored, !CachePolicy.isServerError(answer.statusCode) {
                await store.removeEntry(ofVariant: stored.variant, for: question.key)
            }
            return CacheRefill(response: answer, use: .byOne)
        }
        var entry = CacheEntry(
            statusCode: answer.statusCode,
            headers: CacheStoring.storedFields(answer.headers, directives: directives), body: answer.data,
            requestDate: requestDate, responseDate: responseDate, variant: "")
        entry.variant = CacheEntry.variant(of: question.request.urlRequest, varyingBy: answer.headers)
        guard claims.withLock({ $0.isValid(claim) }) else { return CacheRefill(response: answer, use: .byOne) }
        if let stored, stored.variant != entry.variant {
            await store.removeEntry(ofVariant: stored.variant, for: question.key)
        }
        await store.store(entry, for: question.key)
        guard claims.withLock({ $0.isValid(claim) }) else {
            // It was invalidated while it was stored.
            await store.removeEntries(ofResource: question.key.resource)
            return CacheRefill(response: answer, use: .byOne)
        }
        return CacheRefill(response: answer, use: .stored(entry))
    }

    private func isAbout(_ stored: CacheEntry, _ response: DataResponse, _ question: CacheQuestion) -> Bool {
        CacheValidation.isAbout(stored, response.headers) && !wasRedirected(response, question)
    }

    private func mayStore(_ response: DataResponse, _ directives: CacheControl, _ question: CacheQuestion) -> Bool {
        CacheStoring.mayStore(
            statusCode: response.statusCode, headers: response.headers, directives: directives, terms: question.terms)
            && !wasRedirected(response, question) && shouldStore(question.request.urlRequest, response)
    }

    /// The redirect response itself is not visible here, so its freshness is not known.
    func wasRedirected(_ response: DataResponse, _ question: CacheQuestion) -> Bool {
        (response.metrics?.redirects ?? 0) > 0 || response.url.map { !CacheKey.isSame($0, question.url) } ?? false
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

    private func staleAnswer(_ question: CacheQuestion, _ stored: CacheEntry?) -> CacheRefill? {
        let now = now()
        guard let stored, CachePolicy.mayUseOnError(question.terms, entry: stored, now: now) else { return nil }
        return (try? question.answer(from: stored, source: .stale, now: now)).map {
            CacheRefill(response: $0, use: .byAll)
        }
    }
}
