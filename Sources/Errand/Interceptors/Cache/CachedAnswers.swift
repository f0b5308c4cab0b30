/// What an ``HTTPCache`` does: it looks up, asks the policy, and acts.
///
/// It is apart from the cache so that what goes on in the background keeps this alive and not the cache, whose end
/// cancels it.
struct CachedAnswers: Sendable {
    let store: any CacheStore
    let usesHeuristicFreshness: Bool
    let maximumRefreshes: Int
    let partition: @Sendable (URLRequest) -> String?
    let shouldStore: @Sendable (URLRequest, DataResponse) -> Bool
    let now: @Sendable () -> Date
    /// The refills that several requests wait for, and those in the background.
    let refills = SharedRuns<CacheQuestion.Sharing, CacheRefill, any Error>()
    /// Which requests under way bring something that may be stored, by resource.
    let claims = Locked(Claims<String>())
    /// What could not be shared when it came last: to wait for another's answer would be in vain.
    let unshared = Locked(LeastRecentlyUsed<CacheKey, Bool>(limit: 1_024))

    init(
        store: any CacheStore, usesHeuristicFreshness: Bool, maximumRefreshes: Int,
        partition: @escaping @Sendable (URLRequest) -> String?,
        shouldStore: @escaping @Sendable (URLRequest, DataResponse) -> Bool, now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.usesHeuristicFreshness = usesHeuristicFreshness
        self.maximumRefreshes = maximumRefreshes
        self.partition = partition
        self.shouldStore = shouldStore
        self.now = now
    }

    func answer(to request: TransportRequest, next: Next) async throws -> DataResponse {
        guard let question = question(request) else {
            if let part = try await storedPart(for: request) { return part }
            if request.isCacheOnly { return try request.answerWithoutNetwork() }
            let response = try await next(request)
            await invalidate(after: request.urlRequest, response)
            return response
        }
        let stored = await entry(for: question)
        // A store has no word for it.
        if Task.isCancelled { throw ErrandError(.cancelled) }
        let now = now()
        switch CachePolicy.decision(question.terms, entry: stored, now: now) {
        case .use(let source):
            return try answer(question, from: stored, source, now: now)
        case .useAndRefresh:
            let response = try answer(question, from: stored, .stale, now: now)
            refresh(question, stored: stored, next: next)
            return response
        case .load:
            return try await load(question, stored: stored, next: next)
        case .gatewayTimeout, .notCached:
            return try request.answerWithoutNetwork()
        }
    }

    func removeEntries(for url: URL) async {
        let resource = CacheKey.resource(of: url)
        claims.withLock { $0.revoke(resource) }
        refills.close { $0.key.resource == resource }
        await store.removeEntries(ofResource: resource)
    }

    func removeAll() async {
        claims.withLock { $0.revokeAll() }
        refills.close { _ in true }
        await store.removeAll()
    }

    func invalidate(after request: URLRequest, _ response: DataResponse) async {
        for url in CacheInvalidation.outdated(by: request, response) {
            await removeEntries(for: url)
        }
    }

    func cancelRefreshes() {
        refills.cancelBackground()
    }

    private func question(_ request: TransportRequest) -> CacheQuestion? {
        CacheQuestion(request, usesHeuristicFreshness: usesHeuristicFreshness, partition: partition)
    }

    /// The entry that may answer, as far as the request's fields go.
    private func entry(for question: CacheQuestion) async -> CacheEntry? {
        question.terms.use == .none ? nil : await selectedEntry(for: question)
    }

    /// The entry that the request's fields select; the newest of several (RFC 9111, section 4.1).
    func selectedEntry(for question: CacheQuestion) async -> CacheEntry? {
        await store.entries(for: question.key)
            .filter { $0.isSelected(by: question.request.urlRequest) }
            .max { $0.responseDate < $1.responseDate }
    }

    private func load(
        _ question: CacheQuestion, stored: CacheEntry?, next: Next
    ) async throws -> DataResponse {
        if question.terms.isHead { return try await head(question, next: next) }
        let sharing = question.sharing
        guard question.terms.acceptsOthersAnswer, sharing.transfer.canBeShared,
            !unshared.withLock({ $0.use(question.key) ?? false })
        else {
            return try await refill(question, stored: stored, next: next).response
        }
        let delivery = try await refills.join(sharing) { try await refill(question, next: next) }
        if let response = try share(delivery.value, with: question, isOwn: delivery.isFirst) { return response }
        guard case .stored(let entry) = delivery.value.use, entry.isSelected(by: question.request.urlRequest) else {
            return try await refill(question, stored: nil, next: next).response
        }
        return try await refill(question, stored: entry, next: next).response
    }

    /// What one who waited gets of what came; nil where it may not be shared.
    private func share(_ refill: CacheRefill, with question: CacheQuestion, isOwn: Bool) throws -> DataResponse? {
        if isOwn { return refill.response }
        switch refill.use {
        case .byOne: return nil
        case .byAll: return refill.response
        case .stored(let entry):
            let now = now()
            guard entry.isSelected(by: question.request.urlRequest),
                CachePolicy.decision(question.terms, entry: entry, now: now) == .use(.cache)
            else { return nil }
            return try question.answer(from: entry, source: .cache, now: now)
        }
    }

    /// Asks the server for all who wait, unless an earlier refill has ended since the store was read.
    private func refill(_ question: CacheQuestion, next: Next) async throws -> CacheRefill {
        let stored = await entry(for: question)
        let now = now()
        if let stored, CachePolicy.decision(question.terms, entry: stored, now: now) == .use(.cache) {
            let response = try question.answer(from: stored, source: .cache, now: now)
            return CacheRefill(response: response, use: .stored(stored))
        }
        return try await refill(question, stored: stored, next: next)
    }

    /// The part of a stored answer that a request with a range asks for (RFC 9110, section 14.2); nil if the server has to
    /// be asked.
    private func storedPart(for request: TransportRequest) async throws -> DataResponse? {
        guard let field = request.urlRequest.value(forHTTPHeaderField: "Range"), let range = CacheRange(field) else {
            return nil
        }
        var whole = request
        whole.urlRequest.setValue(nil, forHTTPHeaderField: "Range")
        guard let question = question(whole), !question.terms.isHead,
            let entry = await entry(for: question), let part = range.part(of: entry)
        else { return nil }
        let now = now()
        guard case .use(let source) = CachePolicy.decision(question.terms, entry: entry, now: now) else { return nil }
        return try question.answer(from: part, source: source, now: now)
    }

    private func refresh(_ question: CacheQuestion, stored: CacheEntry?, next: Next) {
        let question = question.inBackground
        refills.beginInBackground(question.sharing, limit: maximumRefreshes) {
            await .catching { try await refill(question, stored: stored, next: next) }
        }
    }

    /// Answers from what is stored.
    private func answer(
        _ question: CacheQuestion, from stored: CacheEntry?, _ source: ResponseSource, now: Date
    ) throws -> DataResponse {
        guard let stored else { return try question.request.answerWithoutNetwork() }
        return try question.answer(from: stored, source: source, now: now)
    }
}
