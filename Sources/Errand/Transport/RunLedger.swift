import Synchronization

/// The ledger of one run: how often the request was sent, and what all attempts share. Each request that passes the
/// interceptors carries it.
final class RunLedger: Sendable {
    private struct State: Sendable {
        var attempts = 0
        var sendings = 0
        var latest: DataResponse?
        var shared: [ObjectIdentifier: any Sendable] = [:]
    }

    private let session: any Transport
    private let network: (any AnyObject & Sendable)?
    /// What the request calls.
    let called: CalledOperation?
    /// The users for whom interceptors sign, perhaps only after those that share responses.
    let signingUsers: [String]
    private let state = Mutex(State())

    /// - Parameter network: The test network that replaces the session; `nil` outside tests.
    init(
        over session: any Transport, behind network: (any AnyObject & Sendable)?, calling called: CalledOperation?,
        signingUsers: [String]
    ) {
        self.session = session
        self.network = network
        self.called = called
        self.signingUsers = signingUsers
    }

    /// The transport that sends the request.
    var sender: TransportIdentity { TransportIdentity(session, behind: network) }
    /// The number of times that the request was sent.
    var attempts: Int { state.withLock { $0.attempts } }
    /// The response to the last attempt, without a streamed body; `nil` if that attempt failed or has not ended.
    var latest: DataResponse? { state.withLock { $0.latest } }

    /// Counts the start of another attempt.
    func begin() {
        state.withLock { state in
            state.attempts += 1
            state.latest = nil
        }
    }

    /// Counts the beginning of an exchange that is observed, and returns the number of those before it.
    func countSending() -> Int {
        state.withLock { state in
            state.sendings += 1
            return state.sendings - 1
        }
    }

    /// Stores the response to an attempt.
    func end(_ response: DataResponse) {
        state.withLock { $0.latest = response.withoutStream }
    }

    /// Returns the value of a type that all attempts share; `nil` before the first one is shared.
    func sharedValue<Value: Sendable>() -> Value? {
        state.withLock { $0.shared[ObjectIdentifier(Value.self)] as? Value }
    }

    /// Shares a value among all attempts, and returns it, or returns the value that was shared first.
    func share<Value: Sendable>(_ value: Value) -> Value {
        state.withLock { state in
            if let first = state.shared[ObjectIdentifier(Value.self)] as? Value { return first }
            state.shared[ObjectIdentifier(Value.self)] = value
            return value
        }
    }
}
