import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

// The choice of a challenge, and challenges after the first one.
extension `Contract: Digest` {
    /// RFC 7616, sections 3.3 and 3.7: the first challenge that the client supports, over several fields.
    @Test(
        arguments: TransportUnderTest.without(.digest),
        [
            ["Digest realm=\"r\", nonce=\"n1\", qop=\"auth\", algorithm=SHA-512-256", "algorithm=MD5"],
            ["Digest realm=\"r\", nonce=\"n1\", qop=\"auth\", algorithm=FOO", "algorithm=SHA-256"],
            [
                "Digest realm=\"r\", nonce=\"n1\", algorithm=SHA-512-256-sess", "Basic realm=\"x\"",
                "algorithm=MD5-sess",
            ],
            ["Negotiate", "Digest realm=\"r\", nonce=\"n1\", qop=\"auth-conf\"", "stale=false"],
        ])
    func `a challenge that cannot be met is skipped`(
        _ transport: TransportUnderTest, _ challenges: [String]
    ) async throws {
        let last = "Digest realm=\"r\", nonce=\"n2\", qop=\"auth\", " + (challenges.last ?? "")
        server.onAny { request in
            guard request.headers["Authorization"] == nil else { return .text("you") }
            return (challenges.dropLast() + [last]).reduce(.text("who?", statusCode: 401)) {
                $0.with(header: "WWW-Authenticate", $1)
            }
        }
        let request = probe(transport.make(), "/shelf")
        request.query = ["q": 1]
        #expect(try await request.start().value.data == Data("you".utf8))
        let parts = try parts(of: server.requests.last)
        #expect(parts["nonce"] == "n2")
        #expect(parts["uri"] == "/shelf?q=1")
        #expect(server.requests.count == 2)
    }

    @Test(arguments: TransportUnderTest.without(.digest), ["stale=true", "stale=TRUE", "stale=\"True\""])
    func `a nonce that is too old is replaced once, and a second refusal is returned with its body`(
        _ transport: TransportUnderTest, _ stale: String
    ) async throws {
        let session = transport.make()
        for accepts in [true, false] {
            let server = try MockServer()
            server.onAny { request in
                let field = request.headers["Authorization"] ?? ""
                if accepts, field.contains("nonce=\"n2\"") { return .data(request.body, contentType: "text/plain") }
                let nonce = field.isEmpty ? "nonce=\"n1\"" : "nonce=\"n2\", \(stale)"
                return .text("no", statusCode: 401)
                    .with(header: "WWW-Authenticate", "Digest realm=\"r\", qop=\"auth\", \(nonce)")
            }
            for method in [RequestMethod.get, .put] {
                let request = probe(session, method: method)
                request.baseURL = server.url
                if method == .put { request.body = .data(Data("content".utf8)) }
                let response = try await request.start().value
                #expect(response.statusCode == (accepts ? 200 : 401))
                #expect(response.data == Data((accepts ? method == .put ? "content" : "" : "no").utf8))
                var body = Data()
                var streamed = TransportRequest(URLRequest(url: server.url, timeoutInterval: .hangGuard))
                streamed.digestCredential = PasswordCredential(user: "ursula", password: "hunter2")
                for try await piece in try await session.stream(streamed).body { body += piece }
                #expect(body == Data((accepts ? "" : "no").utf8))
            }
            #expect(server.requests.count == 12)
        }
    }

    @Test(arguments: TransportUnderTest.without(.digest))
    func `the user and the password of a URL are not sent beside a Digest credential`(
        _ transport: TransportUnderTest
    ) async throws {
        var url = try #require(URLComponents(url: server.url, resolvingAgainstBaseURL: true))
        (url.user, url.password, url.percentEncodedPath) = ("karl", "secret", "/a/../b/./")
        var request = TransportRequest(URLRequest(url: try #require(url.url), timeoutInterval: .hangGuard))
        request.digestCredential = PasswordCredential(user: "ursula", password: "hunter2")
        #expect(try await transport.make().send(request).statusCode == 200)
        #expect(server.requests.map { $0.headers["Authorization"] == nil } == [true, false])
        #expect(server.requests.map(\.target) == ["/b/", "/b/"])
        let parts = try parts(of: server.requests.last)
        #expect(parts["username"] == "ursula")
        #expect(parts["uri"] == "/b/")
    }

    @Test(arguments: TransportUnderTest.without(.digest))
    func `a long body of a challenge does not prevent the response to it`(
        _ transport: TransportUnderTest
    ) async throws {
        server.onAny { request in
            guard request.headers["Authorization"] == nil else { return .text("you") }
            return .data(Data(count: 1 << 20), contentType: "text/plain", statusCode: 401)
                .with(header: "WWW-Authenticate", "Digest realm=\"r\", nonce=\"n\"")
        }
        #expect(try await probe(transport.make()).start().value.data == Data("you".utf8))
    }
}
