import Errand

extension Program {
    /// Requests an unreliable resource until it responds, and shows each attempt and each wait.
    func flaky(on service: APIService<any Error>, showsCurl: Bool) async throws {
        let policy = announcedRetryPolicy
        out.line(
            "One request, sent up to \(policy.maximumAttempts) times, with waits that grow and are left to chance.")
        let logging = LoggingInterceptor(
            level: .debug, disclosure: LogDisclosure(showsCurl: showsCurl), clock: clock,
            sink: { [out] entry in out.line("\(entry)") }, requestID: { _ in "flaky" })
        // Before the retries, the log has one entry for the request; after them, one for each attempt.
        let response = service.adding(logging, RetryInterceptor(policy), logging).send(FlakyRequest())
        let user = try await response.value
        let attempts = try await response.head?.attempts ?? 0
        out.line("It took \(attempts) attempts:")
        out.line(Card(row: user).text)
    }

    /// The policy, which prints each wait.
    private var announcedRetryPolicy: RetryPolicy {
        var policy = retryPolicy
        policy.onRetry = { [out] attempt, wait in
            let requested = attempt.response?.headers["Retry-After"].map { " (Retry-After: \($0.onOneLine))" }
            let wait = String(format: "%.0f ms", wait / .milliseconds(1))
            out.line("attempt \(attempt.number) failed, the next after \(wait)\(requested ?? "")")
        }
        return policy
    }
}
