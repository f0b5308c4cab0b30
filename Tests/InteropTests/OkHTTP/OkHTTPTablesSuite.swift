import Errand
import TestSupport
import Testing

/// The folder `okhttp/src/jvmTest/kotlin/okhttp3` of okhttp.
private let folder = ProcessInfo.processInfo.environment["ERRAND_OKHTTP_TESTS"]

/// The tests of okhttp for cookies and caches, with ``CookieJar`` and ``HTTPCache``. An interpreter runs the tests that
/// have simple statements; the others are not run. `.ci/deep okhttp-tables` names the folder of the tests.
@Suite(.enabled(if: folder != nil), .hangGuard) struct `Public suite: okhttp` {
    /// The tests of cookies with another outcome, and why.
    private static let excusedCookies = [
        "domainIgnoredWithTrailingDot": "a cookie for another domain is ignored (RFC 6265bis, 5.7)",
        "domainIsPublicSuffix": "the list of public suffixes is not part of Errand",
        "domainMatchesIpv6AddressWithCompression": "an IPv6 address is compared as it is written",
        "domainMatchesIpv6AddressWithIpv4Suffix": "an IPv6 address is compared as it is written",
        "emptyValue": "a field with a line end is ignored (RFC 6265bis, 5.6)",
        "idnDomainMatches": "a Domain that is not ASCII is ignored with its cookie (RFC 6265bis, 5.7)",
        "invalidCharacters": "a tab and characters beyond ASCII are allowed (RFC 6265bis, 5.6)",
        "ipv6AddressMalformed": "a cookie for another domain is ignored (RFC 6265bis, 5.7)",
        "trimLeadingAndTrailingWhitespaceFromName": "a field with a line end is ignored (RFC 6265bis, 5.6)",
        "trimLeadingAndTrailingWhitespaceFromValue": "a field with a line end is ignored (RFC 6265bis, 5.6)",
    ]

    /// The tests of the cache with another outcome, and why.
    private static let excusedCaching = [
        "authorizationRequestFullyCached": "responses are shared only among requests with the same Authorization",
        "etagAndExpirationDateInThePast": "both conditions are sent (RFC 9111, 4.3.1)",
        "foundCachedWithCacheControlHeader": "the transport follows redirects, so that the cache does not store them",
        "foundCachedWithExpiresHeader": "the transport follows redirects, so that the cache does not store them",
        "getHeadersReturnsCachedHopByHopHeaders": "fields of the connection are not stored (RFC 9111, 3.1)",
        "noDefaultExpirationForUrlsWithQueryString": "a URL with a query may be heuristically fresh (RFC 9111, 4.2.2)",
        "postInvalidatesCacheWithUncacheableResponse": "an error invalidates nothing (RFC 9111, 4.4)",
        "pragmaNoCacheAndExpirationDateInTheFuture": "Pragma has no meaning in responses (RFC 9111, 5.4)",
        "responseCachingAndRedirects": "the transport follows redirects, so that the cache does not store them",
        "temporaryRedirectCachedWithCacheControlHeader":
            "the transport follows redirects, so that the cache does not store them",
        "temporaryRedirectCachedWithExpiresHeader":
            "the transport follows redirects, so that the cache does not store them",
    ]

    @Test func `cookies pass the tests of okhttp, except those with a stated reason`() async throws {
        let url = try URL.of("https://example.com/")
        let constants: [String: KotlinValue] = ["url": .url(url), "MAX_DATE": .number(OkHTTPCookieCalls.latest)]
        try await run("CookieTest", constants, excused: Self.excusedCookies, count: 43, of: 66) { OkHTTPCookieCalls() }
    }

    @Test func `the cache passes the tests of okhttp, except those with a stated reason`() async throws {
        try await run("CacheTest", [:], excused: Self.excusedCaching, count: 84, of: 148) { try OkHTTPCacheCalls() }
    }

    private func run(
        _ name: String, _ constants: [String: KotlinValue], excused: [String: String], count: Int, of total: Int,
        library: () throws -> any KotlinLibrary
    ) async throws {
        let file = URL(fileURLWithPath: try #require(folder)).appending(path: "\(name).kt")
        let source = KotlinSource(try String(contentsOf: file, encoding: .utf8))
        var (passed, assertions) = (0, 0)
        var failed: [String: [String]] = [:]
        var excluded: [String: Int] = [:]
        for test in source.tests {
            let run = KotlinRun(source, try library(), constants: constants)
            do {
                try await run.run(test)
                assertions += run.assertions
                if run.failures.isEmpty { passed += 1 } else { failed[test] = run.failures }
            } catch let unsupported as KotlinUnsupported {
                excluded[unsupported.reason, default: 0] += 1
            }
        }
        let tested = passed + failed.count
        print("\(name): \(tested) of \(source.tests.count) run with \(assertions) assertions, \(passed) passed")
        for (reason, count) in excluded.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            print("\(name): \(count) not run: \(reason)")
        }
        #expect(tested == count)
        #expect(source.tests.count == total)
        for (test, failures) in failed.sorted(by: { $0.key < $1.key }) where excused[test] == nil {
            Issue.record("\(test): \(failures.joined(separator: "; "))")
        }
        #expect(Set(excused.keys).subtracting(failed.keys) == [], "these pass now")
    }
}
