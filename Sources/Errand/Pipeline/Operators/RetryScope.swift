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
        /// The number of the latest run of the object.
        var run = 0
        /// What is to be done for that run.
        var end: (@Sendable () -> Void)?
    }

    private struct State: Sendable {
        var enclosing: RetryScope?
        var entries: [ObjectIdentifier: Entry] = [:]
        var isOver = false

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
    static func run<Value>(_ tries: () async throws -> Value) async rethrows -> Value {
        let scope = RetryScope(inside: current)
        defer { scope.end() }
        return try await TaskContext.$current.withValue(TaskContext.current.with(scope), operation: tries)
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

    /// Begins a run of an object: what an earlier one has asked for is not done any more.
    ///
    /// - Returns: The number of the run, for ``whenOver(_:run:_:)``.
    func beginRun(of owner: any AnyObject & Sendable) -> Int {
        state.withLock { state in
            state[owner].run += 1
            state[owner].end = nil
            return state[owner].run
        }
    }

    /// Does something for a run of an object when the last try is over, or now if it is; nothing if a later run has begun.
    func whenOver(_ owner: any AnyObject & Sendable, run: Int, _ end: @escaping @Sendable () -> Void) {
        let isNow = state.withLock { state in
            guard run == state[owner].run else { return false }
            if !state.isOver { state[owner].end = end }
            return state.isOver
        }
        if isNow { end() }
    }

    private func end() {
        let entries = state.withLock { state in
            state.isOver = true
            defer {
                // Later calls still have to know which run was the last.
                state.entries = state.entries.mapValues { Entry(owner: $0.owner, run: $0.run) }
            }
            return state.entries
        }
        for entry in entries.values { entry.end?() }
    }
}
