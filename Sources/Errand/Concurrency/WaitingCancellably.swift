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
