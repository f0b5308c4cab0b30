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
/// A ``RetryInterceptor`` has a closure that makes one for each request, so that requests do not share state. A
/// ``RetryPolicy`` is usually sufficient.
public protocol Retrier: Sendable {
    /// Decides whether to send the request again. It is called after each failed attempt except the last one that the
    /// ``RetryInterceptor`` allows; calls do not overlap.
    ///
    /// An attempt failed if there was no response, or one with a status that is not accepted. The method may wait for
    /// something, such as a network connection or a new token; this counts toward the request's time. Cancelling the
    /// request cancels the calling task, and its decision is then ignored.
    func decide(after attempt: FailedAttempt) async -> RetryDecision
}
