import Errand
import ErrandResilience
import TestSupport
import Testing

struct `The descriptions of public types` {
    private static let types = PublicTypes(
        of: ["ErrandResilience"],
        values: {
            let fields: HeaderFields = ["X-Secret": PublicTypes.secret]
            return [
                "FaultInjection.Fault": [
                    FaultInjection.Fault.status(503, headers: fields, data: Data(PublicTypes.secret.utf8)),
                    FaultInjection.Fault.json(#"{"token":"\#(PublicTypes.secret)"}"#),
                ]
            ]
        },
        // Types that hold numbers, names from the program, functions or states.
        others: [
            "CircuitBreaker", "CircuitBreaker.CircuitState", "CircuitBreaker.OpenCircuit",
            "CircuitBreaker.Tripping", "CircuitBreaker.Verdict", "Coalescing", "ConcurrencyLimit", "Failover",
            "FaultInjection", "Hedging", "Hedging.Delay", "LimitScope", "RateLimit", "RetryAfterPause",
        ])

    @Test(arguments: types.names)
    func `no public type shows a secret in its description`(_ name: String) throws {
        try Self.types.expectNoSecret(in: name)
    }

    @Test(.enabled(if: PublicTypes.hasSources))
    func `every public type is tested for secrets in its description`() throws {
        try Self.types.expectToBeComplete()
    }
}
