extension Pipeline where Output: Sendable, Failure == any Error {
    /// Returns a cached value if it is recent enough. Otherwise runs the pipeline, and caches its value.
    ///
    /// ```swift
    /// sendRequest().decode([Book].self).cached(in: Self.shelf, for: .seconds(30), key: requestKey)
    /// ```
    ///
    /// If a run for the same key is in progress, callers wait for that run. A cancelled caller fails immediately with
    /// ``ErrandError/Code-swift.struct/cancelled`` and does not affect the others. The run is cancelled when its last
    /// caller is cancelled. A failure is thrown to all waiting callers, and is not cached.
    ///
    /// - Parameters:
    ///   - cache: The cache, such as a `static let`. All requests that use its values must share it.
    ///   - lifetime: The maximum age of a value, measured from its arrival. With zero or less, the cache is not used.
    ///   - key: The key that identifies the request in the cache, usually ``APIBase/requestKey``. With `nil`, the cache
    ///     is not used.
    public func cached(in cache: ResultCache<Output>, for lifetime: Duration, key: RequestKey?) -> Pipeline {
        guard let key, lifetime > .zero else { return self }
        return Pipeline { () async throws(any Error) in
            try await cache.value(for: key, youngerThan: lifetime) { try await self.value }
        }
    }
}
