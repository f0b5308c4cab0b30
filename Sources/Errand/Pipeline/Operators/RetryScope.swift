/// One run of `retry(_:)` of a pipeline, known to all that runs in it: what is done again can count how often.
final class RetryScope: Sendable {
    /// The outermost retry that is running.
    @TaskLocal static var current: RetryScope?

    private let runs = Locked<[ObjectIdentifier: Int]>([:])

    private let values = Locked<[ObjectIdentifier: any Sendable]>([:])

    /// A value of which all that runs here has the same: that of whoever asks first.
    func shared<Value: Sendable>(_ value: Value) -> Value {
        values.withLock { values in
            if let first = values[ObjectIdentifier(Value.self)] as? Value { return first }
            values[ObjectIdentifier(Value.self)] = value
            return value
        }
    }

    /// How often somebody was counted; 0 when never.
    func runs(of counted: any AnyObject & Sendable) -> Int {
        let id = ObjectIdentifier(counted)
        return runs.withLock { $0[id] ?? 0 }
    }

    /// Counts somebody, who must live as long as this does.
    func add(to counted: any AnyObject & Sendable) {
        let id = ObjectIdentifier(counted)
        runs.withLock { $0[id, default: 0] += 1 }
    }
}
