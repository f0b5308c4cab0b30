import TestSupport
import Testing

@testable import Errand

@Suite(.hangGuard) struct `A cancellation handler` {
    @MainActor @Test func `leaves the operation on the actor that awaits it`() async {
        #expect(await isOnMainActor())
    }

    @Test func `leaves an operation that no actor awaits on none`() async {
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

    @Test func `is called as the task is cancelled, while the operation goes on`() async throws {
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
