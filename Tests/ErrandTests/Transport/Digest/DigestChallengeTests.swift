import Testing

@testable import Errand

struct `A Digest challenge` {
    private let credential = PasswordCredential(user: "Mufasa", password: "Circle of Life")
    private let clientNonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"

    private func first(_ fields: [String], canHashBody: Bool = true) -> DigestChallenge? {
        let headers = HeaderFields(fields.map { HeaderFields.Field("WWW-Authenticate", $0) })
        return DigestChallenge.first(in: headers, canHashBody: canHashBody)
    }

    /// The parts of the response to the first challenge that can be met; empty without one.
    private func parts(
        _ fields: String..., method: String = "GET", target: String = "/dir/index.html", body: Data = Data(),
        count: Int = 1, as credential: PasswordCredential? = nil, canHashBody: Bool = true
    ) throws -> [String: String] {
        guard let challenge = first(fields, canHashBody: canHashBody) else { return [:] }
        let field = challenge.authorization(
            as: credential ?? self.credential, method: method, target: target, body: body, count: count,
            clientNonce: clientNonce)
        // The response has the form of a challenge.
        let parsed = try #require(AuthenticationChallenge.all(in: field).first)
        #expect(parsed.scheme == "Digest")
        return Dictionary(parsed.parameters.map { ($0.name, $0.value) }) { one, _ in one }
    }

    private static let rest = """
        realm="http-auth@example.org", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", \
        opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
        """

