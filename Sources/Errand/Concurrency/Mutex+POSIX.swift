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
