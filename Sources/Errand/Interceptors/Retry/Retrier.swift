/// A type that decides for one request whether it is sent again. It may store the previous attempts.
///
/// ```swift
/// actor OnceAfterConflict: Retrier {
///     private var hasTried = false
///
///     func decide(after attempt: FailedAttempt) async -> RetryDecision {
///         guard attempt.response?.statusCode == 409, !hasTried else { return .stop }
///         hasTried = true
///         return .retry(after: .seconds(1))
///     }
/// }
/// ```
///
/// A ``RetrierFactory`` creates one for each request, so that requests do not share state. ``RetryPolicy`` is such a
/// factory, and usually sufficient.
public protocol Retrier: Sendable {
    /// Decides whether to send the request again. It is called after each failed attempt; calls do not overlap.
    ///
    /// An attempt failed if there was no response, or one with status 400 or higher. The method may wait for something,
    /// such as a new token; this counts toward the request's time. Cancelling the request cancels the calling task, and
    /// its decision is then ignored.
    func decide(after attempt: FailedAttempt) async -> RetryDecision
}

/// A factory that creates a ``Retrier`` for each request.
public protocol RetrierFactory: Sendable {
    /// Returns the request that all attempts send. It is called once before the first attempt; by default, it returns
    /// the request unchanged.
    func prepare(_ request: TransportRequest) -> TransportRequest
    /// Returns a new retrier. It is called once before the first attempt.
    func makeRetrier(for request: TransportRequest) -> any Retrier
}

extension RetrierFactory {
    /// Returns the request unchanged.
    public func prepare(_ request: TransportRequest) -> TransportRequest { request }
}
