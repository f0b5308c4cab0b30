import Synchronization

/// How often one request was sent in a run, and what its attempts share.
final class Attempts: Sendable {
    private struct State: Sendable {
        var count = 0
        var runs = 0
        var isRunning = false
        var latest: DataResponse?
        var values = TypedValues()
    }

    private let state = Mutex(State())

    /// How often the request was sent.
    var count: Int { state.withLock { $0.count } }
    /// The response to the last attempt, without a streamed body; `nil` when that failed.
    var latest: DataResponse? { state.withLock { $0.latest } }

    /// Whether the latest run goes on. Work that an interceptor shares with other requests may send after its own run has ended.
    var isRunning: Bool { state.withLock { $0.isRunning } }

    /// Begins a run.
    ///
    /// - Returns: The number of the run: 1 for the first.
    func beginRun() -> Int {
        state.withLock { state in
            state.runs += 1
            state.isRunning = true
            return state.runs
        }
    }

    /// Ends a run. One that a timeout has left behind does not end a later one.
    func endRun(_ number: Int) {
        state.withLock { if $0.runs == number { $0.isRunning = false } }
    }

    /// Counts one more attempt.
    func begin() {
        state.withLock { state in
            state.count += 1
            state.latest = nil
        }
    }

    /// Remembers the response to an attempt.
    func end(_ response: DataResponse) {
        state.withLock { $0.latest = response.withoutStream }
    }

    /// The value of this type that all attempts share: the given one, when it is the first.
    func shared<Value: Sendable>(_ value: Value) -> Value {
        state.withLock { state in
            if let first = state.values[Value.self] { return first }
            state.values[Value.self] = value
            return value
        }
    }
}
