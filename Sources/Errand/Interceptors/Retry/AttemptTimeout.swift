/// An interceptor that limits the time of each attempt of a request.
///
/// ```swift
/// retryPolicy = .exponential()
/// interceptors = [AttemptTimeout(.seconds(2))]
/// resourceTimeout = .seconds(10)
/// ```
///
/// Each attempt of the retry passes the other interceptors, and with them this limit: an attempt that takes too long
/// fails with ``ErrandError/Code-swift.struct/timedOut``, after which a ``RetryPolicy`` sends the request again.
/// ``APIBase/resourceTimeout`` limits all attempts and waits together.
///
/// The time ends with the response: with the body of a collected response, or with the head of a streamed one. It
/// includes the time of interceptors after this one. After the limit, the attempt is cancelled without waiting for its
/// end.
public struct AttemptTimeout: Interceptor {
    private let limit: Duration
    private let clock: any Clock<Duration>

    /// Creates an interceptor that limits each attempt.
    ///
    /// - Parameters:
    ///   - limit: The maximum time of an attempt; zero or less fails it immediately.
    ///   - clock: The clock that measures the time.
    public init(_ limit: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.limit = limit
        self.clock = clock
    }

    /// Sends the request, and waits no longer than the limit.
    ///
    /// - Throws: ``ErrandError`` with `timedOut` or `cancelled`, or the error of `next`.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        let failure = ErrandError(.timedOut, reason: "the attempt took longer than \(limit.secondsText)")
            .with(request: request.urlRequest)
        return try await Pipeline { () async throws(any Error) in try await next(request) }
            .timeout(limit, clock: clock, failure: failure)
            .value
    }
}
