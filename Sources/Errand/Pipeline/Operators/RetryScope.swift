/// One run of `retry(_:)` of a pipeline with all its tries, known to the sources inside it.
///
/// Retries may be inside each other. A source shares values between the tries of the outermost retry that repeats it:
/// ``outermost(inside:)``.
final class RetryScope: Sendable {
    /// The innermost retry that is running.
    static var current: RetryScope? {
        var scope = TaskContext.current[RetryScope.self]
        while let retry = scope, retry.isOver { scope = retry.outer }
        return scope
    }

    private struct Entry: Sendable {
        /// Kept, so that no other object gets its identifier.
        let owner: any AnyObject & Sendable
        var value: (any Sendable)?
        /// The number of the run that has set `end`.
        var order = 0
        var end: (@Sendable () -> Void)?
    }

    private struct State: Sendable {
        var entries: [ObjectIdentifier: Entry] = [:]
        var isOver = false
    }

    private let outer: RetryScope?
    private let state = Locked(State())

    private init(outer: RetryScope?) {
        self.outer = outer
    }

    private var isOver: Bool { state.withLock { $0.isOver } }

    /// Runs the tries of a retry in a scope of their own.
    static func run<Value>(_ tries: () async throws -> Value) async rethrows -> Value {
        let scope = RetryScope(outer: current)
        defer { scope.end() }
        return try await TaskContext.$current.withValue(TaskContext.current.with(scope), operation: tries)
    }

    /// The outermost retry that repeats a source; `nil` if none does.
    ///
    /// - Parameter home: The retry that was running when the source was made: it and those around it make a new source for each
    ///   try.
    static func outermost(inside home: RetryScope?) -> RetryScope? {
        var (scope, outermost) = (current, nil as RetryScope?)
        while let retry = scope, retry !== home { (scope, outermost) = (retry.outer, retry) }
        return outermost
    }

    /// The value that an object keeps for all tries, made at its first use.
    func value<Value: Sendable>(of owner: any AnyObject & Sendable, _ make: () -> Value) -> Value {
        state.withLock { state in
            if let value = state.entries[ObjectIdentifier(owner)]?.value as? Value { return value }
            let value = make()
            if !state.isOver { state.entries[ObjectIdentifier(owner), default: Entry(owner: owner)].value = value }
            return value
        }
    }

    /// Does something for an object when the last try is over, or now if it is. It replaces what an earlier run of the object
    /// has asked for; what an earlier run asks for after that is not done.
    ///
    /// - Parameter order: The number of the run that asks.
    func whenOver(_ owner: any AnyObject & Sendable, order: Int, _ end: (@Sendable () -> Void)?) {
        let isNow = state.withLock { state in
            let latest = state.entries[ObjectIdentifier(owner)]?.order ?? 0
            guard order >= latest else { return false }
            guard !state.isOver else { return true }
            state.entries[ObjectIdentifier(owner), default: Entry(owner: owner)].order = order
            state.entries[ObjectIdentifier(owner)]?.end = end
            return false
        }
        if isNow { end?() }
    }

    private func end() {
        let entries = state.withLock { state in
            state.isOver = true
            defer {
                // Later calls still have to know which run was the last.
                state.entries = state.entries.mapValues { Entry(owner: $0.owner, order: $0.order) }
            }
            return state.entries
        }
        for entry in entries.values { entry.end?() }
    }
}
