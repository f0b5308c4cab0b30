/// When a download that broke off goes on, and how often: the attempts of a ``RetryPolicy``, counted anew whenever the file
/// has become longer than it ever was.
struct ResumptionSchedule: Sendable {
    private let policy: RetryPolicy
    private var waits: RetrySchedule
    /// How long the file ever was, and how often the download broke off since.
    private var longest: Int64
    private var attempts = 0

    /// - Parameter count: How many bytes there were to begin with.
    init(_ policy: RetryPolicy, count: Int64) {
        self.policy = policy
        waits = RetrySchedule(policy)
        longest = count
    }

    /// How long to wait before going on; nil to leave it at that.
    ///
    /// - Parameters:
    ///   - error: What broke the download off.
    ///   - count: How many bytes there are now.
    ///   - chance: A number from 0 to 1.
    mutating func wait(after error: any Error, count: Int64, chance: Double) -> Duration? {
        guard let code = error.transportCode, policy.errorCodes.contains(code) else { return nil }
        if count > longest {
            longest = count
            attempts = 0
            waits = RetrySchedule(policy)
        }
        attempts += 1
        guard attempts < policy.maximumAttempts else { return nil }
        return waits.next(asked: nil, chance: chance)
    }
}
