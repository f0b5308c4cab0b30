import Errand

/// The requests and connections of a server or of stubs so far, and the tasks that wait for more.
package final class Journal: Sendable {
    private struct State {
        /// The latest requests, in order of arrival. Up to twice `keptRequests` are held before the surplus is removed
        /// at once.
        var latest: [MockRequest] = []
        var requestCount = 0
        var keptRequests = Int.max
        var takenRequests = 0
        var acceptedConnections = 0
        var openConnections = 0
        /// The error for waiting tasks once no further change is possible.
        var end: (any Error)?
        /// Counts the changes, so that a task that first reads the state and then waits misses none.
        var version = 0
        var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
        var lastWaiter = 0

        /// The requests that are kept.
        var requests: ArraySlice<MockRequest> { latest.suffix(keptRequests) }

        mutating func dropRequests() {
            latest.removeFirst(latest.count - requests.count)
        }
    }

    /// Guards the state: the server's thread writes, any thread reads, and continuations are resumed after the lock is
    /// released.
    private let state = Locked(State())

    package init() {}

    package var requests: [MockRequest] { state.withLock { Array($0.requests) } }

    /// The number of requests that are kept.
    package var keptRequests: Int {
        get { state.withLock { $0.keptRequests } }
        set {
            state.withLock { state in
                state.keptRequests = max(newValue, 0)
                state.dropRequests()
            }
        }
    }

    /// The requests that have not been taken.
    package var untaken: [MockRequest] {
        state.withLock { Array($0.requests.suffix($0.requestCount - $0.takenRequests)) }
    }

    /// The counts so far, and the version for ``change(after:)``.
    package var counts: (requests: Int, acceptedConnections: Int, openConnections: Int, version: Int) {
        state.withLock { ($0.requestCount, $0.acceptedConnections, $0.openConnections, $0.version) }
    }

    /// Takes the next request that has not been taken.
    ///
    /// - Throws: ``MockMismatch`` with the reason if none comes in time; else as ``change(after:)``, and no request is
    ///   taken then.
    package func takeRequest(
        within limit: Duration, clock: any Clock<Duration>, orFail reason: String = "no untaken request arrived"
    ) async throws -> MockRequest {
        guard let request = try await nextRequest(within: limit, clock: clock) else {
            throw MockMismatch("\(reason) within \(limit)\n\(summary)")
        }
        return request
    }

    private func nextRequest(within limit: Duration, clock: any Clock<Duration>) async throws -> MockRequest? {
        if let request = take().0 { return request }
        // The child tasks only wait for a change. The caller takes the request, so that none is lost if the task is
        // cancelled or the time ends meanwhile.
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await clock.sleep(for: limit.bounded, tolerance: nil)
                return false
            }
            defer { group.cancelAll() }
            while true {
                let (request, version) = take()
                if let request { return request }
                group.addTask {
                    try await self.change(after: version)
                    return true
                }
                guard try await group.next() == true else { return take().0 }
            }
        }
    }

    /// Takes the first request that has not been taken; returns `nil` if there is none.
    private func take() -> (MockRequest?, version: Int) {
        state.withLock { state in
            let untaken = state.requests.suffix(state.requestCount - state.takenRequests)
            guard let request = untaken.first else { return (nil, state.version) }
            state.takenRequests = state.requestCount - untaken.count + 1
            return (request, state.version)
        }
    }

    package func record(_ request: MockRequest) {
        update { state in
            state.latest.append(request)
            state.requestCount += 1
            // Removes all surplus requests at once, which is cheaper than one at a time.
            if state.latest.count / 2 >= state.keptRequests { state.dropRequests() }
        }
    }

    package func connectionOpened() {
        update { state in
            state.acceptedConnections += 1
            state.openConnections += 1
        }
    }

    package func connectionClosed() {
        update { $0.openConnections -= 1 }
    }

    /// Records that no further change is possible: waiting for one fails with `error`.
    package func end(throwing error: any Error) {
        update { $0.end = error }
    }

    /// Waits until there has been a change since `version`.
    ///
    /// - Throws: `CancellationError`, or the error of ``end(throwing:)`` if no further change is possible.
    package func change(after version: Int) async throws {
        let waiter = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        try await withCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let known: Result<Void, any Error>? = state.withLock { state in
                    // The task was cancelled before it was registered, so the handler below has found no waiter.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if state.version != version { return .success(()) }
                    if let end = state.end { return .failure(end) }
                    state.waiters[waiter] = continuation
                    return nil
                }
                if let known { continuation.resume(with: known) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: waiter) }?.resume(throwing: CancellationError())
        }
    }

    private func update(_ change: (inout State) -> Void) {
        let waiters = state.withLock { state in
            change(&state)
            state.version += 1
            defer { state.waiters.removeAll() }
            return state.waiters
        }
        for waiter in waiters.values { waiter.resume() }
    }
}
