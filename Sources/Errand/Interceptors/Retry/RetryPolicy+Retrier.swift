extension RetryPolicy {
    /// Returns the request, with an `Idempotency-Key` header field if the policy adds one.
    func prepare(_ request: TransportRequest) -> TransportRequest {
        guard addsIdempotencyKey, !isHarmlessTwice(request) else { return request }
        var request = request
        request.urlRequest.setValue("\"\(UUID().uuidString.lowercased())\"", forHTTPHeaderField: Self.keyField)
        return request
    }

    /// Creates a retrier for this policy, and makes a deposit in the budget if there is one.
    func makeRetrier() -> any Retrier {
        budget?.deposit()
        return PolicyRetrier(policy: self)
    }

    private static let keyField = "Idempotency-Key"

    /// Returns `true` if repeating the request has no additional effect on the server.
    fileprivate func isHarmlessTwice(_ request: TransportRequest) -> Bool {
        methods.contains(RequestMethod(rawValue: request.urlRequest.httpMethod ?? "GET"))
            || request.urlRequest.value(forHTTPHeaderField: Self.keyField) != nil
    }

    /// Returns `true` if the failure may be transient.
    fileprivate func mayPass(_ outcome: Result<DataResponse, any Error>) -> Bool {
        switch outcome {
        case .success(let response): statusCodes.contains(response.statusCode)
        case .failure(let error): error.transportCode.map(errorCodes.contains) ?? false
        }
    }

    /// Returns the wait that the server asks for. `Retry-After` has precedence over the quota.
    fileprivate func requestedWait(in response: DataResponse?) -> Duration? {
        guard let response, maximumServerWait > .zero else { return nil }
        let now = now()
        return response.headers.retryAfter(now: now)
            ?? response.headers.rateLimitReset(statusCode: response.statusCode, now: now)
    }
}

/// The retrier of one request: applies a ``RetryPolicy`` with a ``RetrySchedule``.
private final class PolicyRetrier: Retrier {
    private let policy: RetryPolicy
    private let schedule: Locked<RetrySchedule>

    init(policy: RetryPolicy) {
        self.policy = policy
        schedule = Locked(RetrySchedule(policy))
    }

    func decide(after attempt: FailedAttempt) async -> RetryDecision {
        guard policy.mayPass(attempt.outcome), policy.isHarmlessTwice(attempt.request),
            attempt.number < policy.maximumAttempts
        else { return .stop }
        guard attempt.request.canBeSentAgain else { return .bodyNotRepeatable }
        let serverWait = policy.requestedWait(in: attempt.response)
        let chance = policy.random()
        let decision = schedule.withLock { $0.decide(serverWait: serverWait, chance: chance) }
        guard case .retry(let wait) = decision else { return decision }
        guard attempt.timeLeft.map({ $0 > wait }) ?? true else { return .outOfTime }
        // Checked last, so that a token is taken only if the request is repeated.
        guard policy.budget?.withdraw() ?? true else { return .budgetIsUsedUp }
        return decision
    }
}
