import Errand

/// Requests an unreliable resource until it responds, and shows each attempt and each wait.
struct FlakyCommand {
    let service: APIService<any Error>
    let out: Output
    let isVerbose: Bool
    let policy: RetryPolicy

    func run() async throws {
        out.line(
            "One request, sent up to \(policy.maximumAttempts) times, with waits that grow and are left to chance.")
        var service = service
        // Before the retries, the log has one entry for the request; after them, one for each attempt.
        service.settings.interceptors = [logging, RetryInterceptor(announced), logging]
        let response = FlakyRequest().schedule(with: service)
        let user = try await response.value
        let attempts = try await response.head?.attempts ?? 0
        out.line("It took \(attempts) attempts:")
        out.line(Card(row: user).text)
    }

    /// The policy, which prints each wait.
    private var announced: RetryPolicy {
        var policy = policy
        policy.onRetry = { [out] attempt, wait in
            let requested = attempt.response?.headers["Retry-After"].map { " (Retry-After: \($0.onOneLine))" }
            let wait = String(format: "%.0f ms", wait / .milliseconds(1))
            out.line("attempt \(attempt.number) failed, the next after \(wait)\(requested ?? "")")
        }
        return policy
    }

    private var logging: LoggingInterceptor {
        var disclosure = LogDisclosure()
        disclosure.showsCurlCommand = isVerbose
        return LoggingInterceptor(
            level: .debug, disclosure: disclosure, clock: policy.clock,
            sink: { [out] entry in out.line("\(entry)") }, requestID: { _ in "flaky" })
    }
}