    /// RFC 7616, section 3.9.1, and digests of the same values that Python's `hashlib` made.
    @Test(
        arguments: [
            (#"qop="auth, auth-int", algorithm=MD5"#, "auth", "8ca523f5e9506fed4657c9700eebdbec"),
            (
                #"qop="auth, auth-int", algorithm=SHA-256"#, "auth",
                "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"
            ),
            (#"qop="auth""#, "auth", "8ca523f5e9506fed4657c9700eebdbec"),
            (#"qop=AUTH, algorithm="md5""#, "auth", "8ca523f5e9506fed4657c9700eebdbec"),
            (#"qop="auth-int,auth,other""#, "auth", "8ca523f5e9506fed4657c9700eebdbec"),
            (#"qop="auth", algorithm=MD5-sess"#, "auth", "e783283f46242139c486a698fec7211d"),
            (
                #"qop="auth", algorithm=sha-256-SESS"#, "auth",
                "2fd51b3a77ad75bad6afad6003e818d767133c46d9e2749e7f5232ae1ea3efd7"
            ),
            ("algorithm=MD5", nil, "7b2cc3b30e75b4777ea31027084363fd"),
            (#"qop="""#, nil, "7b2cc3b30e75b4777ea31027084363fd"),
            ("algorithm=SHA-256", nil, "a1306b0595a6c7fe96c448631fb5cfbd5107bd1fe1da729d978dd7446b812363"),
        ] as [(String, String?, String)])
    func `the response digests the credential, the nonces and the request`(
        _ parameters: String, _ quality: String?, _ response: String
    ) throws {
        let parts = try parts("Digest \(Self.rest), \(parameters)")
        #expect(parts["response"] == response)
        #expect(parts["qop"] == quality)
        #expect(parts["nc"] == (quality == nil ? nil : "00000001"))
        #expect(parts["cnonce"] == (quality == nil ? nil : clientNonce))
        #expect(parts["username"] == "Mufasa")
        #expect(parts["realm"] == "http-auth@example.org")
        #expect(parts["nonce"] == "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v")
        #expect(parts["uri"] == "/dir/index.html")
        #expect(parts["opaque"] == "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS")
        #expect(parts["userhash"] == nil)
    }

    @Test(arguments: [
        ("MD5", "f67cbebd347c6d2b8c66f8a802b3c4b8"),
        ("SHA-256", "d5aa612105161af5a542f38d7db68365c2d601450c4bdf6363528b792dee5f9f"),
    ])
    func `the quality auth-int digests the body, which must be in memory`(
        _ algorithm: String, _ response: String
    ) throws {
        let field = "Digest \(Self.rest), qop=auth-int, algorithm=\(algorithm)"
        let parts = try parts(field, method: "PUT", body: Data("body".utf8))
        #expect(parts["response"] == response)
        #expect(parts["qop"] == "auth-int")
        #expect(parts["algorithm"] == algorithm)
        #expect(first([field], canHashBody: false) == nil)
        #expect(try self.parts(field, "Digest \(Self.rest)", canHashBody: false)["qop"] == nil)
    }

    @Test func `the number of requests is part of the response`() throws {
        let field = "Digest \(Self.rest), qop=auth"
        #expect(try parts(field, count: 2)["response"] == "4b5d595ecf2db9df612ea5b45cd97101")
        #expect(try parts(field, count: 2)["nc"] == "00000002")
        #expect(try parts(field, count: 0x12_3456_789A)["nc"] == "123456789a")
    }

    @Test func `a server that asks for a hashed user gets it`() throws {
        let parts = try parts("Digest \(Self.rest), qop=auth, algorithm=SHA-256, userhash=True")
        #expect(parts["username"] == "a947aad205e80e429958a387394944c6b496301e79f89d35a4cc23b6ee12b5b6")
        #expect(parts["userhash"] == "true")
        #expect(parts["response"] == "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1")
        #expect(try self.parts("Digest \(Self.rest), userhash=false")["username"] == "Mufasa")
    }

    @Test func `quotation marks and other characters are escaped in the field, and not in the digest`() throws {
        let parts = try parts(
            "Digest \(Self.rest), qop=auth", target: "/a?b=\"c",
            as: PasswordCredential(user: "Jäsøn", password: "p\\\"w"))
        #expect(parts["response"] == "e5ff3f6740d9a20b53f4b1cdf88b4e12")
        #expect(parts["username"] == "Jäsøn")
        #expect(parts["uri"] == "/a?b=\"c")
        #expect(try self.parts(#"Digest realm="a\"b\\", nonce=n"#)["realm"] == #"a"b\"#)
    }

    /// RFC 7616, sections 3.3 and 3.7.
    @Test(
        arguments: [
            ([#"Digest nonce="1", algorithm=SHA-512-256"#, #"Digest nonce="2", algorithm=MD5"#], "2"),
            ([#"Digest nonce="1", algorithm=FOO, Digest nonce="2""#], "2"),
            ([#"Digest nonce="1", algorithm=SHA-512-256-sess"#, #"Digest nonce="2", algorithm=SHA-256"#], "2"),
            ([#"Digest nonce="1", algorithm=SHA-256"#, #"Digest nonce="2", algorithm=MD5"#], "1"),
            ([#"Digest nonce="1", algorithm=MD5"#, #"Digest nonce="2", algorithm=SHA-256"#], "1"),
            (["Basic realm=\"x\"", #"Digest nonce="2""#], "2"), (["Negotiate", "Bearer", "DIGEST nonce=2"], "2"),
            (["Negotiate YWJj, Digest realm=\"a, Digest nonce=1\", nonce=\"2\""], "2"),
            ([#"Digest nonce="1", qop="auth-conf""#, #"Digest nonce="2", qop="auth-conf, auth""#], "2"),
            (["Digest realm=\"x\"", "Digest nonce=\"\"", #"Digest nonce="2""#], "2"),
            (["Digest YWJj", "Digest nonce=2"], "2"),
            (["Digest nonce=1, algorithm=\"\"", "Digest nonce=2"], "2"),
            (["Digest"], nil), (["Basic realm=x"], nil), ([#"Digest nonce="1", algorithm=SHA-512-256"#], nil),
            ([], nil),
        ] as [([String], String?)])
    func `the first challenge that can be met counts`(_ fields: [String], _ nonce: String?) throws {
        let challenge = first(fields)
        let field = challenge?.authorization(
            as: credential, method: "GET", target: "/", body: Data(), count: 1, clientNonce: "c")
        #expect(field.flatMap { AuthenticationChallenge.all(in: $0).first?["nonce"] } == nonce)
    }

    @Test(arguments: [
        ("stale=true", true), ("stale=TRUE", true), ("STALE=\"True\"", true), ("stale=false", false),
        ("stale=1", false),
        ("stale", false), ("stale=\"\"", false), ("x=stale", false),
    ])
    func `a challenge says in any letter case that only the nonce was too old`(_ parameter: String, _ isStale: Bool) {
        #expect(first(["Digest nonce=n, \(parameter)"])?.isStale == isStale)
    }
}
