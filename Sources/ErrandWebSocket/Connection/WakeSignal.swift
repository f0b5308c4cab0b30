import Errand

/// A signal that wakes the task that writes. No other task waits for it. A signal without a waiting task is kept for
/// the next wait.
final class WakeSignal: Sendable {
    private let state = Locked<(isSignaled: Bool, waiter: PipelinePromise<Void, any Error>?)>((false, nil))

    /// Resumes the waiting task, or keeps the signal. Several kept signals count as one.
    func signal() {
        let waiter = state.withLock { state in
            state.isSignaled = state.waiter == nil
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resolve(with: .success(()))
    }

    /// Waits for a signal. Returns immediately if there was one since the last call.
    ///
    /// - Throws: ``/Errand/ErrandError`` with `cancelled` when the task is cancelled.
    func wait() async throws {
        let promise = PipelinePromise<Void, any Error>()
        let isSignaled = state.withLock { state in
            let isSignaled = state.isSignaled
            state = (false, isSignaled ? nil : promise)
            return isSignaled
        }
        if isSignaled { return }
        try await promise.value
    }
}
