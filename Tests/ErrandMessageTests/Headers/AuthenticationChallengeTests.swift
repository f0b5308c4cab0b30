import Errand
import Testing

struct `Challenges of a server` {
    private func challenges(_ fields: String...) -> [AuthenticationChallenge] {
        HeaderFields(fields.map { HeaderFields.Field("WWW-Authenticate", $0) }).authenticationChallenges
    }

    /// A challenge as one line: the scheme, its token, and its parameters in angle brackets.
    private func lines(_ fields: [String]) -> [String] {
        HeaderFields(fields.map { HeaderFields.Field("www-authenticate", $0) }).authenticationChallenges.map {
            challenge in
            ([challenge.scheme] + [challenge.token].compactMap(\.self)
                + challenge.parameters.map { "\($0.name)<\($0.value)>" }).joined(separator: " ")
        }
    }

    @Test(
        arguments: [
            ([], []), ([""], []), (["Basic"], ["Basic"]),
            (["Negotiate, Basic realm=x"], ["Negotiate", "Basic realm<x>"]),
            (["Basic realm=\"a, b\", charset=UTF-8"], ["Basic realm<a, b> charset<UTF-8>"]),
            // RFC 9110, section 11.6.1.
            (
                [#"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#],
                ["Basic realm<simple>", "Newauth realm<apps> type<1> title<Login to \"apps\">"]
            ),
            (
                ["Basic realm=a", "Digest nonce=b , qop=\"auth,auth-int\""],
                ["Basic realm<a>", "Digest nonce<b> qop<auth,auth-int>"]
            ),
            (["Negotiate YII+/-._~abc==, NTLM"], ["Negotiate YII+/-._~abc==", "NTLM"]),
            (["Negotiate abc"], ["Negotiate abc"]), (["Scheme a="], ["Scheme a="]),
            (["Bearer realm = \"x\" ,\terror = \"y\""], ["Bearer realm<x> error<y>"]),
            ([",, Basic realm=a,,, ,Digest nonce=b,"], ["Basic realm<a>", "Digest nonce<b>"]),
            // Invalid fields that servers send.
            (["Bearer realm=https://a.example/token,service=x"], ["Bearer realm<https://a.example/token> service<x>"]),
            (["realm=\"x\", Basic realm=\"y\""], ["Basic realm<y>"]), (["Basic realm=\"x"], ["Basic realm<x>"]),
            (["\"x, y\", Basic realm=z"], ["Basic realm<z>"]), (["(, Basic"], ["Basic"]),
            (["Basic realm="], ["Basic realm="]),
            (["Digest realm=\"r\", opaque=, stale = , nonce=\"n\""], ["Digest realm<r> nonce<n>"]),
            (["\"\\"], []), (["Basic realm=\"\\"], ["Basic realm<\\>"]),
        ] as [([String], [String])])
    func `challenges are parsed from header fields`(_ fields: [String], _ expected: [String]) {
        #expect(lines(fields) == expected)
    }

    @Test func `a challenge is found by its scheme and its parameters by name, in any case`() throws {
        let challenge = try #require(challenges("BEARER Realm=\"r\", SCOPE=\"a b\"").first)
        #expect(challenge.hasScheme("Bearer") && !challenge.hasScheme("Bear"))
        #expect(challenge.realm == "r")
        #expect(challenge["scope"] == "a b")
        #expect(challenge["error"] == nil)
    }

    @Test func `challenges of a proxy are read from Proxy-Authenticate`() {
        let headers: HeaderFields = ["Proxy-Authenticate": "Basic realm=p", "WWW-Authenticate": "Basic realm=s"]
        #expect(headers.proxyAuthenticationChallenges.map(\.realm) == ["p"])
        #expect(headers.authenticationChallenges.map(\.realm) == ["s"])
    }

    @Test func `parsing challenges from arbitrary bytes ends in linear time`() {
        for text in ["Basic " + String(repeating: "a=b,", count: 50_000), String(repeating: "\"", count: 100_001)] {
            _ = challenges(text)
        }
        var seed: UInt64 = 3
        let alphabet = Array("ab=\",\\ \t/é".utf8)
        for _ in 0..<2_000 {
            let bytes = (0..<20).map { _ in
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return alphabet[Int(seed >> 33) % alphabet.count]
            }
            for challenge in challenges(String(decoding: bytes, as: UTF8.self)) { #expect(!challenge.scheme.isEmpty) }
        }
    }
}
