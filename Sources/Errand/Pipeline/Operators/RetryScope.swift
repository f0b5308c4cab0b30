/// One run of `retry(_:)` of a pipeline with all its tries, known to the sources inside it.
final class RetryScope: Sendable {
    /// The outermost retry that is running.
    static var current: RetryScope? { TaskContext.current[RetryScope.self] }

    private struct Entry: Sendable {
        /// Kept, so that no other object gets its identifier.
        let owner: any AnyObject & Sendable
        var value: (any Sendable)?
        var end: (@Sendable () -> Void)?
    }

    private struct State: Sendable {
        var entries: [ObjectIdentifier: Entry] = [:]
        var isOver = false
    }

    private let state = Locked(State())

    /// Runs the tries of a retry in the outermost scope: the current one, or a new one that is over when this returns.
    static func run<Value>(_ tries: () async throws -> Value) async rethrows -> Value {
        guard current == nil else { return try await tries() }
        let scope = RetryScope()
        defer { scope.end() }
        return try await TaskContext.$current.withValue(TaskContext.current.with(scope), operation: tries)
    }

    /// The value that an object keeps for all tries, made at its first use.
    func value<Value: Sendable>(of owner: any AnyObject & Sendable, _ make: () -> Value) -> Value {
        state.withLock { state in
            if let value = state.entries[ObjectIdentifier(owner)]?.value as? Value { return value }
            let value = make()
            state.entries[ObjectIdentifier(owner), default: Entry(owner: owner)].value = value
            return value
        }
    }

    /// Does something for an object when the last try is over, or now if it is. It takes the place of what was to be done for the
    /// same object before; `nil` does nothing.
    func whenOver(_ owner: any AnyObject & Sendable, _ end: (@Sendable () -> Void)?) {
        let isOver = state.withLock { state in
            if !state.isOver { state.entries[ObjectIdentifier(owner), default: Entry(owner: owner)].end = end }
            return state.isOver
        }
        if isOver { end?() }
    }

    private func end() {
        let entries = state.withLock { state in
            state.isOver = true
            return state.entries
        }
        for entry in entries.values { entry.end?() }
    }
}
