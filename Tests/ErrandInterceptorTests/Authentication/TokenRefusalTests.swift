import Errand
import ErrandTesting
import TestSupport
import Testing

struct `A token that is refused` {
    private let tokens = Recorder<String?>()

    /// Accepts one token in a header field, and rejects others.
    private func server(_ field: String = "Authorization", status: Int = 401, accepts: String) -> Next {
        Next { [tokens] request in
            let token = request.urlRequest.value(forHTTPHeaderField: field)
            tokens.record(token)
            if token == accepts { return DataResponse(statusCode: 204) }
            return DataResponse(
                statusCode: status, headers: ["WWW-Authenticate": "Bearer realm=\"r\", scope=\"books:read\""],
                data: Data("no".utf8))
        }
    }

    @Test func `a refresh receives the challenge of the rejecting response`() async throws {
        let authentication = TokenAuthentication(token: AccessToken("old")) { old, refusal in
            #expect(old?.value == "old")
            let scope = try #require(refusal?.headers.authenticationChallenges.first)["scope"] ?? ""
            #expect(refusal?.statusCode == 401)
            return AccessToken(scope.replacingOccurrences(of: ":", with: "."))
        }
        let response = try await authentication.intercept(limitedRequest(), next: server(accepts: "Bearer books.read"))
        #expect(response.statusCode == 204)
        #expect(tokens.elements == ["Bearer old", "Bearer books.read"])
    }

    @Test func `a refresh without a token receives no rejecting response`() async throws {
        let authentication = TokenAuthentication { old, refusal in
            #expect(old == nil && refusal == nil)
            return AccessToken("new")
        }
        let response = try await authentication.intercept(limitedRequest(), next: server(accepts: "Bearer new"))
        #expect(response.statusCode == 204)
    }

    @Test func `the statuses that reject a token can be configured`() async throws {
        let authentication = TokenAuthentication(token: AccessToken("old"), refusingStatusCodes: [403, 419]) { _ in
            AccessToken("new")
        }
        let next = server(status: 419, accepts: "Bearer new")
        #expect(try await authentication.intercept(limitedRequest(), next: next).statusCode == 204)
        let strict = TokenAuthentication(token: AccessToken("old"), refusingStatusCodes: [403]) { _ in
            AccessToken("new")
        }
        #expect(try await strict.intercept(limitedRequest(), next: next).statusCode == 419)
    }

    @Test func `a token can be sent in another header field`() async throws {
        let authentication = TokenAuthentication(token: AccessToken("old"), field: "X-Auth-Token") { _ in
            AccessToken("new")
        }
        let next = server("X-Auth-Token", accepts: "new")
        #expect(try await authentication.intercept(limitedRequest(), next: next).statusCode == 204)
        #expect(tokens.elements == ["old", "new"])
        // A field that the request sets itself is not replaced.
        let own = limitedRequest(headers: ["X-Auth-Token": "mine"])
        #expect(try await authentication.intercept(own, next: next).statusCode == 401)
        #expect(tokens.elements.last == "mine")
    }

    @Test func `a session cookie is signed in again when the server rejects it`() async throws {
        let authentication = TokenAuthentication(
            token: AccessToken("SID=old; lang=en"), field: "Cookie", refusingStatusCodes: [403]
        ) { _ in AccessToken("SID=31d4d96e407aad42; lang=en") }
        let next = server("Cookie", status: 403, accepts: "SID=31d4d96e407aad42; lang=en")
        #expect(try await authentication.intercept(limitedRequest(), next: next).statusCode == 204)
        #expect(tokens.elements == ["SID=old; lang=en", "SID=31d4d96e407aad42; lang=en"])
    }

    @Test(arguments: ["", "SID=1\r\nX-Admin: 1", "SID=\u{1}"])
    func `an invalid value of another header field is not sent`(_ value: String) async throws {
        let authentication = TokenAuthentication(token: AccessToken(value), field: "Cookie") { _ in AccessToken("b") }
        await expectFailure(.invalidCredential) {
            try await authentication.intercept(limitedRequest(), next: server("Cookie", accepts: "a"))
        }
        #expect(tokens.elements.isEmpty)
    }

    @Test func `a token is not sent in an invalid header field`() async throws {
        let authentication = TokenAuthentication(token: AccessToken("a"), field: "X Token:") { _ in AccessToken("b") }
        await expectFailure(.invalidHeaderField) {
            try await authentication.intercept(limitedRequest(), next: server(accepts: "a"))
        }
        #expect(tokens.elements.isEmpty)
    }

    @Test func `a credential provider without the rejecting response can refresh the token`() async throws {
        actor Session: CredentialProvider {
            var token = AccessToken("old")
            func credential() async throws -> AccessToken? { token }
            func refresh(_ old: AccessToken?) async throws -> AccessToken {
                token = AccessToken("new")
                return token
            }
        }
        let authentication = TokenAuthentication(Session())
        #expect(
            try await authentication.intercept(limitedRequest(), next: server(accepts: "Bearer new")).statusCode == 204)
    }

    @Test func `the body of a streamed 401 response is released before the token is refreshed`() async throws {
        let released = Gate()
        final class Body: Sendable {
            let gate: Gate
            init(_ gate: Gate) { self.gate = gate }
            deinit { gate.open() }
        }
        let authentication = TokenAuthentication(token: AccessToken("old")) { _, refusal in
            #expect(refusal?.body.isStreamed == false)
            try await released.pass()
            return AccessToken("new")
        }
        var request = limitedRequest()
        request.streamsResponse = true
        let next = Next { request in
            guard request.urlRequest.value(forHTTPHeaderField: "Authorization") != "Bearer new" else {
                return DataResponse(statusCode: 204)
            }
            let body = Body(released)
            return DataResponse(statusCode: 401, body: ResponseBody { withExtendedLifetime(body) { nil } })
        }
        #expect(try await authentication.intercept(request, next: next).statusCode == 204)
    }
}
