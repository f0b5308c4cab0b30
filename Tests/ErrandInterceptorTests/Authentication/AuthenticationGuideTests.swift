import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

/// The samples of the page about authentication.
struct `The guide to authentication` {
    class LibraryAPI: APIBase {
        override init() {
            super.init()
            baseURL = URL(string: "https://library.example.com/v1")
            interceptors = [BearerAuthentication(token: "mF_9.B5f-4.1JqM")]
        }
    }

    actor Session: CredentialProvider {
        private var token: AccessToken?
        private var refreshToken: String

        init(refreshToken: String) {
            self.refreshToken = refreshToken
        }

        func credential() async throws -> AccessToken? { token }

        func refresh(_ old: AccessToken?) async throws -> AccessToken {
            let grant = try await GrantRequest(refreshToken: refreshToken).start().value
            let new = AccessToken(grant.accessToken, expiresAt: Date() + grant.lifetime)
            token = new
            refreshToken = grant.refreshToken
            return new
        }
    }

    class MembersAPI: APIBase {
        static let authentication = TokenAuthentication(Session(refreshToken: "tGzv3JOkF0XG5Qx2TlKWIA"))

        override init() {
            super.init()
            baseURL = URL(string: "https://library.example.com/v1")
            interceptors = [Self.authentication]
        }
    }

    struct Grant: Codable, Sendable {
        var accessToken: String
        var refreshToken: String
        var lifetime: TimeInterval
    }

    /// Responds with a stub in place of the server.
    final class GrantRequest: MembersAPI, Request {
        let refreshToken: String

        init(refreshToken: String) {
            self.refreshToken = refreshToken
            super.init()
            method = .post
            let grant = Grant(accessToken: "granted", refreshToken: refreshToken + "2", lifetime: 3600)
            dataTaskPipeline = stubJSONResponse(data: (try? JSONEncoder().encode(grant)) ?? Data())
        }

        func start() -> Pipeline<Grant, any Error> { sendRequest().decode(Grant.self) }
    }

    final class ShelfRequest: MembersAPI, Request {
        func start() -> Pipeline<[Int], any Error> {
            sendRequest().validateStatusCode(in: 200..<300).decode([Int].self)
        }
    }

    final class ClosingRequest: LibraryAPI, Request {
        func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
    }

    /// Compiled but not run, because it would send requests to a real host.
    func openShelf() async throws {
        do {
            _ = try await ShelfRequest().start().value
        } catch ErrandError.Code.authenticationFailed {
            print("please sign in again")
        } catch ErrandError.Code.transportFailed, ErrandError.Code.timedOut {
            print("no connection, please try again later")
        }
    }

    actor Keychain: CredentialProvider {
        private var refreshToken: String?
        private var token: AccessToken?

        func credential() async throws -> AccessToken? { token }

        func refresh(_ old: AccessToken?) async throws -> AccessToken {
            guard let refreshToken else { throw ErrandError(.authenticationFailed, reason: "no user is signed in") }
            let new = AccessToken(try await GrantRequest(refreshToken: refreshToken).start().value.accessToken)
            token = new
            return new
        }
    }

    @Test func `the guide: a credential provider rejects a request`() async throws {
        let request = ShelfRequest()
        request.interceptors = [TokenAuthentication(Keychain())]
        await expectFailure(.authenticationFailed) { try await request.start().value }
    }

    @Test func `the guide: a fixed token is sent`() async throws {
        let transport = RecordingTransport()
        let request = ClosingRequest()
        request.session = transport
        _ = try await request.start().value
        #expect(transport.sent.elements.first?.authorization == "Bearer mF_9.B5f-4.1JqM")
    }

    @Test func `the guide: a token is refreshed before a request of the same API is sent`() async throws {
        let transport = RecordingTransport(response: DataResponse(statusCode: 200, data: Data("[1]".utf8)))
        let request = ShelfRequest()
        request.session = transport
        #expect(try await request.start().value == [1])
        #expect(transport.sent.elements.first?.authorization == "Bearer granted")
    }

