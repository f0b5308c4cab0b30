/// The implementation of ``HTTPCache``: it reads the store, applies the policy, and performs the decision.
///
/// It is separate from the cache so that background work retains this value and not the cache, whose deinitialization
/// cancels the work.
struct CachedAnswers: Sendable {
    let store: any CacheStore
    let usesHeuristicFreshness: Bool
    let maximumRefreshes: Int
    let partition: @Sendable (URLRequest) -> String?
    let shouldStore: @Sendable (URLRequest, DataResponse) -> Bool
    let now: @Sendable () -> Date
    /// The refills that several requests wait for, and those in the background.
    let refills = SharedRuns<CacheQuestion.Sharing, CacheRefill, any Error>()
    /// The running requests whose responses may be stored, by resource.
    let claims = Locked(Claims<String>())
    /// Keys whose last response could not be shared, so that waiting for another request's response would be useless.
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
        // The store does not report a cancellation.
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

    /// Returns the entry that the request's terms and header fields allow.
    private func entry(for question: CacheQuestion) async -> CacheEntry? {
        question.terms.use == .none ? nil : await selectedEntry(for: question)
    }

    /// Returns the entry that the request's fields select; the newest of several (RFC 9111, section 4.1).
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

    /// Returns the response for a request that waited for another's; `nil` if it must not be shared.
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

    /// Sends one request to the server for all that wait, unless an earlier refill has ended since the store was read.
    private func refill(_ question: CacheQuestion, next: Next) async throws -> CacheRefill {
        let stored = await entry(for: question)
        let now = now()
        if let stored, CachePolicy.decision(question.terms, entry: stored, now: now) == .use(.cache) {
            let response = try question.answer(from: stored, source: .cache, now: now)
            return CacheRefill(response: response, use: .stored(stored))
        }
        return try await refill(question, stored: stored, next: next)
    }

    /// Returns the part of a stored response that a request with a range selects (RFC 9110, section 14.2); `nil` if the
    /// request must go to the server.
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

    /// Returns a response from the stored entry.
    private func answer(
        _ question: CacheQuestion, from stored: CacheEntry?, _ source: ResponseSource, now: Date
    ) throws -> DataResponse {
        guard let stored else { return try question.request.answerWithoutNetwork() }
        return try question.answer(from: stored, source: source, now: now)
    }
}
