import TestSupport
import Testing

struct `The descriptions of public types` {
    /// Types that hold numbers, names from the program, functions or states.
    private static let types = PublicTypes(
        of: ["ErrandResilience"], values: { [:] },
        others: [
            "CircuitBreaker", "CircuitBreaker.CircuitState", "CircuitBreaker.OpenCircuit",
            "CircuitBreaker.Tripping", "CircuitBreaker.Verdict", "Coalescing", "ConcurrencyLimit", "Failover",
            "Hedging", "Hedging.Delay", "LimitScope", "RateLimit", "RetryAfterPause",
        ])

    @Test(.enabled(if: PublicTypes.hasSources))
    func `every public type is tested for secrets in its description`() throws {
        try Self.types.expectToBeComplete()
    }
}
