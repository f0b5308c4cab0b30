/// Waits for somebody else's work, and no longer than the waiting task lives.
///
/// When that is cancelled, `work` is cancelled and not waited for, even if it does not heed it.
///
/// - Throws: ``ErrandError`` with `cancelled`; what `work` throws.
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
