extension RetryPolicy: RetrierFactory {
    /// The request, with an `Idempotency-Key` where the policy adds one.
    public func prepare(_ request: TransportRequest) -> TransportRequest {
        guard addsIdempotencyKey, !isHarmlessTwice(request) else { return request }
        var request = request
        request.urlRequest.setValue("\"\(UUID().uuidString.lowercased())\"", forHTTPHeaderField: Self.keyField)
        return request
    }

    /// A retrier that does as the policy says; the budget, if there is one, gets its deposit.
    public func makeRetrier(for request: TransportRequest) -> any Retrier {
        budget?.deposit()
        return PolicyRetrier(policy: self)
    }

    private static let keyField = "Idempotency-Key"

    /// Whether the server does no more when it gets the request twice.
    fileprivate func isHarmlessTwice(_ request: TransportRequest) -> Bool {
        methods.contains(RequestMethod(rawValue: request.urlRequest.httpMethod ?? "GET"))
            || request.urlRequest.value(forHTTPHeaderField: Self.keyField) != nil
    }

    /// Whether the failure is one that may pass.
    fileprivate func mayPass(_ outcome: Result<DataResponse, any Error>) -> Bool {
        switch outcome {
        case .success(let response): statusCodes.contains(response.statusCode)
        case .failure(let error): error.transportCode.map(errorCodes.contains) ?? false
        }
    }

    /// How long the server asks to wait: `Retry-After` goes before the quota.
    fileprivate func waitAsked(by response: DataResponse?) -> Duration? {
        guard let response, maximumServerWait > .zero else { return nil }
        let now = now()
        return response.headers.retryAfter(now: now)
            ?? response.headers.rateLimitReset(statusCode: response.statusCode, now: now)
    }
}

/// One request under a ``RetryPolicy``: a thin shell around its ``RetrySchedule``.
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
        guard attempt.request.canBeSentAgain else { return .bodyIsGone }
        let asked = policy.waitAsked(by: attempt.response)
        let chance = policy.random()
        let decision = schedule.withLock { $0.decide(asked: asked, chance: chance) }
        guard case .retry(let wait) = decision else { return decision }
        guard attempt.timeLeft.map({ $0 > wait }) ?? true else { return .noTimeIsLeft }
        // Last, so that a token is taken only for what is sent.
        guard policy.budget?.withdraw() ?? true else { return .budgetIsUsedUp }
        return decision
    }
}
