/// One run of a ``RequestRunner``: its attempts, its progress, and the observers of its outcome.
struct RequestRun: Sendable {
    let attempts: Attempts
    let progress: RunProgress
    /// The innermost retry of a pipeline that may repeat the request; `nil` if no retry repeats it.
    let retry: RetryScope?
    /// The reader of a streamed response. The responses to requests that interceptors or operators send meanwhile are
    /// collected, and have no reader.
    let reader: StreamReader?
    private let observer: HeadObserver?
    private let active: ActiveRequests?

    /// Begins a run.
    ///
    /// - Parameters:
    ///   - request: The built request; `nil` if it could not be built.
    ///   - creationScope: The retry that was running when the runner was created; `nil` without one.
    init(
        of runner: RequestRunner, _ request: TransportRequest?, progress: RequestRunner.Progress,
        createdIn creationScope: RetryScope?
    ) {
        retry = RetryScope.current
        let scope = retry == nil ? nil : RetryScope.outermost(inside: creationScope)
        let attempts = scope?.value(of: runner) { Attempts() } ?? Attempts()
        self.attempts = attempts
        self.progress = RunProgress(progress, of: runner, in: scope)
        reader = request?.streamsResponse == true ? StreamReader.current : nil
        observer = HeadObserver.current
        active = ActiveRequests.current
        active?.begin(request?.urlRequest) { attempts.count }
    }

    /// Sends the request through the interceptors.
    ///
    /// Requests that they send themselves, such as token refreshes, have no head observer. A pipeline's retry does not
    /// repeat them, and a time limit does not name them.
    ///
    /// Without observer, retry and limit, it avoids a closure: Swift 6.3 runs the closure outside the caller's actor.
    func pass(_ request: TransportRequest, to next: Next) async throws -> DataResponse {
        guard observer != nil || retry != nil || active != nil else { return try await next(request) }
        let context = TaskContext.current.with(nil, as: HeadObserver.self).with(nil, as: RetryScope.self)
            .with(nil, as: ActiveRequests.self)
        return try await TaskContext.$current.withValue(context) { try await next(request) }
    }

    /// Reports the outcome, once, to the progress and to all observers. A streamed response ends its progress itself.
    func end(_ outcome: Result<DataResponse, any Error>) {
        progress.close()
        if case .failure = outcome { progress.end(received: nil) }
        retry?.requestEnded(outcome.map(\.statusCode))
        ProviderCall.requestEnded(outcome.map(\.statusCode))
        switch outcome {
        case .success(let response): observer?.received(response, isLast: retry == nil)
        case .failure: observer?.failed(after: attempts.latest)
        }
        active?.end()
    }
}
