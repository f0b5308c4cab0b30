import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `Contract: Digest` {
    let server: MockServer

    init() throws {
        server = try MockServer()
        server.onAny { request in Self.response(to: request) }
    }

    /// Challenges a request without credentials, and accepts any credentials.
    private static func response(
        to request: MockRequest, challenge: String = "nonce=\"n1\", qop=\"auth\""
    ) -> MockResponse {
        guard request.headers["Authorization"] == nil else {
            return .data(request.body, contentType: "application/octet-stream")
        }
        return .text("who are you?", statusCode: 401)
            .with(header: "WWW-Authenticate", "Digest realm=\"library\", algorithm=SHA-256, \(challenge)")
    }

    func probe(_ transport: any Transport, _ path: String = "/", method: RequestMethod = .get) -> Probe {
        let request = Probe(server.url, transport, method: method, path: path)
        request.interceptors = [DigestAuthentication(user: "ursula", password: "hunter2")]
        return request
    }

    /// The parameters of the `Authorization` field that responds to a challenge.
    func parts(of request: MockRequest?) throws -> [String: String] {
        let field = try #require(request?.headers["Authorization"])
        #expect(field.hasPrefix("Digest "))
        let parts = field.dropFirst(7).split(separator: ",").map { $0.split(separator: "=", maxSplits: 1) }
        return Dictionary(
            parts.filter { $0.count == 2 }.map {
                ($0[0].trimmingCharacters(in: .whitespaces), $0[1].trimmingCharacters(in: ["\"", " "]))
            }
        ) { $1 }
    }

    @Test(arguments: TransportUnderTest.without(.digest))
    func `a request responds to a Digest challenge, and only the final response is returned`(
        _ transport: TransportUnderTest
    ) async throws {
        let response = try await probe(transport.make(), "/shelf").start().value
        #expect(response.statusCode == 200)
        #expect(response.attempts == 1)
        #expect(response.headers[values: "WWW-Authenticate"] == [])
        #expect(response.headers[values: "Content-Type"] == ["application/octet-stream"])
        #expect(server.requests.map { $0.headers["Authorization"] == nil } == [true, false])
        let parts = try parts(of: server.requests.last)
        #expect(parts["username"] == "ursula")
        #expect(parts["realm"] == "library")
        #expect(parts["nonce"] == "n1")
        #expect(parts["uri"] == "/shelf")
        #expect(parts["qop"] == "auth")
        #expect(parts["algorithm"] == "SHA-256")
        #expect(parts["response"]?.count == 64)
        #expect(server.acceptedConnections == 1)
    }

    @Test(arguments: TransportUnderTest.without(.digest))
    func `Digest authentication prefers qop=auth to auth-int`(_ transport: TransportUnderTest) async throws {
        server.onAny { Self.response(to: $0, challenge: "nonce=\"n\", qop=\"auth-int,auth\"") }
        let request = probe(transport.make(), method: .put)
        request.body = .data(Data("content".utf8))
        #expect(try await request.start().value.data == Data("content".utf8))
        #expect(try parts(of: server.requests.last)["qop"] == "auth")
    }

    @Test(arguments: TransportUnderTest.without(.digest), [RequestMethod.put, .post])
    func `a data body is sent only after the Digest challenge`(
        _ transport: TransportUnderTest, _ method: RequestMethod
    ) async throws {
        let request = probe(transport.make(), method: method)
        let body = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        request.body = .data(body)
        let response = try await request.start().value
        #expect(response.statusCode == 200)
        #expect(response.data == body)
        #expect(server.requests.map(\.method) == [method, method])
        #expect(server.requests.map(\.body.count) == [0, 300_000])
        #expect(request.uploadProgress.latest == .init(completed: 300_000, total: 300_000))
    }

    @Test(arguments: TransportUnderTest.without(.digest), [9, nil])
    func `a read-once body is sent only after the Digest challenge`(
        _ transport: TransportUnderTest, _ count: Int?
    ) async throws {
        let request = probe(transport.make(), method: .put)
        request.body = .stream(BodyStream(InputStream(data: Data("onetwosix".utf8)), count: count))
        let response = try await request.start().value
        #expect(response.statusCode == 200)
        #expect(response.data == Data("onetwosix".utf8))
        #expect(server.requests.map(\.text) == ["", "onetwosix"])
    }

    @Test(arguments: TransportUnderTest.without(.digest), [RequestMethod.post, .put, .patch])
    func `an empty body is sent once, with Content-Length: 0`(
        _ transport: TransportUnderTest, _ method: RequestMethod
    ) async throws {
        let open = try MockServer()
        open.onAny { _ in .text("open") }
        let request = probe(transport.make(), method: method)
        request.baseURL = open.url
        #expect(try await request.start().value.data == Data("open".utf8))
        #expect(open.requests.map { $0.headers[values: "Content-Length"] } == [["0"]])
        request.baseURL = server.url
        #expect(try await request.start().value.statusCode == 200)
        #expect(server.requests.map { $0.headers[values: "Content-Length"] } == [["0"], ["0"]])
    }

    @Test(arguments: TransportUnderTest.without(.digest))
    func `a server that sends no challenge receives the body`(_ transport: TransportUnderTest) async throws {
        server.onAny { .text("\($0.body.count) bytes") }
        let request = probe(transport.make(), method: .put)
        request.body = .data(Data("content".utf8))
        #expect(try await request.start().value.data == Data("7 bytes".utf8))
        #expect(server.requests.last?.text == "content")
        #expect(try await probe(transport.make()).start().value.data == Data("0 bytes".utf8))
    }

    @Test(arguments: TransportUnderTest.without(.digest))
    func `a 401 response after the credential is returned with its body`(_ transport: TransportUnderTest) async throws {
        let server = server
        server.onAny { _ in
            .text("not you", statusCode: 401).with(header: "WWW-Authenticate", "Digest realm=\"r\", nonce=\"n\"")
        }
        for method in [RequestMethod.get, .put] {
            let request = probe(transport.make(), method: method)
            if method == .put { request.body = .data(Data("content".utf8)) }
            let response = try await request.start().value
            #expect(response.statusCode == 401)
            #expect(response.data == Data("not you".utf8))
        }
        #expect(server.requests.count == 4)
    }

    @Test(
        arguments: TransportUnderTest.without(.digest),
        [
            "Basic realm=\"x\"", "Bearer", "Digest realm=\"x\"", "Digest realm=\"x\", nonce=\"n\", algorithm=ROT13",
            "Digest realm=\"x\", nonce=\"n\", qop=\"auth\", algorithm=SHA-512-256",
        ])
    func `an unsupported challenge is returned as the response, and no password is sent`(
        _ transport: TransportUnderTest, _ challenge: String
    ) async throws {
        server.onAny { _ in .text("no", statusCode: 401).with(header: "WWW-Authenticate", challenge) }
        for body in [nil, Data("content".utf8)] {
            let request = probe(transport.make(), method: body == nil ? .get : .post)
            if let body { request.body = .data(body) }
            let response = try await request.start().value
            #expect(response.statusCode == 401)
            #expect(response.data == Data("no".utf8))
        }
        #expect(server.requests.allSatisfy { $0.headers["Authorization"] == nil })
        #expect(server.requests.count == 2)
    }

    @Test(arguments: TransportUnderTest.without(.digest))
    func `the body of an unsupported challenge is decoded`(_ transport: TransportUnderTest) async throws {
        server.onAny { _ in
            .data(CodedText.gzip, contentType: "text/plain", statusCode: 401)
                .with(header: "Content-Encoding", "gzip").with(header: "WWW-Authenticate", "Basic realm=\"x\"")
        }
        let response = try await probe(transport.make()).start().value
        #expect(response.statusCode == 401)
        #expect(response.data == CodedText.plain)
    }

    @Test(arguments: TransportUnderTest.without(.digest))
    func `an unsupported challenge without a body is returned as the response`(
        _ transport: TransportUnderTest
    ) async throws {
        server.onAny { _ in .status(401).with(header: "WWW-Authenticate", "Negotiate") }
        let response = try await probe(transport.make()).start().value
        #expect(response.statusCode == 401)
        #expect(response.headers["WWW-Authenticate"] == "Negotiate")
    }

    @Test(arguments: TransportUnderTest.without(.digest))
    func `another request on the same connection is sent without the credential`(
        _ transport: TransportUnderTest
    ) async throws {
        let session = transport.make()
        for _ in 0..<3 {
            #expect(try await probe(session).start().value.statusCode == 200)
            let stranger = Probe(server.url, session)
            #expect(try await stranger.start().value.statusCode == 401)
            #expect(server.requests.last?.headers["Authorization"] == nil)
        }
        #expect(server.requests.count == 9)
        #expect(server.acceptedConnections == 1)
    }

    @Test(arguments: TransportUnderTest.without(.digest))
    func `each request responds to its own server's challenge with its own user`(
        _ transport: TransportUnderTest
    ) async throws {
        let session = transport.make()
        let other = try MockServer()
        other.onAny { Self.response(to: $0, challenge: "nonce=\"other\", qop=\"auth\"") }
        for _ in 0..<3 {
            let request = Probe(other.url, session)
            request.interceptors = [DigestAuthentication(user: "karl", password: "x")]
            #expect(try await request.start().value.statusCode == 200)
            #expect(try parts(of: other.requests.last)["username"] == "karl")
            #expect(try parts(of: other.requests.last)["nonce"] == "other")
            #expect(try await probe(session).start().value.statusCode == 200)
            #expect(try parts(of: server.requests.last)["username"] == "ursula")
            #expect(try parts(of: server.requests.last)["nonce"] == "n1")
        }
        #expect(server.requests.count == 6)
        #expect(other.requests.count == 6)
    }

    @Test(arguments: TransportUnderTest.without(.digest))
    func `a challenge received by another request is not reused`(_ transport: TransportUnderTest) async throws {
        let session = transport.make()
        let other = try MockServer()
        other.onAny { Self.response(to: $0, challenge: "nonce=\"other\", qop=\"auth\"") }
        #expect(try await Probe(other.url, session).start().value.statusCode == 401)
        #expect(try await probe(session).start().value.statusCode == 200)
        #expect(server.requests.map { $0.headers["Authorization"] == nil } == [true, false])
        #expect(try parts(of: server.requests.last)["nonce"] == "n1")
    }

    @Test(arguments: TransportUnderTest.without(.digest), [302, 307])
    func `a Digest credential is not sent to another origin`(
        _ transport: TransportUnderTest, _ status: Int
    ) async throws {
        let other = try MockServer()
        other.onAny { Self.response(to: $0) }
        let away = other.url.absoluteString + "/to"
        server.onAny { request in
            request.path == "/away"
                ? .status(status).with(header: "Location", away)
                : request.path == "/here" ? .status(status).with(header: "Location", "/to") : Self.response(to: request)
        }
        let session = transport.make()
        #expect(try await probe(session, "/away").start().value.statusCode == 401)
        #expect(other.requests.map { $0.headers["Authorization"] } == [nil])
        #expect(try await probe(session, "/here").start().value.statusCode == 200)
        #expect(try parts(of: server.requests.last)["uri"] == "/to")
    }

    @Test(arguments: TransportUnderTest.without(.digest))
    func `a Digest credential is not sent after a redirect back to its origin`(
        _ transport: TransportUnderTest
    ) async throws {
        let other = try MockServer()
        let home = server.url.absoluteString + "/to"
        other.onAny { _ in .status(302).with(header: "Location", home) }
        let away = other.url.absoluteString
        server.onAny { request in
            request.path == "/from" ? .status(302).with(header: "Location", away) : Self.response(to: request)
        }
        #expect(try await probe(transport.make(), "/from").start().value.statusCode == 401)
        #expect(server.requests.allSatisfy { $0.headers["Authorization"] == nil })
    }

    @Test(arguments: TransportUnderTest.without(.digest))
    func `a streamed response begins after the Digest challenge`(_ transport: TransportUnderTest) async throws {
        var request = TransportRequest(URLRequest(url: server.url, timeoutInterval: .hangGuard))
        request.digestCredential = PasswordCredential(user: "ursula", password: "hunter2")
        request.urlRequest.httpMethod = "PUT"
        request.urlRequest.httpBody = Data("content".utf8)
        let session = transport.make()
        let response = try await session.stream(request)
        #expect(response.statusCode == 200)
        var body = Data()
        for try await piece in response.body { body += piece }
        #expect(body == Data("content".utf8))
        server.onAny { _ in .text("no", statusCode: 401).with(header: "WWW-Authenticate", "Basic realm=\"x\"") }
        let refusal = try await session.stream(request)
        #expect(refusal.statusCode == 401)
        body = Data()
        for try await piece in refusal.body { body += piece }
        #expect(body == Data("no".utf8))
    }

    @Test(arguments: TransportUnderTest.without(.digest))
    func `a request with its own Authorization field sends no Digest credential`(
        _ transport: TransportUnderTest
    ) async throws {
        var request = TransportRequest(URLRequest(url: server.url, timeoutInterval: .hangGuard))
        request.digestCredential = PasswordCredential(user: "ursula", password: "hunter2")
        request.urlRequest.setValue("Bearer x", forHTTPHeaderField: "Authorization")
        #expect(try await transport.make().send(request).statusCode == 200)
        #expect(server.requests.map { $0.headers[values: "Authorization"] } == [["Bearer x"]])
    }

    @Test(arguments: TransportUnderTest.without(.digest))
    func `a connection that breaks after the Digest challenge fails the request`(
        _ transport: TransportUnderTest
    ) async throws {
        server.onAny { request in
            request.headers["Authorization"] == nil
                ? Self.response(to: request) : MockResponse.text("cut").with(fault: .closeInBody(after: 1))
        }
        await expectTransportFailure(.networkConnectionLost) {
            try await probe(transport.make()).start().value
        }
    }

    @Test func `URLSession on Linux rejects Digest credentials before it sends anything`() async throws {
        let error = await expectFailure(.unsupportedByTransport) {
            try await probe(TransportUnderTest.urlSession.make()).start().value
        }
        #expect(error?.attempts == 0)
        #expect(server.requests.isEmpty)
    }
}
