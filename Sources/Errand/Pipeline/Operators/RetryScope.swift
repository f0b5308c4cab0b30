/// One run of `retry(_:)` of a pipeline with all its tries, known to the sources inside it.
///
/// Retries may be inside each other. A source shares values between the tries of the outermost retry that repeats it:
/// ``outermost(inside:)``.
final class RetryScope: Sendable {
    /// The innermost retry that is running.
    static var current: RetryScope? {
        guard let scope = TaskContext.current[RetryScope.self] else { return nil }
        return scope.isOver ? scope.enclosing : scope
    }

    private struct Entry: Sendable {
        /// Kept, so that no other object gets its identifier.
        let owner: any AnyObject & Sendable
        var value: (any Sendable)?
        /// What is to be done when the last try is over.
        var end: (@Sendable () -> Void)?
    }

    /// What the requests of one try have come to.
    struct Sent: Sendable {
        /// Whether all that was sent can be sent again without doing twice what it asks for.
        var isSafeToRepeat = true
        /// What the last request has ended with: a response, whose status this is, or a failure.
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

    /// The nearest retry around this one that is running. Those that are over are let go.
    private var enclosing: RetryScope? {
        var scope = state.withLock { $0.enclosing }
        while let retry = scope, retry.isOver { scope = retry.state.withLock { $0.enclosing } }
        state.withLock { [scope] in $0.enclosing = scope }
        return scope
    }

    /// Runs the tries of a retry in a scope of their own.
    static func run<Value>(_ tries: (RetryScope) async throws -> Value) async rethrows -> Value {
        let scope = RetryScope(inside: current)
        defer { scope.end() }
        return try await TaskContext.$current.withValue(TaskContext.current.with(scope)) { try await tries(scope) }
    }

    /// What was sent since this was called last.
    func takeSent() -> Sent {
        state.withLock { state in
            defer { state.sent = Sent() }
            return state.sent
        }
    }

    /// A request is being sent that may do something twice if it is sent again: in the try that is running here and in those
    /// around it.
    func sendsUnrepeatable() {
        note { $0.isSafeToRepeat = false }
    }

    /// A request has ended.
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

    /// The outermost retry that repeats a source; `nil` if none does.
    ///
    /// - Parameter home: The retry that was running when the source was made: it and those around it make a new source for each
    ///   try.
    static func outermost(inside home: RetryScope?) -> RetryScope? {
        var (scope, outermost) = (current, nil as RetryScope?)
        while let retry = scope, home?.isInside(retry) != true { (scope, outermost) = (retry.enclosing, retry) }
        return outermost
    }

    /// Whether this is another retry, or is running inside it.
    private func isInside(_ other: RetryScope) -> Bool {
        var scope: RetryScope? = self
        while let retry = scope, retry !== other { scope = retry.enclosing }
        return scope != nil
    }

    /// The value that an object keeps for all tries, made at its first use.
    func value<Value: Sendable>(of owner: any AnyObject & Sendable, _ make: () -> Value) -> Value {
        state.withLock { state in
            if let value = state[owner].value as? Value { return value }
            let value = make()
            if !state.isOver { state[owner].value = value }
            return value
        }
    }

    /// Does something for an object when the last try is over, or now if it is. It takes the place of what an earlier try of the
    /// object has asked for.
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
