import Dispatch

/// A thread that may block, for one thing after the other. A serial queue: those get threads beyond the ones that run
/// tasks, which a concurrent queue would use up.
package struct BlockingQueue: Sendable {
    private let queue: DispatchQueue

    package init(label: String) {
        queue = DispatchQueue(label: label)
    }

    /// Runs `body`. Cancelling ends the wait at once; `body` goes on until it returns by itself.
    package func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        let promise = PipelinePromise<Value, any Error>()
        queue.async { promise.resolve(with: Result { try body() }) }
        return try await promise.value
    }

    /// Has `body` run behind all that was asked for before, and does not wait.
    func begin(_ body: @escaping @Sendable () -> Void) {
        queue.async { body() }
    }
}
