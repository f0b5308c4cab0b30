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
    func noting(_ reason: String?) -> DataResponse {
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