    @Test func `the guide: a failed refresh is handled`() async throws {
        let request = ShelfRequest()
        request.interceptors = [
            TokenAuthentication { _ in throw ErrandError(.authenticationFailed, reason: "no user") }
        ]
        var text = ""
        do {
            _ = try await request.start().value
        } catch ErrandError.Code.authenticationFailed {
            text = "please sign in again"
        }
        #expect(text == "please sign in again")
    }

    @Test func `the guide: a network failure during a refresh does not require a new sign-in`() async throws {
        let request = ShelfRequest()
        request.interceptors = [TokenAuthentication { _ in throw URLError(.notConnectedToInternet) }]
        await expectFailure(.transportFailed) { try await request.start().value }
    }

    @Test func `the guide: the token field and the rejecting statuses are configured`() async throws {
        let refreshToken = "tGzv3JOkF0XG5Qx2TlKWIA"
        let authentication = TokenAuthentication(field: "X-Auth-Token", refusingStatusCodes: [401, 419]) { _ in
            AccessToken(try await GrantRequest(refreshToken: refreshToken).start().value.accessToken)
        }
        let sent = Recorder<String?>()
        let next = Next { request in
            sent.record(request.urlRequest.value(forHTTPHeaderField: "X-Auth-Token"))
            return DataResponse(statusCode: 204)
        }
        _ = try await authentication.intercept(limitedRequest(), next: next)
        #expect(sent.elements == ["granted"])
    }

    private class ShelvesAPI: APIBase {
        init(_ server: URL, _ session: TokenAuthentication? = nil) {
            super.init()
            baseURL = server
            interceptors = session.map { [$0] } ?? []
        }
    }

    private final class SignInRequest: ShelvesAPI, Request {
        init(_ server: URL, user: String, password: String) {
            super.init(server)
            method = .post
            path = "/login"
            body = .urlEncoded(["username": user, "password": password])
        }

        func start() -> Pipeline<DataResponse, any Error> { sendRequest().validateStatusCode(in: 200..<300) }
    }

    private final class ShelfNamesRequest: ShelvesAPI, Request {
        func start() -> Pipeline<[String], any Error> {
            path = "/shelves"
            return sendRequest().validateStatusCode(in: 200..<300).decode([String].self)
        }
    }

    @Test func `the guide: concurrent requests share the sign-in to a session`() async throws {
        let mock = try MockServer()
        let signIns = Recorder<Int>()
        mock.on(.post, "/login") { _ in
            signIns.record(1)
            return MockResponse.status(204).with(header: "Set-Cookie", "SID=31d4d96e; HttpOnly; Path=/")
        }
        mock.on(.get, "/shelves") { $0.headers["Cookie"] == "SID=31d4d96e" ? .json(#"["fiction"]"#) : .status(403) }
        let server = mock.url
        let session = TokenAuthentication(field: "Cookie", refusingStatusCodes: [403]) { _ in
            let response = try await SignInRequest(server, user: "ursula", password: "earthsea").start().value
            guard let cookie = response.headers["Set-Cookie"]?.prefix(while: { $0 != ";" }) else {
                throw ErrandError(.authenticationFailed, reason: "the server set no session cookie")
            }
            return AccessToken(String(cookie))
        }
        async let one = ShelfNamesRequest(server, session).start().value
        async let other = ShelfNamesRequest(server, session).start().value
        #expect(try await [one, other] == [["fiction"], ["fiction"]])
        #expect(signIns.elements.count == 1)
    }

    @Test func `the guide: a refresh is tested without a network`() async throws {
        let request = ShelfRequest()
        request.interceptors = [TokenAuthentication(token: AccessToken("old")) { _ in AccessToken("new") }]
        request.dataTaskPipeline = request.stub(inTurn: [
            request.stubResponse(statusCode: 401), request.stubJSONResponse(data: Data("[]".utf8)),
        ])
        let books = try await request.start().value
        #expect(books.isEmpty)
    }
}
