import Errand
import TestSupport
import Testing

struct `Digest authentication` {
    @Test func `Digest authentication passes user and password to the transport only`() async throws {
        let request = SignedRequest([DigestAuthentication(user: "a:b", password: "c")])
        _ = try await request.start().value
        let sent = try #require(request.sent.first)
        #expect(sent.digestCredential == PasswordCredential(user: "a:b", password: "c"))
        #expect(sent.authorization == nil)
    }

    @Test func `Digest authentication does not change a request with an Authorization field`() async throws {
        let request = SignedRequest([DigestAuthentication(user: "a", password: "b")])
        request.headers["Authorization"] = "Custom x"
        _ = try await request.start().value
        #expect(request.sent.first?.digestCredential == nil)
    }

    @Test(arguments: [("a\n", "b"), ("a", "b\u{0}")])
    func `Digest authentication with an invalid user or password sends nothing`(
        _ user: String, _ password: String
    ) async throws {
        let request = SignedRequest([DigestAuthentication(user: user, password: password)])
        await expectFailure(.invalidCredential) { try await request.start().value }
        #expect(request.sent.isEmpty)
    }
}
