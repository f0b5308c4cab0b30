/// The remaining time of a request while an interceptor delays it.
struct TimeLeft: Sendable {
    /// The error of a wait after the request's time has passed.
    struct IsOver: Error {}

    private let limit: Duration?
    private let clock: any Clock<Duration>
    private let timeline: Timeline

    /// Starts the measurement.
    init(to request: TransportRequest, clock: any Clock<Duration>) {
        limit = request.resourceTimeout?.bounded
        self.clock = clock
        timeline = Timeline(clock)
    }

    /// Waits for `work`, at most for the remaining time of the request. Then `work` is cancelled but not awaited.
    ///
    /// - Throws: ``IsOver``, immediately if no time is left, or the error of `work`.
    func wait<Value: Sendable>(for work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        guard let limit else { return try await work() }
        return try await Pipeline { () async throws(any Error) in try await work() }
            .timeout(limit - timeline.now, clock: clock, failure: IsOver())
            .value
    }

    /// The request with its remaining time.
    func limiting(_ request: TransportRequest) -> TransportRequest { request.after(timeline.now) }
}
