/// What came from the network, and who may have it.
struct CacheRefill: Sendable {
    /// What others who waited for it may do with it.
    enum Use: Sendable {
        /// It is for whoever asked.
        case byOne
        /// It is for all who waited.
        case byAll
        /// It was stored, and is for those whose terms it meets.
        case stored(CacheEntry)
    }

    let response: DataResponse
    let use: Use
}

extension CachedAnswers {
    /// Asks the server, stores what may be stored, and falls back on what is stored where that is allowed.
    ///
    /// - Parameter stored: What the server is asked about.
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

    /// Notes whether another could have used the answer.
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
            // What the server says now takes the place of what it said then, stored or not.
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
            // It was made out of date while it was stored.
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

    /// The redirect itself is not seen here, so how long it is good for is not known.
    func wasRedirected(_ response: DataResponse, _ question: CacheQuestion) -> Bool {
        (response.metrics?.redirects ?? 0) > 0 || response.url.map { !CacheKey.isSame($0, question.url) } ?? false
    }

    /// The stored answer with the fields, the metrics and the attempts of the 304.
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
