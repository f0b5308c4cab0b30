/// The requests of a pipeline's run, for the error of an operator that limits the time of the run.
final class ActiveRequests: Sendable {
    private struct State: Sendable {
        var latest: (request: URLRequest?, attempts: @Sendable () -> Int)?
        var count = 0
        /// Whether the latest request began while another one was in progress, so that the request that took too long
        /// is unknown.
        var isAmbiguous = false
    }

    private let state = Locked(State())
    /// The requests of an enclosing time limit.
    private let outer = ActiveRequests.current

    /// The requests of the run that this task belongs to; `nil` if no operator limits its time.
    static var current: ActiveRequests? { TaskContext.current[ActiveRequests.self] }

    /// Runs a pipeline and collects its requests.
    func run<Output: Sendable>(_ pipeline: Pipeline<Output, any Error>) async throws -> Output {
        try await TaskContext.$current.withValue(TaskContext.current.with(self)) { try await pipeline.value }
    }

    /// - Parameter attempts: Returns the number of times the request was sent.
    func begin(_ request: URLRequest?, attempts: @escaping @Sendable () -> Int) {
        outer?.begin(request, attempts: attempts)
        state.withLock { state in
            state.count += 1
            state.isAmbiguous = state.count > 1
            state.latest = (request, attempts)
        }
    }

    func end() {
        outer?.end()
        state.withLock { $0.count -= 1 }
    }

    /// Returns the error with the latest request; unchanged if several requests were in progress at once.
    func describing(_ error: ErrandError) -> ErrandError {
        let latest = state.withLock { $0.isAmbiguous ? nil : $0.latest }
        guard let latest, let request = latest.request else { return error }
        return error.with(request: request, attempts: latest.attempts())
    }
}
