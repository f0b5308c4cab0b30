/// What is to be done after an attempt that failed.
public enum RetryDecision: Hashable, Sendable {
    /// Leaves it at that: the caller gets the answer or the failure.
    ///
    /// The sentence, which must not show a secret, is put behind the ``ErrandError/reason`` of the error that the
    /// request fails with.
    case stop(reason: String?)
    /// Sends the request again after so long. Zero and less is at once; a hundred years is the most.
    case retry(after: Duration)

    /// Leaves it at that.
    public static var stop: RetryDecision { .stop(reason: nil) }
    /// Sends the request again at once.
    public static var retry: RetryDecision { .retry(after: .zero) }
}

extension RetryDecision {
    static let bodyIsGone = RetryDecision.stop(reason: "not sent again, since its body can be read only once")
    static let noTimeIsLeft = RetryDecision.stop(reason: "no time is left to send it again")
    static let serverAsksForTooLong = RetryDecision.stop(
        reason: "not sent again, since the server asks to wait longer than is waited")
    static let waitsAreUsedUp = RetryDecision.stop(reason: "waiting to send it again would take too long in all")
    static let budgetIsUsedUp = RetryDecision.stop(reason: "not sent again, since the retry budget is used up")
}

extension DataResponse {
    /// This response, with a sentence for the error that it may cause.
    func noting(_ reason: String?) -> DataResponse {
        guard let reason else { return self }
        var response = self
        response.note = reason
        return response
    }
}

extension Error {
    /// This error, with one sentence more where it is of a kind that has them.
    func noting(_ reason: String?) -> any Error {
        guard let reason, var error = self as? ErrandError else { return self }
        error.add(reason)
        return error
    }
}
