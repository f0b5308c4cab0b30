/// One run of `retry(_:)` of a pipeline with all its tries, known to the sources inside it.
final class RetryScope: Sendable {
    /// The outermost retry that is running.
    static var current: RetryScope? { TaskContext.current[RetryScope.self] }
    /// The context for the work of a retry: with the outermost scope, or a new one.
    static var context: TaskContext {
        current == nil ? TaskContext.current.with(RetryScope()) : TaskContext.current
    }

    private struct Entry: Sendable {
        /// Kept, so that no other object gets its identifier.
        let owner: any AnyObject & Sendable
        let value: any Sendable
    }

    private let entries = Locked<[ObjectIdentifier: Entry]>([:])

    /// The value that an object keeps for all tries, made at its first use.
    func value<Value: Sendable>(of owner: any AnyObject & Sendable, _ make: () -> Value) -> Value {
        entries.withLock { entries in
            if let value = entries[ObjectIdentifier(owner)]?.value as? Value { return value }
            let value = make()
            entries[ObjectIdentifier(owner)] = Entry(owner: owner, value: value)
            return value
        }
    }
}
