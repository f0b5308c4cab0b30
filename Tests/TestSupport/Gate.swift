import Errand

/// A door that a test opens, and that knows how many wait at it: tests wait for each other here, never for time.
package final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
        var cancelled: Set<Int> = []
        var arrivals = 0
        var tickets = 0
        var observers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Locked(State())

    package init() {}

    /// How many have come so far.
    package var arrivals: Int { state.withLock { $0.arrivals } }

    /// Waits until the gate is open; throws `CancellationError` when cancelled before.
    package func pass() async throws {
        let ticket = state.withLock { state in
            state.tickets += 1
            return state.tickets
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                arrive(ticket, continuation)
            }
        } onCancel: {
            let waiting = state.withLock { state in
                let waiting = state.waiting.removeValue(forKey: ticket)
                if waiting == nil { state.cancelled.insert(ticket) }
                return waiting
            }
            waiting?.resume(throwing: CancellationError())
        }
    }

    /// Lets everybody through, now and later.
    package func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until so many have come.
    package func waitForArrivals(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.arrivals < count { state.observers.append((count, continuation)) }
                return state.arrivals >= count
            }
            if isThere { continuation.resume() }
        }
    }

    private func arrive(_ ticket: Int, _ continuation: CheckedContinuation<Void, any Error>) {
        let (isCancelled, isOpen, observers) = state.withLock { state in
            state.arrivals += 1
            let isCancelled = state.cancelled.remove(ticket) != nil
            if !state.isOpen && !isCancelled { state.waiting[ticket] = continuation }
            let arrivals = state.arrivals
            let done = state.observers.filter { $0.count <= arrivals }
            state.observers.removeAll { $0.count <= arrivals }
            return (isCancelled, state.isOpen, done)
        }
        for observer in observers { observer.continuation.resume() }
        if isCancelled {
            continuation.resume(throwing: CancellationError())
        } else if isOpen {
            continuation.resume()
        }
    }
}
