/// The times at which an interrupted download resumes. The attempts of the ``RetryPolicy`` start again whenever the
/// file is longer than ever before.
struct ResumptionSchedule: Sendable {
    private let policy: RetryPolicy
    private var waits: RetrySchedule
    /// The greatest length of the file so far; `attempts` counts the interruptions since then.
    private var longest: Int64
    private var attempts = 0

    /// - Parameter count: The number of bytes at the start of the run.
    init(_ policy: RetryPolicy, count: Int64) {
        self.policy = policy
        waits = RetrySchedule(policy)
        longest = count
    }

    /// Returns the time to wait before the download resumes; `nil` to give up.
    ///
    /// - Parameters:
    ///   - error: The error that interrupted the download.
    ///   - count: The current number of bytes.
    ///   - chance: A random number from 0 to 1.
    mutating func wait(after error: any Error, count: Int64, chance: Double) -> Duration? {
        guard let code = error.transportCode, policy.errorCodes.contains(code) else { return nil }
        if count > longest {
            longest = count
            attempts = 0
            waits = RetrySchedule(policy)
        }
        attempts += 1
        guard attempts < policy.maximumAttempts else { return nil }
        return waits.next(serverWait: nil, chance: chance)
    }
}
