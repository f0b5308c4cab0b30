/// A call of a ``CredentialProvider``, visible to all code that runs in it. A request in the call must not wait for a
/// token of any ``TokenAuthentication``: the refresh of that token may be waiting for the request.
final class ProviderCall: Sendable {
    @TaskLocal private static var current: ProviderCall?

    private struct State: Sendable {
        /// Whether the call has ended. A task that was started in the call may continue, and then counts as any other
        /// task.
        var isOver = false
        /// The failure of the last request in the call; `nil` if it had a response.
        var failure: ErrandError?
        /// The status code of the last response in the call.
        var statusCode: Int?
    }

    private let state = Locked(State())

    /// Whether the current task belongs to a call that has not ended.
    static var isActive: Bool { current?.state.withLock { !$0.isOver } ?? false }

    /// Runs a call. If its last request has no response, the call fails with the error of that request, even if the
    /// provider throws another error for it.
    ///
    /// - Parameter marksRefusals: Whether the provider's own error becomes a ``RefusedProvider`` if the last response
    ///   was a refusal.
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

    /// Reports the end of a request, which may belong to a call.
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
