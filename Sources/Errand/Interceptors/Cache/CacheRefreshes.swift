/// The refreshes of stale responses in the background, at most one for each key.
final class CacheRefreshes: Sendable {
    private let tasks = Locked<[CacheKey: Task<Void, Never>]>([:])

    /// The number of running refreshes.
    var count: Int { tasks.withLock { $0.count } }

    /// Starts a refresh, unless one runs for this key or `limit` refreshes run.
    func begin(_ key: CacheKey, limit: Int, _ refresh: @escaping @Sendable () async -> Void) {
        tasks.withLock { tasks in
            guard tasks[key] == nil, tasks.count < limit else { return }
            // The task removes itself only after it was stored, because that takes the lock.
            tasks[key] = Task(priority: .utility) {
                await refresh()
                _ = self.tasks.withLock { $0.removeValue(forKey: key) }
            }
        }
    }

    /// Cancels all refreshes.
    func cancel() {
        for task in tasks.withLock({ Array($0.values) }) { task.cancel() }
    }
}
