import Synchronization

/// A value behind a lock, as a part of the object that uses it: for what each request makes. ``Locked`` is the same as an
/// object of its own, to be captured and handed around; being generic, it looks up its type when it is freed.
///
/// The closure given to ``withLock(_:)`` must be short, must not call out to anyone's closure, and must not take
/// another lock; whoever has to act on what it saw does so after it has returned.
struct Lock<Value>: ~Copyable, Sendable {
    private let mutex: SystemMutex<Value>

    /// A lock that guards `value` from here on.
    init(_ value: consuming sending Value) {
        mutex = SystemMutex(value)
    }

    /// Calls `body` with the value while nobody else has it.
    func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock(body)
    }
}
