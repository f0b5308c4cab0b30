import Errand

extension RouteStubs {
    /// The requests so far, in order, including those that no stub matched. Their ``MockRequest/parameters`` are those
    /// of the stub that matched.
    public var requests: [MockRequest] { journal.requests }

    /// Takes the next request that has not been taken, in order of arrival. Waits if there is none.
    ///
    /// - Parameters:
    ///   - limit: The longest wait; 60 seconds by default. A request that has already arrived is taken with any limit.
    ///   - clock: The clock for the wait; real time by default.
    /// - Throws: ``MockMismatch``, which lists the requests so far, if none comes in time; `CancellationError`
    ///   if the task is cancelled, and no request is taken.
    public func takeRequest(
        within limit: Duration = .seconds(60), clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> MockRequest {
        try await journal.takeRequest(within: limit, clock: clock)
    }
}
