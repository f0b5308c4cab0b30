import Errand

/// A gate that a test opens, and that counts the waiting tasks: tests wait for events here, never for time.
package final class Gate: Sendable {
    private enum Condition {
        case open
        case arrivals(Int)
    }

    private struct State {
        var isOpen = false
        var arrivals = 0
        var tickets = 0
        var waiting: [Int: (condition: Condition, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var cancelled: Set<Int> = []

        /// Removes the waiters whose condition is met, and returns their continuations.
        mutating func release() -> [CheckedContinuation<Void, any Error>] {
            let released = waiting.filter { isMet($0.value.condition) }
            for ticket in released.keys { waiting[ticket] = nil }
            return released.values.map(\.continuation)
        }

        private func isMet(_ condition: Condition) -> Bool {
            switch condition {
            case .open: isOpen
            case .arrivals(let count): arrivals >= count
            }
        }
    }

    private let state = Locked(State())

    package init() {}

    /// The number of tasks that have arrived so far.
    package var arrivals: Int { state.withLock { $0.arrivals } }

    /// Waits until the gate is open. Throws `CancellationError` if cancelled before.
    package func pass() async throws {
        try await wait(for: .open)
    }

    /// Waits until this many tasks have arrived. Throws `CancellationError` if cancelled before.
    package func waitForArrivals(_ count: Int) async throws {
        try await wait(for: .arrivals(count))
    }

    /// Lets every task through, now and later.
    package func open() {
        let released = state.withLock { state in
            state.isOpen = true
            return state.release()
        }
        for continuation in released { continuation.resume() }
    }

    private func wait(for condition: Condition) async throws {
        let ticket = state.withLock { state in
            state.tickets += 1
            return state.tickets
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enter(ticket, condition, continuation)
            }
        } onCancel: {
            let waiting = state.withLock { state in
                let waiting = state.waiting.removeValue(forKey: ticket)
                if waiting == nil { state.cancelled.insert(ticket) }
                return waiting
            }
            waiting?.continuation.resume(throwing: CancellationError())
        }
    }

    private func enter(_ ticket: Int, _ condition: Condition, _ continuation: CheckedContinuation<Void, any Error>) {
        let (isCancelled, released) = state.withLock { state in
            if case .open = condition { state.arrivals += 1 }
            let isCancelled = state.cancelled.remove(ticket) != nil
            if !isCancelled { state.waiting[ticket] = (condition, continuation) }
            return (isCancelled, state.release())
        }
        for continuation in released { continuation.resume() }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
    }
}
