extension Pipeline where Output: Sendable, Failure == any Error {
    /// Gives a value that is kept, where one is young enough; otherwise runs, and keeps what comes.
    ///
    /// ```swift
    /// sendRequest().decode([Book].self).cached(in: Self.shelf, for: .seconds(30), key: requestKey)
    /// ```
    ///
    /// Whoever wants the same key while a run is under way waits for that run. One that is cancelled leaves the others
    /// alone, and fails at once with ``ErrandError/Code-swift.struct/cancelled``; when the last one leaves, the run is
    /// cancelled. A failure is everybody's who waited, and is not kept.
    ///
    /// - Parameters:
    ///   - cache: Where values are kept; the same for all requests that are to share them, such as a `static let`.
    ///   - lifetime: How old a value may be, counted from when it came; for zero or less the cache is passed by.
    ///   - key: What tells this request from others in the cache; mostly ``APIBase/requestKey``. For nil the cache is
    ///     passed by.
    public func cached(in cache: ResultCache<Output>, for lifetime: Duration, key: RequestKey?) -> Pipeline {
        guard let key, lifetime > .zero else { return self }
        return Pipeline { () async throws(any Error) in
            try await cache.value(for: key, youngerThan: lifetime) { try await self.value }
        }
    }
}
