import Errand

extension RouteStubs {
    /// Every request so far, in order, those that nobody expected included.
    public var requests: [MockRequest] { journal.requests }

    /// Takes the next request that has not been taken yet, in order of arrival. Waits for it if no request is left.
    ///
    /// - Parameters:
    ///   - limit: The longest wait; 60 seconds by default. A request that has already come is taken at any limit.
    ///   - clock: The clock that measures this; real time by default.
    /// - Throws: ``MockServer/Mismatch``, which lists what has come so far, if none comes in time; `CancellationError` if the task
    ///   is cancelled, which takes nothing.
    public func takeRequest(
        within limit: Duration = .seconds(60), clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> MockRequest {
        guard let request = try await journal.takeRequest(within: limit, clock: clock) else {
            throw MockServer.Mismatch("no request to be taken came within \(limit)\n\(journal.summary)")
        }
        return request
    }
}
