import Errand

/// A sent request and its outcome.
struct Exchange: Sendable {
    let request: URLRequest
    /// The response; `nil` if no complete response arrived.
    let response: DataResponse?
    let duration: Duration
}

/// An interceptor that reports requests and their outcomes. As the last interceptor, it reports all that is sent.
struct Watch: Interceptor {
    /// The clock that measures durations.
    let clock: any Clock<Duration>
    let report: @Sendable (Exchange) -> Void

    var placement: InterceptorPlacement { .asListed }

    func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        let elapsed = clock.stopwatch()
        let sent = request.urlRequestWithBody
        do {
            let response = try await next(request)
            report(Exchange(request: sent, response: response, duration: elapsed()))
            return response
        } catch let error as ErrandError where error.attempts > 0 {
            report(Exchange(request: sent, response: nil, duration: elapsed()))
            throw error
        }
    }
}

extension Clock where Duration == Swift.Duration {
    /// Starts a measurement, and returns a closure with the time since then.
    fileprivate func stopwatch() -> () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }
}
