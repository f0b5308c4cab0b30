#if canImport(Darwin) || ERRAND_POSIX_MUTEX
import Foundation

typealias SystemMutex = PosixMutex

/// A value behind a `pthread_mutex_t`.
///
/// `@unchecked Sendable` holds because `value` is private and touched only while the mutex is held, and because values
/// enter and leave by `sending`: no reference to what is inside stays outside.
final class PosixMutex<Value>: @unchecked Sendable {
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
