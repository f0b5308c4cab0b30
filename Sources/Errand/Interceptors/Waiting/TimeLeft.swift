/// How long a request may still take, while an interceptor keeps it waiting.
struct TimeLeft: Sendable {
    /// What a wait fails with when the request's time is over.
    struct IsOver: Error {}

    private let limit: Duration?
    private let clock: any Clock<Duration>
    private let stopwatch: Stopwatch

    /// Begins to count.
    init(to request: TransportRequest, clock: any Clock<Duration>) {
        limit = request.resourceTimeout?.bounded
        self.clock = clock
        stopwatch = Stopwatch(clock)
    }

    /// Waits for something, and no longer than the request may take.
    ///
    /// - Throws: ``IsOver``, at once where no time is left; what `work` throws.
    func wait<Value: Sendable>(for work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        guard let limit else { return try await work() }
        return try await Pipeline { () async throws(any Error) in try await work() }
            .timeout(limit - stopwatch.elapsed, clock: clock, failure: IsOver())
            .value
    }

    /// The request with the time that is left to it.
    func limiting(_ request: TransportRequest) -> TransportRequest { request.after(stopwatch.elapsed) }
}

extension TransportRequest {
    /// This request after a wait, which counts as part of the time that all of it may take.
    func after(_ wait: Duration) -> TransportRequest {
        var request = self
        request.resourceTimeout = resourceTimeout.map { max($0 - wait, .milliseconds(1)) }
        return request
    }
}
