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
