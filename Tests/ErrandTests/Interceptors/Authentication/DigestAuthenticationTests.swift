import Errand
import TestSupport
import Testing

struct `Digest authentication` {
    @Test func `hands the transport user and password, and sends neither itself`() async throws {
        let request = SignedRequest([DigestAuthentication(user: "a:b", password: "c")])
        _ = try await request.start().value
        let sent = try #require(request.sent.first)
        #expect(sent.digestCredential == PasswordCredential(user: "a:b", password: "c"))
        #expect(sent.authorization == nil)
    }

    @Test func `leaves a request alone that says who it is`() async throws {
        let request = SignedRequest([DigestAuthentication(user: "a", password: "b")])
        request.headers["Authorization"] = "Custom x"
        _ = try await request.start().value
        #expect(request.sent.first?.digestCredential == nil)
    }

    @Test(arguments: [("a\n", "b"), ("a", "b\u{0}")])
    func `sends nothing with a user or a password that has no place in it`(
        _ user: String, _ password: String
    ) async throws {
        let request = SignedRequest([DigestAuthentication(user: user, password: password)])
        await expectFailure(.invalidCredential) { try await request.start().value }
        #expect(request.sent.isEmpty)
    }
}
