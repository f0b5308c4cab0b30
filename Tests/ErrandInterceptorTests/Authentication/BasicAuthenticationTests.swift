import Errand
import TestSupport
import Testing

struct `Basic authentication` {
    @Test(arguments: [
        // RFC 7617, sections 2 and 2.1.
        ("Aladdin", "open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
        ("test", "123\u{A3}", "Basic dGVzdDoxMjPCow=="),
        ("", "", "Basic Og=="),
        ("a", "b:c", "Basic YTpiOmM="),
        // e and a combining acute accent, which is one letter when composed.
        ("e\u{301}", "x", "Basic w6k6eA=="),
    ])
    func `Basic authentication sends user and password as Base64 of UTF-8`(
        _ user: String, _ password: String, _ field: String
    ) async throws {
        let request = SignedRequest([BasicAuthentication(user: user, password: password)])
        _ = try await request.start().value
        #expect(request.sent.first?.authorization == field)
    }

    @Test func `Basic authentication does not change a request with an Authorization field`() async throws {
        let request = SignedRequest([BasicAuthentication(user: "a:b", password: "")])
        request.headers["authorization"] = "Custom x"
        _ = try await request.start().value
        #expect(request.sent.first?.authorization == "Custom x")
    }

    @Test(arguments: [("a:b", "x"), ("a\nb", "x"), ("a", "x\r\n"), ("a", "\u{0}"), ("\u{7F}", ""), ("\u{85}", "")])
    func `Basic authentication with an invalid user or password sends nothing`(
        _ user: String, _ password: String
    ) async throws {
        let request = SignedRequest([BasicAuthentication(user: user, password: password)])
        let error = await expectFailure(.invalidCredential) { try await request.start().value }
        #expect(request.sent.isEmpty)
        #expect(error?.url?.host == "api.example.com")
        #expect(error?.attempts == 0)
    }
}
