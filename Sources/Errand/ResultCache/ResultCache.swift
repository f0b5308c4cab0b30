/// Keeps what requests came to, decoded, for a while: where the server says nothing of how long its answers are good for.
///
/// ```swift
/// final class BooksRequest: LibraryAPI, Request {
///     static let shelf = ResultCache<[Book]>()
///
///     func start() -> Pipeline<[Book], any Error> {
///         sendRequest().decode([Book].self).cached(in: Self.shelf, for: .seconds(30), key: requestKey)
///     }
/// }
/// ```
///
/// It is bounded in count: what was not used for longest goes first. For one key, one run at a time is under way, and
/// all who want it wait for that. Failures are not kept. Unlike ``HTTPCache`` it knows nothing of HTTP, and does not look
/// at what the server says.
public final class ResultCache<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var values: LeastRecentlyUsed<RequestKey, (value: Value, since: Duration)>
        /// The runs under way whose value may be kept.
        var claims = Claims<RequestKey>()
    }

    private let state: Locked<State>
    let runs = SharedRuns<RequestKey, Value, any Error>()
    /// The age of this cache, from which the values' ages follow.
    private let stopwatch: Stopwatch

    /// An empty cache.
    ///
    /// - Parameters:
    ///   - maximumCount: The most values that are kept; 100 by default, and none for zero or less.
    ///   - clock: Who tells how old they are.
    public init(maximumCount: Int = 100, clock: any Clock<Duration> = ContinuousClock()) {
        state = Locked(State(values: LeastRecentlyUsed(limit: maximumCount)))
        stopwatch = Stopwatch(clock)
    }

    /// How many values are kept now, those included that are too old by now.
    public var count: Int { state.withLock { $0.values.count } }

    /// Forgets the value of a key; what is under way for it is not kept, and nobody joins it any more.
    public func removeValue(for key: RequestKey) {
        state.withLock { state in
            state.claims.revoke(key)
            state.values.remove(key)
        }
        runs.close { $0 == key }
    }

    /// Forgets every value; what is under way is not kept, and nobody joins it any more.
    public func removeAll() {
        state.withLock { state in
            state.claims.revokeAll()
            state.values.removeAll()
        }
        runs.close { _ in true }
    }

    /// A value that is younger than this, or else what a run gives.
    func value(
        for key: RequestKey, youngerThan lifetime: Duration, run: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        if let kept = kept(key, youngerThan: lifetime) { return kept }
        return try await runs.join(key) {
            // An earlier run may have ended since.
            if let kept = self.kept(key, youngerThan: lifetime) { return kept }
            return try await self.filling(key, run)
        }.value
    }

    private func kept(_ key: RequestKey, youngerThan lifetime: Duration) -> Value? {
        let now = stopwatch.elapsed
        return state.withLock { state in
            guard let found = state.values.peek(key), now - found.since < lifetime else { return nil }
            return state.values.use(key)?.value
        }
    }

    private func filling(_ key: RequestKey, _ run: @Sendable () async throws -> Value) async throws -> Value {
        let claim = state.withLock { $0.claims.begin(key) }
        do {
            let value = try await run()
            let now = stopwatch.elapsed
            state.withLock { state in
                guard state.claims.end(claim) else { return }
                _ = state.values.insert((value, now), for: key, cost: 1)
            }
            return value
        } catch {
            state.withLock { _ = $0.claims.end(claim) }
            throw error
        }
    }
}
