/// A limit on the retries of a service, over all its requests, so that retries do not multiply the load in an outage.
///
/// ```swift
/// var policy = RetryPolicy.exponential()
/// policy.budget = RetryBudget()
/// let production = APIService(baseURL: "api.example.com", retryPolicy: policy)
/// ```
///
/// It is a bucket of tokens. Each request adds a fraction of a token when it is first sent, and each retry takes one.
/// While most requests succeed, tokens are available; if all fail, retries are soon limited to that fraction of the
/// requests. If the bucket is empty, a failure is reported immediately, and its ``ErrandError/reason`` says so.
public final class RetryBudget: Sendable {
    /// The content in thousandths of a token, because ten tenths do not add up to one as `Double`.
    private let bucket: Locked<Int>
    private static let token = 1_000
    /// The thousandths of a token that each request adds.
    private let share: Int
    /// The maximum content, in thousandths of a token.
    private let capacity: Int

    /// Creates a full bucket.
    ///
    /// - Parameters:
    ///   - ratio: The tokens that each request adds, to the thousandth: 0.1 allows one retry for ten requests. The
    ///     range is 0 to 1,000. A value outside it counts as the nearest bound, and NaN as 0.
    ///   - capacity: The maximum and initial number of tokens, so that the first requests may be retried too. The range
    ///     is 0 to 1,000,000, with the same rules as for `ratio`.
    public init(ratio: Double = 0.1, capacity: Int = 10) {
        let ratio = ratio.isNaN ? 0 : min(max(ratio, 0), 1_000)
        share = Int((ratio * Double(Self.token)).rounded())
        self.capacity = min(max(capacity, 0), 1_000_000) * Self.token
        bucket = Locked(self.capacity)
    }

    /// The number of retries that are currently available.
    public var tokens: Int { bucket.withLock { $0 } / Self.token }

    /// Adds the tokens of a request that is sent for the first time.
    public func deposit() {
        bucket.withLock { $0 = min($0 + share, capacity) }
    }

    /// Takes the token of a retry.
    ///
    /// - Returns: `true` if there was one.
    public func withdraw() -> Bool {
        bucket.withLock { bucket in
            guard bucket >= Self.token else { return false }
            bucket -= Self.token
            return true
        }
    }
}
