import Errand

/// The requests and connections so far of a server, or of stubs in its place, and the tasks that wait for more.
final class Journal: Sendable {
    private struct State {
        /// The latest, in order of arrival: as many as are kept, and up to twice as many until they are dropped at once.
        var latest: [MockRequest] = []
        var requestCount = 0
        var keptRequests = Int.max
        var takenRequests = 0
        var acceptedConnections = 0
        var openConnections = 0
        /// What waiting fails with once there can be no further change.
        var end: (any Error)?
        /// Counts the changes, so that whoever looked and then waits misses none in between.
        var version = 0
        var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
        var lastWaiter = 0

        /// Those that are kept.
        var requests: ArraySlice<MockRequest> { latest.suffix(keptRequests) }

        mutating func dropRequests() {
            latest.removeFirst(latest.count - requests.count)
        }
    }

    /// Guards everything here: the server's thread writes, any thread reads, continuations are resumed after unlocking.
    private let state = Locked(State())

    var requests: [MockRequest] { state.withLock { Array($0.requests) } }

    /// How many requests are kept.
    var keptRequests: Int {
        get { state.withLock { $0.keptRequests } }
        set {
            state.withLock { state in
                state.keptRequests = max(newValue, 0)
                state.dropRequests()
            }
        }
    }

    /// Those that have not been taken.
    var untaken: [MockRequest] {
        state.withLock { Array($0.requests.suffix($0.requestCount - $0.takenRequests)) }
    }

    /// The counts so far, and the version that ``change(after:)`` wants.
    var counts: (requests: Int, acceptedConnections: Int, openConnections: Int, version: Int) {
        state.withLock { ($0.requestCount, $0.acceptedConnections, $0.openConnections, $0.version) }
    }

    /// Takes the next request that has not been taken; `nil` when none comes in time.
    ///
    /// - Throws: As ``change(after:)`` does; nothing is taken then.
    func takeRequest(within limit: Duration, clock: any Clock<Duration>) async throws -> MockRequest? {
        if let request = take().0 { return request }
        // The child tasks only wait, and say whether there was a change. The caller takes, so that no request is lost when
        // the task is cancelled or the time ends in the same moment.
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await clock.sleep(for: limit, tolerance: nil)
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

    /// Takes the first request that has not been taken; `nil` when all are.
    private func take() -> (MockRequest?, version: Int) {
        state.withLock { state in
            let untaken = state.requests.suffix(state.requestCount - state.takenRequests)
            guard let request = untaken.first else { return (nil, state.version) }
            state.takenRequests = state.requestCount - untaken.count + 1
            return (request, state.version)
        }
    }

    func record(_ request: MockRequest) {
        update { state in
            state.latest.append(request)
            state.requestCount += 1
            // All that are too many at once, so that each costs little.
            if state.latest.count / 2 >= state.keptRequests { state.dropRequests() }
        }
    }

    func connectionOpened() {
        update { state in
            state.acceptedConnections += 1
            state.openConnections += 1
        }
    }

    func connectionClosed() {
        update { $0.openConnections -= 1 }
    }

    /// Says that there is no further change: waiting for one fails with `error`.
    func end(throwing error: any Error) {
        update { $0.end = error }
    }

    /// Waits until there has been a change since `version`.
    ///
    /// - Throws: `CancellationError`, or the error of ``end(throwing:)`` when there can be no further change.
    func change(after version: Int) async throws {
        let waiter = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        try await withCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let known: Result<Void, any Error>? = state.withLock { state in
                    // Cancelled before it could wait: the handler below has run already and found nobody.
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
