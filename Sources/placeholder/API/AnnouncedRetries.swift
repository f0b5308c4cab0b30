import Errand

/// A retry policy that prints how long it will wait.
struct AnnouncedRetries: RetrierFactory {
    let policy: RetryPolicy
    let announce: @Sendable (FailedAttempt, Duration) -> Void

    func prepare(_ request: TransportRequest) -> TransportRequest { policy.prepare(request) }

    func makeRetrier(for request: TransportRequest) -> any Retrier {
        Announcer(retrier: policy.makeRetrier(for: request), announce: announce)
    }

    private struct Announcer: Retrier {
        let retrier: any Retrier
        let announce: @Sendable (FailedAttempt, Duration) -> Void

        func decide(after attempt: FailedAttempt) async -> RetryDecision {
            let decision = await retrier.decide(after: attempt)
            if case .retry(let wait) = decision { announce(attempt, wait) }
            return decision
        }
    }
}
