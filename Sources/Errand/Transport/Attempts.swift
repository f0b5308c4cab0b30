import Synchronization

/// The number of attempts to send one request in a run, and the state that they share.
final class Attempts: Sendable {
    private struct State: Sendable {
        var count = 0
        var latest: DataResponse?
        var values = TypedValues()
    }

    private let state = Mutex(State())

    /// The number of times that the request was sent.
    var count: Int { state.withLock { $0.count } }
    /// The response to the last attempt, without a streamed body; `nil` if that attempt failed.
    var latest: DataResponse? { state.withLock { $0.latest } }

    /// Counts the start of another attempt.
    func begin() {
        state.withLock { state in
            state.count += 1
            state.latest = nil
        }
    }

    /// Stores the response to an attempt.
    func end(_ response: DataResponse) {
        state.withLock { $0.latest = response.withoutStream }
    }

    /// Returns the value of this type that all attempts share. The first given value becomes the shared one.
    func shared<Value: Sendable>(_ value: Value) -> Value {
        state.withLock { state in
            if let first = state.values[Value.self] { return first }
            state.values[Value.self] = value
            return value
        }
    }
}
