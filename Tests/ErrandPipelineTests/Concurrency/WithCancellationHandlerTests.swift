import Errand
import TestSupport
import Testing

@Suite(.hangGuard) struct `A cancellation handler` {
    @MainActor @Test func `an operation with a cancellation handler stays on the awaiting actor`() async {
        #expect(await isOnMainActor())
    }

    @Test func `an operation awaited outside of actors runs on no actor`() async {
        #expect(await !isOnMainActor())
    }

    /// Runs in a nonisolated function, because a closure written on an actor returns to it by itself.
    private func isOnMainActor() async -> Bool {
        await withCancellationHandler {
            await Task.yield()
            return #isolation === MainActor.shared
        } onCancel: {
        }
    }

    @Test func `the cancellation handler is called while the operation is still running`() async throws {
        let cancelled = Gate()
        let task = Task {
            try await withCancellationHandler {
                try await Task { try await cancelled.pass() }.value
                return Task.isCancelled
            } onCancel: {
                cancelled.open()
            }
        }
        task.cancel()
        #expect(try await task.value)
    }
}
