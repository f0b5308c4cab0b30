/// Runs an operation in the isolation of the caller, with a handler for the cancellation of its task.
///
/// The standard library's `withTaskCancellationHandler` runs the operation outside the caller's isolation, unless the
/// closure requires that isolation. On an actor, functions that the operation calls would then run elsewhere. Each wait
/// would need two thread switches instead of one (Swift 6.3). Without an actor, this function costs about 1,000
/// instructions, so `CurlTransport` does not use it for each request.
package func withCancellationHandler<Value>(
    isolation: isolated (any Actor)? = #isolation, _ operation: () async throws -> Value,
    onCancel handler: @Sendable () -> Void
) async rethrows -> Value {
    try await withTaskCancellationHandler {
        _ = isolation
        return try await operation()
    } onCancel: {
        handler()
    }
}

/// Waits for work, at most until the waiting task is cancelled.
///
/// When the waiting task is cancelled, `work` is cancelled but not awaited, even if it ignores the cancellation.
///
/// - Throws: The error of `work`; ``ErrandError`` with `cancelled`.
package func waitingCancellably<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws
    -> Value
{
    if Task.isCancelled { throw ErrandError(.cancelled) }
    let promise = PipelinePromise<Value, any Error>()
    let task = Task {
        do { promise.resolve(with: .success(try await work())) } catch { promise.resolve(with: .failure(error)) }
    }
    promise.onCancel { task.cancel() }
    return try await promise.value
}
