#if !ERRAND_POSIX_MUTEX
public import Synchronization
#endif

/// A value protected by a mutex, as an object that can be captured and shared.
///
/// In an object that is created for each request, use `Synchronization.Mutex` directly. This generic class allocates
/// memory, and looks up its type when it is freed.
@usableFromInline package final class Locked<Value>: Sendable {
    @usableFromInline let mutex: Mutex<Value>

    /// Creates a mutex that protects `value`.
    @inlinable package init(_ value: consuming sending Value) {
        mutex = Mutex(value)
    }

    /// Calls `body` with exclusive access to the value.
    ///
    /// `body` must be short, must not call the user's closures, and must not lock another mutex. Act on the result
    /// after this method has returned.
    @inlinable package func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock(body)
    }
}

#if ERRAND_POSIX_MUTEX
/// The replacement for `Synchronization.Mutex` in a build for the thread sanitizer, which sets `ERRAND_POSIX_MUTEX`.
///
/// On Linux, the sanitizer does not detect that `Synchronization.Mutex` orders accesses, and reports races that do not
/// exist. It supports `pthread_mutex_t`. A declaration of this module hides the imported one of the same name.
///
/// `@unchecked Sendable` is safe because `value` is private and accessed only while the mutex is locked. Values enter
/// and leave as `sending`, so that no reference to the value's contents remains outside.
@usableFromInline final class Mutex<Value>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    @usableFromInline init(_ value: consuming sending Value) {
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        self.value = value
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    @usableFromInline func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
#endif
