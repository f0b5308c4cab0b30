import Errand
import TestSupport
import Testing

struct `Bearer authentication` {
    @Test(arguments: ["mF_9.B5f-4.1JqM", "a~+/b==", "0"])
    func `Bearer authentication sends the token unchanged`(_ token: String) async throws {
        let request = SignedRequest([BearerAuthentication(token: token)])
        _ = try await request.start().value
        #expect(request.sent.first?.authorization == "Bearer \(token)")
    }

    @Test(arguments: ["", " ", "a b", "a,b", "=", "=a", "a=b", "a\r\nX-Evil: 1", "\u{E9}", "a\"b"])
    func `Bearer authentication with an invalid token sends nothing`(_ token: String) async throws {
        let request = SignedRequest([BearerAuthentication(token: token)])
        let error = await expectFailure(.invalidCredential) { try await request.start().value }
        #expect(request.sent.isEmpty)
        #expect(error?.url?.host == "api.example.com")
    }

    @Test func `Bearer authentication does not change a request with an Authorization field`() async throws {
        let request = SignedRequest([BearerAuthentication(token: "no token")])
        request.headers["Authorization"] = "Basic eDp5"
        _ = try await request.start().value
        #expect(request.sent.first?.authorization == "Basic eDp5")
    }
}
