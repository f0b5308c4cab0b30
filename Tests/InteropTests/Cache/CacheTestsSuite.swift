import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

/// The folder of the suite.
private let checkout = ProcessInfo.processInfo.environment["ERRAND_CACHE_TESTS"]

/// The tests of http-tests/cache-tests for the cache of a browser, against ``HTTPCache``. `.ci/deep-steps/cache-tests`
/// fetches them and names their folder.
@Suite(.enabled(if: checkout != nil), .hangGuard) struct `Public suite: cache-tests` {
    /// The result of one test of the suite.
    private struct Outcome: Decodable, Sendable {
        var id: String
        /// `required` by RFC 9111, `optimal`, or only to `check` what a cache does.
        var kind: String
        var result: String
        var reason: String
    }

    /// The required and optimal tests that the cache does not pass, and why.
    private static let excused = [
        "stale-close-must-revalidate": "applies only to a cache that uses a stale response if the server closes",
        "stale-close-no-cache": "applies only to a cache that uses a stale response if the server closes",
        "headers-store-Transfer-Encoding": "a transfer coding that was not requested is refused (RFC 9110, 10.1.4)",
        "headers-store-Set-Cookie": "cookies are not stored, because a stored cookie would replace a newer one",
        "headers-store-Set-Cookie2": "cookies are not stored, because a stored cookie would replace a newer one",
        "vary-normalise-lang-order": "some servers prefer the language that comes first",
        "vary-normalise-lang-select": "the cache does not choose the language in place of the server",
        "partial-store-partial-reuse-partial": "the body is shorter than its Content-Range",
        "partial-store-partial-reuse-partial-byterange": "the body is shorter than its Content-Range",
        "partial-store-partial-reuse-partial-absent": "the body is shorter than its Content-Range",
        "partial-store-partial-reuse-partial-suffix": "the body is shorter than its Content-Range",
        "partial-store-partial-complete": "parts without a strong validator must not be combined (RFC 9111, 3.4)",
    ]

    @Test func `the required and optimal cache-tests pass, except those with a stated reason`() async throws {
        let bridge = try CacheBridge()
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let arguments = [
            folder.appendingPathComponent("cache-tests.mjs").path, try #require(checkout),
            "\(try Loopback.freePort())", bridge.server.url.absoluteString,
        ]
        let (end, output, errors) = try await Tool.node.start(arguments).result()
        #expect(end == .exit(0), "\(errors)")
        let outcomes = try FastJSONDecoder().decode([Outcome].self, from: Data(output.utf8))
        var failed: [String: String] = [:]
        for kind in ["required", "optimal", "check"] {
            let all = outcomes.filter { $0.kind == kind }
            let others = all.filter { !["pass", "yes"].contains($0.result) }
            print("cache-tests: \(all.count - others.count) of \(all.count) \(kind)")
            if kind != "check" { for outcome in others { failed[outcome.id] = outcome.reason } }
        }
        #expect(outcomes.count == 300)
        let unexpected = failed.filter { Self.excused[$0.key] == nil }
        #expect(unexpected == [:])
        #expect(Set(Self.excused.keys).subtracting(failed.keys) == [], "these pass now")
    }
}
