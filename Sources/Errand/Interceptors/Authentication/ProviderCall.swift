/// A call of a ``CredentialProvider``, known to all that runs in it: what it sends must not wait for a token, of whichever
/// instance, since the token may be waiting for it.
final class ProviderCall: Sendable {
    @TaskLocal private static var current: ProviderCall?

    /// A task that was started in the call may go on when the call is over, and is like any other then.
    private let isOver = Locked(false)

    /// Whether the task that asks is part of a call that goes on.
    static var isUnderWay: Bool { current?.isOver.withLock { !$0 } ?? false }

    static func run<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        let call = ProviderCall()
        defer { call.isOver.withLock { $0 = true } }
        return try await $current.withValue(call, operation: body)
    }
}
