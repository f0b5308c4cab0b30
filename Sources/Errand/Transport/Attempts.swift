import Synchronization

/// How often one request was sent in a run, and what its attempts share.
final class Attempts: Sendable {
    private struct State: Sendable {
        var count = 0
        var latest: DataResponse?
        var values = TypedValues()
    }

    private let state = Mutex(State())

    /// How often the request was sent.
    var count: Int { state.withLock { $0.count } }
    /// The response to the last attempt, without a streamed body; `nil` when that failed.
    var latest: DataResponse? { state.withLock { $0.latest } }

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
