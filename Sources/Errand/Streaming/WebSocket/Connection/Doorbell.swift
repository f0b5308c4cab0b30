/// A signal for one waiting task. A signal without a waiting task is kept for the next one.
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

    /// Waits for a signal. Returns immediately if there was one since the last call.
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
