/// One run of a pipeline's `retry(_:)` with all its attempts. Sources inside the retry use it to share values.
///
/// Retries may be nested. A source shares values between the attempts of the outermost retry that repeats it:
/// ``outermost(inside:)``.
final class RetryScope: Sendable {
    /// The innermost retry that is running.
    static var current: RetryScope? {
        guard let scope = TaskContext.current[RetryScope.self] else { return nil }
        return scope.isOver ? scope.enclosing : scope
    }

    private struct Entry: Sendable {
        /// The owner of the value. It is retained, so that no other object gets its identifier.
        let owner: any AnyObject & Sendable
        var value: (any Sendable)?
        /// A closure to call after the last attempt.
        var end: (@Sendable () -> Void)?
    }

    /// The requests of one attempt.
    struct Sent: Sendable {
        /// Whether all requests can be sent again without performing their effects twice.
        var isSafeToRepeat = true
        /// The outcome of the last request: the status of its response, or a failure.
        var latest: Result<Int, any Error>?
    }

    private struct State: Sendable {
        var enclosing: RetryScope?
        var entries: [ObjectIdentifier: Entry] = [:]
        var isOver = false
        var sent = Sent()

        subscript(owner: any AnyObject & Sendable) -> Entry {
            get { entries[ObjectIdentifier(owner)] ?? Entry(owner: owner) }
            set { entries[ObjectIdentifier(owner)] = newValue }
        }
    }

    private let state: Locked<State>

    private init(inside enclosing: RetryScope?) {
        state = Locked(State(enclosing: enclosing))
    }

    private var isOver: Bool { state.withLock { $0.isOver } }

    /// The nearest enclosing retry that is running. Retries that have ended are released.
    private var enclosing: RetryScope? {
        var scope = state.withLock { $0.enclosing }
        while let retry = scope, retry.isOver { scope = retry.state.withLock { $0.enclosing } }
        state.withLock { [scope] in $0.enclosing = scope }
        return scope
    }

    /// Runs the attempts of a retry in a new scope.
    static func run<Value>(_ tries: (RetryScope) async throws -> Value) async rethrows -> Value {
        let scope = RetryScope(inside: current)
        defer { scope.end() }
        return try await TaskContext.$current.withValue(TaskContext.current.with(scope)) { try await tries(scope) }
    }

    /// Returns the requests since the last call.
    func takeSent() -> Sent {
        state.withLock { state in
            defer { state.sent = Sent() }
            return state.sent
        }
    }

    /// Records that a request is being sent that is not safe to repeat. This affects the current attempt of this retry
    /// and of all enclosing ones.
    func sendsUnrepeatable() {
        note { $0.isSafeToRepeat = false }
    }

    /// Notes that a request has ended.
    func requestEnded(_ outcome: Result<Int, any Error>) {
        note { $0.latest = outcome }
    }

    private func note(_ change: (inout Sent) -> Void) {
        var scope: RetryScope? = self
        while let retry = scope {
            retry.state.withLock { change(&$0.sent) }
            scope = retry.enclosing
        }
    }

    /// Returns the outermost retry that repeats a source; `nil` if none does.
    ///
    /// - Parameter home: The retry that was running when the source was created. This retry and those around it create
    ///   a new source for each attempt.
    static func outermost(inside home: RetryScope?) -> RetryScope? {
        var (scope, outermost) = (current, nil as RetryScope?)
        while let retry = scope, home?.isInside(retry) != true { (scope, outermost) = (retry.enclosing, retry) }
        return outermost
    }

    /// Returns `true` if this is the other retry, or is running inside it.
    private func isInside(_ other: RetryScope) -> Bool {
        var scope: RetryScope? = self
        while let retry = scope, retry !== other { scope = retry.enclosing }
        return scope != nil
    }

    /// Returns the value that an object keeps for all attempts. It is created on first use.
    func value<Value: Sendable>(of owner: any AnyObject & Sendable, _ make: () -> Value) -> Value {
        state.withLock { state in
            if let value = state[owner].value as? Value { return value }
            let value = make()
            if !state.isOver { state[owner].value = value }
            return value
        }
    }

    /// Calls a closure after the last attempt, or immediately if that has ended. The closure replaces that of an
    /// earlier attempt for the same object.
    func whenOver(_ owner: any AnyObject & Sendable, _ end: @escaping @Sendable () -> Void) {
        let isNow = state.withLock { state in
            if !state.isOver { state[owner].end = end }
            return state.isOver
        }
        if isNow { end() }
    }

    private func end() {
        let entries = state.withLock { state in
            state.isOver = true
            defer { state.entries = [:] }
            return state.entries
        }
        for entry in entries.values { entry.end?() }
    }
}
