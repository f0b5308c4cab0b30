import Foundation
import Synchronization

/// A value behind a lock: the one lock of this package.
///
/// The closure given to ``withLock(_:)`` must be short, must not call out to anyone's closure, and must not take
/// another lock; whoever has to act on what it saw does so after it has returned.
///
/// It is `Synchronization.Mutex` where that is to be had on every system that Errand runs on, which is not so on Apple's:
/// there it needs macOS 15 and iOS 18, and ``PosixMutex`` takes its place. (`NSLock` allocates four times on Linux, and
/// every request has a few locks.)
/// The thread sanitizer knows nothing of that mutex, so a build for it sets `ERRAND_POSIX_MUTEX`, and tries the other.
package final class Locked<Value>: Sendable {
    #if canImport(Darwin) || ERRAND_POSIX_MUTEX
    private let mutex: PosixMutex<Value>
    #else
    private let mutex: Mutex<Value>
    #endif

    /// A lock that guards `value` from here on.
    package init(_ value: consuming sending Value) {
        mutex = .init(value)
    }

    /// Calls `body` with the value while nobody else has it.
    package func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock(body)
    }
}

#if canImport(Darwin) || ERRAND_POSIX_MUTEX
/// A value behind a `pthread_mutex_t`.
///
/// `@unchecked Sendable` holds because `value` is private and touched only while the mutex is held, and because values
/// enter and leave by `sending`: no reference to what is inside stays outside.
private final class PosixMutex<Value>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    init(_ value: consuming sending Value) {
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        self.value = value
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
#endif
