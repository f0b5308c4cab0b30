import Errand
import ErrandMockServer
import ErrandTesting
import ErrandTestingTraits
import TestSupport
import Testing

/// The text of an error in the report of a test.
@Suite(.hangGuard) struct `An error in a test` {
    private static let response: MockResponse = {
        var response = MockResponse.json(
            #"{"message": "no author", "access_token": "planted"}"#, statusCode: 400)
        response.headers["X-Hint"] = "a name"
        response.headers["Set-Cookie"] = "sid=planted"
        return response
    }()
    private static let query: URLQuery = ["author": 7, "access_token": "planted"]

    private let folder: CassetteFolder
    private let server: MockServer

    init() throws {
        folder = try CassetteFolder()
        server = try MockServer()
        server.onAny { _ in Self.response }
    }

    /// Sends a request to a server on this machine that gets 400.
    private func send(change: (AnyRequest) -> Void = { _ in }) async throws {
        let request = AnyRequest(server.url, "/books", Self.query) { $0.acceptedStatusCodes = 200..<300 }
        change(request)
        _ = try await request.start().value
    }

    private func expectRevealed(_ error: ErrandError?, _ host: String) throws {
        let text = String(describingForTest: try #require(error))
        #expect(text.hasPrefix("GET \(host)/books?author=7&access_token=***: unacceptableStatusCode: "))
        for part in ["status 400", "a name", "\"no author\""] { #expect(text.contains(part), "\(part)") }
        #expect(!text.contains("planted"))
    }

    private func expectHidden(_ error: ErrandError?) throws {
        let error = try #require(error)
        #expect(String(describingForTest: error) == error.description)
    }

    @Test func `it shows what a server on this machine said, without secrets`() async throws {
        let error = await expectFailure(.unacceptableStatusCode) { try await send() }
        try expectRevealed(error, server.url.absoluteString)
    }

    @Test func `it shows what a stub said`() async throws {
        let stubs = RouteStubs()
        stubs.on(.get, "/books", Self.response)
        let shared = await expectFailure(.unacceptableStatusCode) {
            try await stubs.run { try await send { $0.baseURL = URL(string: "https://api.example.com") } }
        }
        try expectRevealed(shared, "https://api.example.com")
        let own = await expectFailure(.unacceptableStatusCode) {
            try await send { request in
                request.baseURL = URL(string: "https://api.example.com")
                request.dataTaskPipeline = request.stubResponse(
                    statusCode: 400, data: Data("\"no author\"".utf8),
                    headers: ["X-Hint": "a name", "Content-Type": "application/json"])
            }
        }
        try expectRevealed(own, "https://api.example.com")
    }

    @Test func `it hides what another server said`() async throws {
        let transport = RecordingTransport(response: DataResponse(statusCode: 400, data: Data("planted".utf8)))
        let error = await expectFailure(.unacceptableStatusCode) {
            try await send { request in
                request.baseURL = URL(string: "https://api.example.com")
                request.session = transport
            }
        }
        try expectHidden(error)
    }

    @Test func `it hides what is recorded, and shows what is replayed`() async throws {
        let recording = Cassette(at: folder.file(), mode: .record)
        let recorded = await expectFailure(.unacceptableStatusCode) { try await recording.run { try await send() } }
        try expectHidden(recorded)
        let run = try Cassette(at: folder.file("other.har"), mode: .record).start()
        let byInterceptor = await expectFailure(.unacceptableStatusCode) {
            try await send { $0.interceptors.append(run) }
        }
        try expectHidden(byInterceptor)
        try run.finish()
        let replaying = Cassette(at: folder.file("other.har"), mode: .replay)
        let replayed = await expectFailure(.unacceptableStatusCode) { try await replaying.run { try await send() } }
        try expectRevealed(replayed, server.url.absoluteString)
    }

    @Test func `it hides the error of an interceptor, and of a body, while a cassette records`() async throws {
        struct Refusing: Interceptor {
            func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
                throw ErrandError(.tokenUnavailable)
            }
        }
        let recording = Cassette(at: folder.file(), mode: .record)
        let refused = await expectFailure(.tokenUnavailable) {
            try await recording.run { try await send { $0.interceptors.append(Refusing()) } }
        }
        try expectHidden(refused)
        server.onAny { _ in
            var response = Self.response
            response.fault = .closeInBody(after: 3)
            return response
        }
        let run = try Cassette(at: folder.file("other.har"), mode: .record).start()
        let cut = await expectFailure(.transportFailed) {
            let request = AnyRequest(server.url, "/books", Self.query) { $0.interceptors.append(run) }
            for try await _ in request.startStream() {}
        }
        try expectHidden(cut)
    }

    @Test func `the report of a test has the text`() async throws {
        try await withKnownIssue {
            try await send()
        } matching: { issue in
            String(describing: issue).contains("\"no author\"")
        }
    }
}
