/// Work that is done once for all who want the same at the same time: a thin shell around ``Flights``.
///
/// A waiter that is cancelled fails at once and leaves the others alone; the last to leave cancels the work.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Landing = Flights<Key, Value>.Landing

    private let state = Locked(Flights<Key, Value>())

    /// How many works are under way.
    var count: Int { state.withLock { $0.count } }
    /// How many wait now.
    var waiterCount: Int { state.withLock { $0.waiterCount } }

    /// Waits for the work that is under way for a key, or begins it.
    func join(_ key: Key, run: @escaping @Sendable () async throws -> Value) async throws -> Landing {
        // A task that is cancelled before it asks must not start anything.
        if Task.isCancelled { throw ErrandError(.cancelled) }
        let promise = Promise<Landing, any Error>()
        let (ticket, action) = state.withLock { $0.join(key, promise) }
        if case .start(let number) = action {
            started(number, Task { await fly(number, run) })
        }
        promise.onCancel { self.perform(self.state.withLock { $0.leave(ticket) }) }
        return try await promise.value
    }

    /// Begins work that goes on though nobody waits for it; nothing happens where it is under way already, or where there
    /// are as many of the kind as may be.
    func beginUnwatched(_ key: Key, limit: Int, run: @escaping @Sendable () async throws -> Value) {
        guard case .start(let number) = state.withLock({ $0.beginUnwatched(key, limit: limit) }) else { return }
        // Detached: what the caller's task carries along is about the caller's request.
        started(number, Task.detached(priority: .utility) { await self.fly(number, run) })
    }

    /// Has nobody join the work of these keys any more.
    func close(_ isClosed: @Sendable (Key) -> Bool) {
        state.withLock { $0.close(isClosed) }
    }

    /// Cancels what nobody waits for.
    func cancelUnwatched() {
        perform(state.withLock { $0.cancelUnwatched() })
    }

    private func fly(_ number: Int, _ run: @Sendable () async throws -> Value) async {
        let result: Result<Value, any Error>
        do { result = .success(try await run()) } catch { result = .failure(error) }
        perform(state.withLock { $0.finish(number, result) })
    }

    private func started(_ number: Int, _ task: Task<Void, Never>) {
        perform(state.withLock { $0.started(number, task) })
    }

    private func perform(_ action: Flights<Key, Value>.Action) {
        switch action {
        case .none, .start: break
        case .cancel(let tasks):
            for task in tasks { task.cancel() }
        case .resolve(let waiters, let result):
            for (index, waiter) in waiters.enumerated() {
                waiter.resolve(with: result.map { Landing(value: $0, isOwn: index == 0) })
            }
        }
    }
}
