@testable import ErrandResilience

extension ConcurrencyLimitState {
    /// The number of running requests.
    var runningCount: Int { accounts.values.reduce(0) { $0 + $1.running.count } }
    /// Whether there are no running and no waiting requests.
    var isEmpty: Bool { accounts.isEmpty && names.isEmpty }
}

extension RetryAfterPauseState {
    /// Whether no account pauses or recovers.
    var isEmpty: Bool { accounts.isEmpty && names.isEmpty }
}
