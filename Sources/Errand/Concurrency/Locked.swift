import Synchronization

/// A value protected by a mutex, as an object that can be captured and shared.
///
/// Use `Synchronization.Mutex` directly in an object that is made for each request: this generic class allocates, and looks up
/// its type when it is freed.
package final class Locked<Value>: Sendable {
    private let mutex: Mutex<Value>

    /// Protects `value` with a mutex.
    package init(_ value: consuming sending Value) {
        mutex = Mutex(value)
    }

    /// Calls `body` with exclusive access to the value.
    ///
    /// `body` must be short, must not call closures of users, and must not lock another mutex. Code that acts on what it found
    /// runs after this method has returned.
    package func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock(body)
    }
}
