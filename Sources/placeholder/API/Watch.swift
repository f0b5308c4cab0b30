import Errand

/// Tells of the requests that pass where it is listed, and of what came back; listed last, of all that go over the wire.
struct Watch: Interceptor {
    /// Who tells how long they take.
    let clock: any Clock<Duration>
    let report: @Sendable (Exchange) -> Void

    func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        let elapsed = clock.stopwatch()
        let sent = request.urlRequest
        do {
            let response = try await next(request)
            report(Exchange(request: sent, response: response, duration: elapsed(), metrics: response.metrics))
            return response
        } catch let error as ErrandError where error.attempts > 0 {
            report(Exchange(request: sent, response: nil, duration: elapsed(), metrics: error.metrics))
            throw error
        }
    }
}

extension Clock where Duration == Swift.Duration {
    /// Starts; what it returns says how long ago that was.
    fileprivate func stopwatch() -> () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }
}
