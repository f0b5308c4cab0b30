import Testing

@testable import Errand

struct `A Digest exchange` {
    private static let challenge = challenge("nonce=n1, qop=auth")

    private static func challenge(_ parameters: String) -> HeaderFields {
        ["WWW-Authenticate": "Digest realm=r, \(parameters)"]
    }

    private func exchange(_ user: String = "u") -> DigestExchange {
        DigestExchange(PasswordCredential(user: user, password: "p")) { "c" }
    }

    private func parts(_ exchange: inout DigestExchange) -> [String: String] {
        let field = exchange.authorization(method: "GET", target: "/", body: Data())
        let parameters = field.flatMap { AuthenticationChallenge.all(in: $0).first }?.parameters ?? []
        return Dictionary(parameters.map { ($0.name, $0.value) }) { one, _ in one }
    }

    private let none = DigestExchange.Body()
    private let data = DigestExchange.Body(exists: true)
    private let readOnce = DigestExchange.Body(exists: true, isInMemory: false, canBeSentAgain: false)

    @Test func `the first request has no credential, and the second one responds to the challenge`() {
        var exchange = exchange()
        #expect(exchange.withholdsBody)
        #expect(parts(&exchange).isEmpty)
        let goesOn = exchange.goesOn(after: 401, Self.challenge, body: data)
        #expect(goesOn)
        #expect(!exchange.withholdsBody)
        let first = parts(&exchange)
        #expect(first["nonce"] == "n1" && first["nc"] == "00000001")
        // The same request again, after a lost connection.
        #expect(parts(&exchange)["nc"] == "00000002")
        // Another URL.
        exchange.begin()
        #expect(exchange.withholdsBody)
        #expect(parts(&exchange).isEmpty)
    }

    @Test(arguments: [200, 204, 299]) func `a server without a challenge gets the withheld body`(_ status: Int) {
        for body in [data, readOnce] {
            var exchange = exchange()
            let goesOn = exchange.goesOn(after: status, [:], body: body)
            #expect(goesOn)
            #expect(!exchange.withholdsBody)
            #expect(parts(&exchange).isEmpty)
            // Its response to the body is the last one.
            let goesOnAgain = exchange.goesOn(after: 401, Self.challenge, body: body)
            #expect(!goesOnAgain)
        }
        var exchange = exchange()
        let goesOn = exchange.goesOn(after: status, [:], body: none)
        #expect(!goesOn)
    }

    @Test(
        arguments: [
            (401, [:]), (401, ["WWW-Authenticate": "Basic realm=x"]),
            (401, challenge("nonce=n, algorithm=SHA-512-256")),
            (403, challenge), (407, challenge), (500, challenge), (302, [:]),
            (401, challenge("nonce=n, qop=auth-conf")),
        ] as [(Int, HeaderFields)])
    func `any other response is the last one`(_ status: Int, _ headers: HeaderFields) {
        for body in [none, data, readOnce] {
            var exchange = exchange()
            let goesOn = exchange.goesOn(after: status, headers, body: body)
            #expect(!goesOn)
        }
    }

    /// RFC 7616, section 4, requires the composed form (NFC).
    @Test(arguments: ["qop=auth", "qop=auth, charset=UTF-8", "qop=auth, userhash=true", "qop=auth, algorithm=SHA-256"])
    func `a decomposed user and password are sent composed`(_ parameters: String) throws {
        func response(_ user: String, _ password: String) -> [String: String] {
            var exchange = DigestExchange(PasswordCredential(user: user, password: password)) { "c" }
            _ = exchange.goesOn(after: 401, Self.challenge("nonce=n1, \(parameters)"), body: none)
            return parts(&exchange)
        }
        let composed = response("J\u{E4}ger", "\u{E9}")
        // By bytes: strings with the same characters are equal in both forms.
        let decomposed = response("Ja\u{308}ger", "e\u{301}").mapValues { Array($0.utf8) }
        #expect(decomposed == composed.mapValues { Array($0.utf8) })
        #expect(composed["response"] != response("J\u{E4}ger", "e")["response"])
    }

    @Test func `a second challenge is met once, if only the nonce was too old`() {
        for body in [none, data] {
            var exchange = exchange()
            _ = exchange.goesOn(after: 401, Self.challenge, body: body)
            _ = parts(&exchange)
            let goesOn = exchange.goesOn(after: 401, Self.challenge("nonce=n2, qop=auth, stale=TRUE"), body: body)
            #expect(goesOn)
            let second = parts(&exchange)
            #expect(second["nonce"] == "n2" && second["nc"] == "00000001")
            let goesOnAgain = exchange.goesOn(after: 401, Self.challenge("nonce=n3, stale=true"), body: body)
            #expect(!goesOnAgain)
        }
    }

    /// The key of a `-sess` algorithm is made with the nonces of the first request (RFC 7616, section 3.4.2).
    @Test func `all requests of a challenge have the same client nonce`() {
        let nonces = Locked(0)
        var exchange = DigestExchange(PasswordCredential(user: "u", password: "p")) {
            nonces.withLock { count in
                count += 1
                return "c\(count)"
            }
        }
        _ = exchange.goesOn(after: 401, Self.challenge("nonce=n1, qop=auth, algorithm=SHA-256-sess"), body: none)
        let (first, second) = (parts(&exchange), parts(&exchange))
        #expect(first["cnonce"] == "c1" && second["cnonce"] == "c1")
        #expect(first["nc"] == "00000001" && second["nc"] == "00000002")
        _ = exchange.goesOn(after: 401, Self.challenge("nonce=n2, qop=auth, stale=true"), body: none)
        #expect(parts(&exchange)["cnonce"] == "c2")
    }

    @Test func `a second challenge means that the server rejects the credential`() {
        for parameters in ["nonce=n2, qop=auth", "nonce=n2, stale=false", "nonce=n2, stale=true, algorithm=FOO"] {
            var exchange = exchange()
            _ = exchange.goesOn(after: 401, Self.challenge, body: none)
            let goesOn = exchange.goesOn(after: 401, Self.challenge(parameters), body: none)
            #expect(!goesOn)
        }
    }

    @Test func `a body that was read once is not sent again for a new nonce`() {
        var exchange = exchange()
        _ = exchange.goesOn(after: 401, Self.challenge, body: readOnce)
        let goesOn = exchange.goesOn(after: 401, Self.challenge("nonce=n2, stale=true"), body: readOnce)
        #expect(!goesOn)
    }

    @Test func `no credential is sent if it or the challenge has a control character`() {
        for (user, parameters) in [
            ("u\r\nX: y", "nonce=n"), ("u", "nonce=\"a\rb\""), ("u", "nonce=n, opaque=\"\u{1}\""),
        ] {
            var exchange = exchange(user)
            _ = exchange.goesOn(after: 401, Self.challenge(parameters), body: none)
            #expect(exchange.authorization(method: "GET", target: "/", body: Data()) == nil)
        }
    }
}
