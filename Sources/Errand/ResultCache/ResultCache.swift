/// A cache for decoded results of requests, for servers that do not declare how long their responses are fresh.
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
/// The number of values is limited; the least recently used one is removed first. For each key, only one run is in
/// progress at a time, and all callers wait for it. Failures are not cached. Unlike ``HTTPCache``, this cache ignores
/// HTTP's caching rules.
public final class ResultCache<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var values: LeastRecentlyUsed<RequestKey, (value: Value, since: Duration)>
        /// The runs in progress whose values may be cached.
        var claims = Claims<RequestKey>()
    }

    private let state: Locked<State>
    let runs = SharedRuns<RequestKey, Value, any Error>()
    /// Measures the age of the cache, from which the ages of values are computed.
    private let stopwatch: Stopwatch

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - maximumCount: The maximum number of values; 100 by default. With zero or less, no value is cached.
    ///   - clock: The clock for the ages of values.
    public init(maximumCount: Int = 100, clock: any Clock<Duration> = ContinuousClock()) {
        state = Locked(State(values: LeastRecentlyUsed(limit: maximumCount)))
        stopwatch = Stopwatch(clock)
    }

    /// The number of cached values, including expired ones.
    public var count: Int { state.withLock { $0.values.count } }

    /// Removes the value of a key. The value of a run in progress will not be cached, and new callers do not join that
    /// run.
    public func removeValue(for key: RequestKey) {
        state.withLock { state in
            state.claims.revoke(key)
            state.values.remove(key)
        }
        runs.close { $0 == key }
    }

    /// Removes all values. The values of runs in progress will not be cached, and new callers do not join these runs.
    public func removeAll() {
        state.withLock { state in
            state.claims.revokeAll()
            state.values.removeAll()
        }
        runs.close { _ in true }
    }

    /// Returns a cached value that is younger than `lifetime`; otherwise, the value of a run.
    func value(
        for key: RequestKey, youngerThan lifetime: Duration, run: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        if let kept = kept(key, youngerThan: lifetime) { return kept }
        return try await runs.join(key) {
            // An earlier run may have ended meanwhile.
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
