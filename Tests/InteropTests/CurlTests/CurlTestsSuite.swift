import Errand
import TestSupport
import Testing

/// The folder `tests/data` of curl.
private let folder = ProcessInfo.processInfo.environment["ERRAND_CURL_TESTS"]

/// The tests of curl for HTTP, replayed with Errand: the server of a test sends its responses, and the options of its
/// command set up requests. `.ci/deep curl-tests` names the folder of the tests.
///
/// A test passes if the last response or the failure is that of the test, and if method, target, body, cookies and the
/// main header fields of all requests are. ``CurlTestCommand`` and ``CurlTestReplay`` name what is not replayed.
@Suite(.enabled(if: folder != nil), .hangGuard) struct `Public suite: curl` {
    /// The tests with another outcome, and why.
    private static let excused = [
        31: "a cookie's path with a slash at its end is another path than without it (RFC 6265bis, 5.7)",
        40: "a space in the query of a redirect is sent as %20, not as +",
        60: "a body whose size is unknown is sent in chunks, whatever Content-Length says",
        61: "cookies belong to the host of the URL, not to that of a Host field",
        62: "cookies belong to the host of the URL, not to that of a Host field",
        64: "a quotation mark in a URL is sent as %22 (RFC 3986, 2)",
        73: "cookies belong to the host of the URL, not to that of a Host field",
        218: "the caller cannot set Transfer-Encoding",
        223: "the body is both damaged and too short, and the second fault is reported",
        315: "the body is both damaged and too short, and the second fault is reported",
        329: "cookies belong to the host of the URL, not to that of a Host field",
        395: "a Content-Length out of range is invalid",
        427: "the Cookie field is limited to 8,190 bytes, and lists cookies in the order of RFC 6265bis, 5.8.3",
        442: "a jar keeps 180 cookies of a domain, and not 150",
        443: "the Cookie field is limited to 8,190 bytes",
        444: "a jar reads 180 cookies from a response, and not 50",
        483: "the date of a cookie is limited to 1,024 bytes, and not to 80",
        663: "a space in the query of a redirect is sent as %20, not as +",
        772: "two Location fields matter in a redirect only",
        1105: "a cookie may have tabs, and its path has no quotation marks (RFC 6265bis, 5.6)",
        1121: "the caller cannot set Host twice",
        1136: "the list of public suffixes is not part of Errand",
        1141: "a redirect to a URL without a host is invalid",
        1258: "cookies belong to the host of the URL, not to that of a Host field",
        1286: "after a redirect, Digest waits for the challenge",
        1333: "the caller cannot set Transfer-Encoding",
        1437: "the first of repeated parameters of a challenge counts",
        1473: "a head that begins with a folded line is invalid (RFC 9112, 2.2)",
        1685: "the path of a cookie may have a tab (RFC 6265bis, 5.6)",
        2062: "Digest with SHA-512-256 is not supported",
        2065: "Digest with SHA-512-256 is not supported",
        2068: "Digest with SHA-512-256 is not supported",
        2105: "a carriage return in a field's value becomes a space (RFC 9112, 2.2)",
        2113: "the caller cannot set a field whose name has a space",
        2305: "gzip may have several members (RFC 1952, 2.2)",
        2311: "the prefix __Secure- of a cookie's name has no case (RFC 6265bis, 5.7)",
    ]

    @Test func `the tests of curl that can be replayed pass, except those with a stated reason`() async throws {
        let folder = URL(fileURLWithPath: try #require(folder))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let numbers = names.compactMap { $0.wholeMatch(of: /test(\d+)/).flatMap { Int($0.1) } }.sorted()
        var (passed, differences): (Int, [Int: [String]]) = (0, [:])
        var excluded: [String: Int] = [:]
        for number in numbers {
            do {
                let bytes = try Data(contentsOf: folder.appending(path: "test\(number)"))
                let replay = try await CurlTestReplay(bytes, number: number)
                if replay.differences.isEmpty { passed += 1 } else { differences[number] = replay.differences }
            } catch let exclusion as CurlTestCommand.Excluded {
                excluded[exclusion.reason, default: 0] += 1
            }
        }
        print("curl-tests: \(passed + differences.count) of \(numbers.count) replayed, \(passed) passed")
        for (reason, count) in excluded.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            print("curl-tests: \(count) not replayed: \(reason)")
        }
        #expect(passed + differences.count == 303)
        for (number, list) in differences.sorted(by: { $0.key < $1.key }) where Self.excused[number] == nil {
            Issue.record("test\(number): \(list.map { $0.prefix(500) }.joined(separator: "; "))")
        }
        #expect(Set(Self.excused.keys).subtracting(differences.keys) == [], "these pass now")
    }
}
