/// A value behind a ``Lock``, to be handed around.
package final class Locked<Value>: Sendable {
    private let lock: Lock<Value>

    /// A lock that guards `value` from here on.
    package init(_ value: consuming sending Value) {
        lock = Lock(value)
    }

    /// Calls `body` with the value while nobody else has it; see ``Lock/withLock(_:)`` for what it may do.
    package func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try lock.withLock(body)
    }
}
