import Foundation

/// A value behind a lock: the one lock of this package.
///
/// The closure given to ``withLock(_:)`` must be short, must not call out to anyone's closure, and must not take
/// another lock; whoever has to act on what it saw does so after it has returned.
///
/// `@unchecked Sendable` holds because `value` is private and touched only while the mutex is held, and because values
/// enter and leave by `sending`: no reference to what is inside stays outside. (`Synchronization.Mutex` would be this
/// type, but needs macOS 15 and iOS 18; `NSLock` allocates four times on Linux, and every request has a few locks.)
package final class Locked<Value>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    /// A lock that guards `value` from here on.
    package init(_ value: sending Value) {
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        self.value = value
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Calls `body` with the value while nobody else has it.
    package func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
