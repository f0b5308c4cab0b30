// The thread sanitizer does not understand `Synchronization.Mutex`. Its build uses the one in Mutex+POSIX.swift.
#if !ERRAND_POSIX_MUTEX
public import Synchronization
#endif

/// A value protected by a mutex, as an object that can be captured and shared.
///
/// In an object that every request creates, `Synchronization.Mutex` costs less: this generic class allocates memory,
/// and looks up its type when it is freed.
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

/// A closure that receives the first of several errors.
struct FirstError: Sendable {
    let receive: (@Sendable (any Error) -> Void)?
    private let hasReported = Locked(false)

    /// Passes an error to the closure if it is the first one.
    func report(_ error: any Error) {
        let isFirst = hasReported.withLock { hasReported in
            defer { hasReported = true }
            return !hasReported
        }
        if isFirst { receive?(error) }
    }
}
