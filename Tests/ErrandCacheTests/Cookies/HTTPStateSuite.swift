import TestSupport
import Testing

@testable import Errand

/// The cases of the http-state working group, which wrote RFC 6265.
@Suite(.enabled(if: PublicSuite.http.folder != nil, "\(PublicSuite.reason)"))
struct `Public suite: http-state` {
    private struct Case: Decodable {
        struct Pair: Decodable {
            var name: String
            var value: String
        }

        var test: String
        var received: [String]
        var sent: [Pair]
        var target: String?

        private enum CodingKeys: String, CodingKey {
            case test, received, sent
            case target = "sent-to"
        }
    }

    private struct DateCase: Decodable {
        var test: String
        var expected: String?
    }

    /// Cases that are disabled or optional in the suite and have another outcome under RFC 6265bis, with the cookies
    /// that are sent.
    private static let decidedOtherwise: [String: [String]] = [
        // A field with a control character is ignored as a whole (section 5.6, step 1).
        "DISABLED_CHROMIUM0022": [], "DISABLED_CHROMIUM0023": [],
        // Paths are compared as they are sent, without decoding (section 5.1.4).
        "DISABLED_PATH0029": [],
        // The last Domain attribute counts, and an empty one limits the cookie to the host (section 5.7, step 9).
        "OPTIONAL_DOMAIN0042": ["foo=bar"],
    ]

    @Test func `cookies are stored and sent as the http-state suite expects`() throws {
        let cases = try decode([Case].self, "parser.json")
        #expect(cases.count == 222)
        let now = Date(timeIntervalSince1970: 1_300_000_000)
        for entry in cases {
            let jar = CookieJar { now }
            let id = entry.test.lowercased()
            let server = try #require(URL(string: "http://home.example.org:8888/cookie-parser?\(id)"))
            for field in entry.received { try? jar.setCookie(field, for: server) }
            let target = entry.target ?? "/cookie-parser-result?\(id)"
            let url = try #require(URL(string: target, relativeTo: server))
            let sent = jar.cookies(for: url).map { "\($0.name)=\($0.value)" }
            let expected = Self.decidedOtherwise[entry.test] ?? entry.sent.map { "\($0.name)=\($0.value)" }
            #expect(sent == expected, "\(entry.test): \(entry.received)")
        }
    }

    @Test(arguments: ["dates/examples.json", "dates/bsd-examples.json"])
    func `cookie dates are parsed as the http-state suite expects`(_ file: String) throws {
        let cases = try decode([DateCase].self, file)
        #expect(cases.count > 10)
        for entry in cases {
            let expected = entry.expected.flatMap { HTTPDate($0)?.date }
            #expect(CookieDate.date(entry.test) == expected, "\(entry.test)")
        }
    }

    /// Some files contain a notice before the document.
    private func decode<Value: Decodable>(_ type: Value.Type, _ file: String) throws -> Value {
        let folder = try #require(PublicSuite.http.folder)
        let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
        let document = text.split(separator: "\n").filter { !$0.hasPrefix("//") }.joined(separator: "\n")
        return try FastJSONDecoder().decode(type, from: Data(document.utf8))
    }
}
