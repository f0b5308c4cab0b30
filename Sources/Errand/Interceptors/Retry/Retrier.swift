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
    /// An attempt failed if there was no response, or one that the settings do not accept. The method may wait for
    /// something, such as a network connection or a new token; this counts toward the request's time. Cancelling the
    /// request cancels the calling task, and its decision is then ignored.
    func decide(after attempt: FailedAttempt) async -> RetryDecision
}

/// The next step after a failed attempt.
public enum RetryDecision: Hashable, Sendable {
    /// Ends the attempts: the caller receives the response or the failure.
    ///
    /// The reason is a sentence, which must not contain a secret. It is appended to the ``ErrandError/reason`` of the
    /// request's error.
    case stop(reason: String?)
    /// Sends the request again after a time. Zero and less mean immediately; the maximum is a hundred years.
    case retry(after: Duration)

    /// Ends the attempts.
    public static var stop: RetryDecision { .stop(reason: nil) }
    /// Sends the request again immediately.
    public static var retry: RetryDecision { .retry(after: .zero) }
}

extension RetryDecision {
    static let bodyNotRepeatable = RetryDecision.stop(reason: "not sent again, since its body can be read only once")
    /// - Parameter method: A method that was checked, so that it is a token.
    static func methodNotRepeatable(_ method: String) -> RetryDecision {
        .stop(reason: "not sent again, since the policy's `methods` do not contain \(method): see `addsIdempotencyKey`")
    }
    static let outOfTime = RetryDecision.stop(
        reason: "not sent again, since `resourceTimeout` leaves no time for it")
    static let serverAsksForTooLong = RetryDecision.stop(
        reason: "not sent again, since the server asks for a longer wait than `maximumServerWait`")
    static let waitsAreUsedUp = RetryDecision.stop(
        reason: "not sent again, since the waits would exceed `maximumTotalWait`")
    static let budgetIsUsedUp = RetryDecision.stop(reason: "not sent again, since the retry budget is used up")
}

extension DataResponse {
    /// Returns this response, with a sentence for the error that it may cause.
    package func noting(_ reason: String?) -> DataResponse {
        guard let reason else { return self }
        var response = self
        response.note = reason
        return response
    }
}

extension Error {
    /// Returns this error with an additional sentence, if its type supports one.
    func noting(_ reason: String?) -> any Error {
        guard let reason, var error = self as? ErrandError else { return self }
        error.add(reason)
        return error
    }
}

/// A failed attempt of a request, for which a ``Retrier`` decides whether to send it again.
public struct FailedAttempt: Sendable {
    /// The request, without the changes of the interceptors after the retry.
    public let request: TransportRequest
    /// The number of the attempt; 1 is the first.
    public let number: Int
    /// The outcome: a response that the settings do not accept, or the thrown error.
    ///
    /// For a streamed response, it is only the head, with an empty body.
    public let outcome: Result<DataResponse, any Error>
    /// The rest of the request's ``TransportRequest/resourceTimeout``; `nil` if it has none.
    ///
    /// A wait of at least this length is not started, regardless of the retrier's decision.
    public let timeLeft: Duration?

    /// Creates an attempt, for tests of a retrier.
    public init(
        request: TransportRequest, number: Int = 1, outcome: Result<DataResponse, any Error>, timeLeft: Duration? = nil
    ) {
        self.request = request
        self.number = number
        self.outcome = outcome
        self.timeLeft = timeLeft
    }

    /// The response, if there was one.
    public var response: DataResponse? { try? outcome.get() }

    /// The thrown error, if there was no response.
    public var error: (any Error)? {
        guard case .failure(let error) = outcome else { return nil }
        return error
    }
}
