/// Wakes the one task that waits for something to do; a ring while nobody waits is kept.
final class Doorbell: Sendable {
    private let state = Locked<(isRung: Bool, waiter: PipelinePromise<Void, any Error>?)>((false, nil))

    func ring() {
        let waiter = state.withLock { state in
            state.isRung = state.waiter == nil
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resolve(with: .success(()))
    }

    /// Returns when it has been rung since the last time.
    ///
    /// - Throws: ``ErrandError`` with `cancelled` when the task is cancelled.
    func wait() async throws {
        let promise = PipelinePromise<Void, any Error>()
        let isRung = state.withLock { state in
            let isRung = state.isRung
            state = (false, isRung ? nil : promise)
            return isRung
        }
        if isRung { return }
        try await promise.value
    }
}
