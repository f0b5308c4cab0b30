import Errand

/// What has happened at a server so far, and the tasks that wait for more.
final class Journal: Sendable {
    private struct State {
        /// The latest, in order of arrival: as many as are kept, and up to twice as many until they are dropped at once.
        var latest: [MockRequest] = []
        var requestCount = 0
        var keptRequests = Int.max
        var takenRequests = 0
        var acceptedConnections = 0
        var openConnections = 0
        var isStopped = false
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

    /// What there is to see now, and the version that ``change(after:)`` wants.
    var activity: (MockServer.Activity, version: Int) {
        state.withLock { state in
            let activity = MockServer.Activity(
                requests: state.requestCount, acceptedConnections: state.acceptedConnections,
                openConnections: state.openConnections)
            return (activity, state.version)
        }
    }

    /// The first request that has not been taken, which is taken by this; nil when all are.
    func take() -> (MockRequest?, version: Int) {
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

    func stopped() {
        update { $0.isStopped = true }
    }

    /// Waits until there has been a change since `version`.
    ///
    /// - Throws: `CancellationError`, or ``MockServerError/stopped`` when there can be no further change.
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
                    if state.isStopped { return .failure(MockServerError.stopped) }
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
