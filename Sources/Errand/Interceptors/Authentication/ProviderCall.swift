/// A call of a ``CredentialProvider``, known to all that runs in it: what it sends must not wait for a token, of whichever
/// instance, since the token may be waiting for it.
final class ProviderCall: Sendable {
    @TaskLocal private static var current: ProviderCall?

    private struct State: Sendable {
        /// A task that was started in the call may go on when the call is over, and is like any other then.
        var isOver = false
        /// The failure of the last request in the call; `nil` if that had a response.
        var failure: ErrandError?
    }

    private let state = Locked(State())

    /// Whether the task that asks is part of a call that goes on.
    static var isUnderWay: Bool { current?.state.withLock { !$0.isOver } ?? false }

    /// Runs a call. When a request in it does not reach the server, the call fails with the error of that request, also if the
    /// provider makes another error of it.
    static func run<Value>(_ body: () async throws -> Value) async throws -> Value {
        let call = ProviderCall()
        defer { call.state.withLock { $0.isOver = true } }
        do {
            return try await $current.withValue(call, operation: body)
        } catch {
            guard !error.isCancellation, !(error is ErrandError), let failure = call.state.withLock({ $0.failure }),
                failure.isNetworkFailure
            else { throw error }
            throw failure
        }
    }

    /// A request has ended, which may be one of a call.
    static func requestEnded(_ failure: (any Error)?) {
        guard let current else { return }
        current.state.withLock { $0.failure = failure as? ErrandError }
    }
}
