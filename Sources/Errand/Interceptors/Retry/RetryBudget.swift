/// How many retries a service may still cost, over all its requests, so that an outage is not multiplied.
///
/// ```swift
/// struct Production: APIService {
///     private static let budget = RetryBudget()
///
///     var retryPolicy: RetryPolicy? {
///         var policy = RetryPolicy.exponential()
///         policy.budget = Self.budget
///         return policy
///     }
/// }
/// ```
///
/// A bucket of tokens: each request puts in a fraction of one when it is first sent, each retry takes one. While most
/// requests succeed there are always some; when all fail, retries soon are that fraction of the requests. When it is
/// empty, a failure passes at once, and its ``ErrandError/reason`` says so.
public final class RetryBudget: Sendable {
    /// What is in it, in thousandths of a token: ten times a tenth is not one as a `Double`.
    private let bucket: Locked<Int>
    private static let token = 1_000
    private let share: Int
    private let capacity: Int

    /// A full bucket.
    ///
    /// - Parameters:
    ///   - ratio: What each request puts in, in tokens, to the thousandth: 0.1 allows one retry for ten requests. From 0
    ///     to 1,000; what is outside of this counts as the nearest, and no number at all as 0.
    ///   - capacity: The most tokens it holds, and what it begins with, so that the first requests may be retried too.
    ///     From 0 to 1,000,000, as `ratio`.
    public init(ratio: Double = 0.1, capacity: Int = 10) {
        let ratio = ratio.isNaN ? 0 : min(max(ratio, 0), 1_000)
        share = Int((ratio * Double(Self.token)).rounded())
        self.capacity = min(max(capacity, 0), 1_000_000) * Self.token
        bucket = Locked(self.capacity)
    }

    /// How many retries are left now.
    public var tokens: Int { bucket.withLock { $0 } / Self.token }

    /// Puts in the share of a request that is sent for the first time.
    public func deposit() {
        bucket.withLock { $0 = min($0 + share, capacity) }
    }

    /// Takes the token of a retry.
    ///
    /// - Returns: Whether there was one.
    public func withdraw() -> Bool {
        bucket.withLock { bucket in
            guard bucket >= Self.token else { return false }
            bucket -= Self.token
            return true
        }
    }
}
