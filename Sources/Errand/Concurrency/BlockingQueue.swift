import Dispatch

/// A serial dispatch queue for blocking I/O, so that it blocks no thread that runs tasks. It blocks at most one thread
/// at a time.
package struct BlockingQueue: Sendable {
    private let queue: DispatchQueue

    package init(label: String) {
        queue = DispatchQueue(label: label)
    }

    /// Runs `body` and waits for it.
    ///
    /// - Throws: The error of `body`; ``ErrandError`` with `cancelled`, immediately, if the task is cancelled. `body`
    ///   still runs until it returns.
    package func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        let promise = PipelinePromise<Value, any Error>()
        queue.async { promise.resolve(with: Result { try body() }) }
        return try await promise.value
    }

    /// Runs `body` after all earlier calls, without waiting for it.
    func begin(_ body: @escaping @Sendable () -> Void) {
        queue.async { body() }
    }
}
