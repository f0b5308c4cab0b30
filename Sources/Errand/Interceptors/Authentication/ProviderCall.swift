/// A call of a ``CredentialProvider``, known to all that runs in it: what it sends must not wait for a token, of whichever
/// instance, since the token may be waiting for it.
final class ProviderCall: Sendable {
    @TaskLocal private static var current: ProviderCall?

    private struct State: Sendable {
        /// A task that was started in the call may go on when the call is over, and is like any other then.
        var isOver = false
        /// The failure of the last request in the call; `nil` if that had a response.
        var failure: ErrandError?
        /// The status code of the last response in the call.
        var statusCode: Int?
    }

    private let state = Locked(State())

    /// Whether the task that asks is part of a call that goes on.
    static var isUnderWay: Bool { current?.state.withLock { !$0.isOver } ?? false }

    /// Runs a call. When its last request has no response, the call fails with the error of that request, also if the
    /// provider makes another error of it.
    ///
    /// - Parameter marksRefusals: Whether the provider's own error is a ``RefusedProvider`` if the last response refused.
    static func run<Value>(marksRefusals: Bool = false, _ body: () async throws -> Value) async throws -> Value {
        let call = ProviderCall()
        defer { call.state.withLock { $0.isOver = true } }
        do {
            return try await $current.withValue(call, operation: body)
        } catch {
            let isOwn = !(error is ErrandError || error is any TokenServerError)
            guard isOwn, !error.isCancellation, !error.isNetworkFailure else { throw error }
            let (failure, statusCode) = call.state.withLock { ($0.failure, $0.statusCode) }
            if let failure, !failure.isCancellation { throw failure }
            guard marksRefusals, let statusCode, Int.refusesTokenRequests(statusCode) else { throw error }
            throw RefusedProvider(cause: error)
        }
    }

    /// A request has ended, which may be one of a call.
    static func requestEnded(_ outcome: Result<Int, any Error>) {
        guard let current else { return }
        current.state.withLock { state in
            switch outcome {
            case .success(let statusCode): (state.failure, state.statusCode) = (nil, statusCode)
            case .failure(let error): (state.failure, state.statusCode) = (error as? ErrandError, nil)
            }
        }
    }
}
