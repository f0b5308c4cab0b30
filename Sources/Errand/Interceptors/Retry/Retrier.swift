/// What decides, for one request, whether it is sent again: it may remember what happened before.
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
/// A ``RetrierFactory`` makes one for each request, so that what one request remembers is not another's.
/// ``RetryPolicy`` is such a factory, and mostly the only one that is needed.
public protocol Retrier: Sendable {
    /// Says whether to send again; asked after each attempt that failed, one after the other.
    ///
    /// An attempt failed when no answer came, or one of status 400 or more. It may wait for something, such as a new
    /// token; the time counts against the request's. Cancelling the request cancels the task that asks, and nobody waits
    /// for what it says then.
    func decide(after attempt: FailedAttempt) async -> RetryDecision
}

/// What makes a ``Retrier`` for each request.
public protocol RetrierFactory: Sendable {
    /// The request as all its attempts send it, made once before the first; by default the same.
    func prepare(_ request: TransportRequest) -> TransportRequest
    /// A new retrier, made once before the first attempt.
    func makeRetrier(for request: TransportRequest) -> any Retrier
}

extension RetrierFactory {
    /// The same.
    public func prepare(_ request: TransportRequest) -> TransportRequest { request }
}
