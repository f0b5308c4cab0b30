/// Awaits an operation in the isolation of the caller, with a handler for the cancellation of its task.
///
/// The standard library's `withTaskCancellationHandler` takes an operation that leaves that isolation, unless the closure says that
/// it needs it: awaited on an actor, what it calls would run elsewhere, and each wait take two changes of thread in place of one
/// (Swift 6.3). A task of no actor pays for this with about 1,000 instructions, so `CurlTransport` does without for each request.
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
