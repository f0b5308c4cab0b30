import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

private struct Book: Codable, Equatable {
    var id: Int
    var title: String
}

private class BooksAPI: APIBase {
    init(_ url: URL, path: RequestPath) {
        super.init()
        baseURL = url
        timeoutInterval = .hangGuard
        session = CurlTransport()
        headers["Accept"] = "application/json"
        self.path = path
    }

    override func startRequest() -> Pipeline<DataResponse, any Error> {
        super.startRequest().validateStatusCode(in: 200..<300)
    }
}

private final class BookRequest: BooksAPI, Request {
    init(id: Int, at url: URL) {
        super.init(url, path: "/books/\(id)")
    }

    func start() -> Pipeline<Book, any Error> { sendRequest().decode(Book.self) }
}

private final class AddRequest: BooksAPI, Request {
    init(_ book: Book, at url: URL) {
        super.init(url, path: "/books")
        method = .post
        body = .json(book)
    }

    func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
}

private final class StoredBooksRequest: BooksAPI, Request {
    init(at url: URL) {
        super.init(url, path: "/shelf")
    }

    func start() -> Pipeline<[Book], any Error> { sendRequest().decode([Book].self) }
}

private final class NewsRequest: BooksAPI, StreamingRequest {
    init(at url: URL) {
        super.init(url, path: "/news")
    }

    func startStream() -> EventSource { sendStream().eventSource() }
}

/// The samples of the guide to the mock server, and tests of their results.
@Suite(.hangGuard) struct `Guide to the mock server` {
    @Test func `the guide's smallest sample works`() async throws {
        let server = try MockServer()
        server.on(.get, "/books/:id") { request in
            try .json(encodable: Book(id: 7, title: "Tehanu " + (request.parameters["id"] ?? "")))
        }

        let book = try await BookRequest(id: 7, at: server.url).start().value

        try await server.expect(.get, "/books/7", headers: ["Accept": "application/json"])
        #expect(book == Book(id: 7, title: "Tehanu 7"))
    }

    @Test func `the guide's sample uses a fixed response`() async throws {
        let server = try MockServer()
        server.on(.put, "/books/:id", .json(["title": "Malafrena"]))
        server.on(.post, "/books", .status(201, json: ["id": 7]))
        let response = try await AddRequest(Book(id: 7, title: "Tehanu"), at: server.url).start().value
        #expect(response.statusCode == 201)
        #expect(response.text == #"{"id":7}"#)
    }

    @Test func `the guide's sample sends responses in turn`() async throws {
        let server = try MockServer()
        server.on(
            .get, "/shelf",
            inTurn: [.status(503), .status(200).with(fault: .resetBeforeHead), .json("[]")])
        let request = StoredBooksRequest(at: server.url)
        request.retryPolicy = .immediate
        #expect(try await request.start().value.isEmpty)
        try server.verify(.get, "/shelf", times: 3)
    }

    @Test func `the guide's sample enqueues responses`() async throws {
        let server = try MockServer()
        server.enqueue(.status(503), try .json(encodable: Book(id: 7, title: "Tehanu")))

        let request = BookRequest(id: 7, at: server.url)
        request.retryPolicy = .immediate
        _ = try await request.start().value

        let first = try await server.takeRequest()
        let second = try await server.takeRequest(within: .seconds(10))
        #expect(first.path == second.path)
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd")))
    func `the guide's sample uses a proxy`() async throws {
        let server = try MockServer(tls: .selfSigned)
        server.on(.get, "/shelf") { _ in .json("[]") }
        let port = UInt16(try #require(server.url.port))
        let request = StoredBooksRequest(at: server.url)
        let proxy = try MockServer()
        proxy.on("CONNECT", "*") { _ in .tunnel(toPort: port) }
        var configuration = CurlConfiguration()
        configuration.proxy = .server(proxy.url)
        // The bytes of the handshake go through tasks, which wait while hundreds of other tests run.
        configuration.connectTimeout = .seconds(120)
        configuration.tls.additionalAuthorities = server.certificateAuthority
        request.session = CurlTransport(configuration)
        request.baseURL = URL(string: "https://localhost:\(port)")

        _ = try await request.start().value
        #expect(try await proxy.takeRequest().target == "localhost:\(port)")
    }

    @Test func `the guide's sample sends events`() async throws {
        let gate = Gate()
        let server = try MockServer()
        server.on(.get, "/news") { _ in
            .serverSentEvents(
                [.retry(.seconds(1)), .event("one", name: "update", id: "1"), .pause { try await gate.pass() }, "two"],
                staysOpen: true)
        }
        var events: [ServerSentEvent] = []
        for try await event in NewsRequest(at: server.url).startStream() {
            events.append(event)
            gate.open()
            if events.count == 2 { break }
        }
        #expect(events.map(\.data) == ["one", "two"])
        #expect(events.map(\.event) == ["update", "message"])
        #expect(events.map(\.id) == ["1", "1"])
        try await server.waitUntil(openConnections: 0)
    }

    @Test func `the guide's sample uses connection and upload faults`() async throws {
        let server = try MockServer()
        server.on(.get, "/shelf") { _ in .json("[]") }
        server.onConnection(inTurn: [.resetAtAccept, nil])
        server.onUpload(.post, "/covers", .respond(.status(413), after: 0))
        let request = StoredBooksRequest(at: server.url)
        request.retryPolicy = .immediate
        #expect(try await request.start().value.isEmpty)
        let upload = AddRequest(Book(id: 1, title: "Malafrena"), at: server.url)
        upload.path = "/covers"
        let error = await #expect(throws: ErrandError.self) { try await upload.start().value }
        #expect(error?.statusCode == 413)
        #expect(server.acceptedConnections >= 2)
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd")))
    func `the guide's sample uses TLS`() async throws {
        let request = StoredBooksRequest(at: URL(fileURLWithPath: "/"))

        let server = try MockServer(tls: .selfSigned)
        var configuration = CurlConfiguration()
        configuration.tls.additionalAuthorities = server.certificateAuthority
        request.session = CurlTransport(configuration)

        server.on(.get, "/shelf") { _ in .json("[]") }
        request.baseURL = server.url
        #expect(try await request.start().value.isEmpty)
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd")))
    func `the guide's sample requires client certificates`() async throws {
        var configuration = CurlConfiguration()

        let authority = try MockCertificateAuthority()
        let server = try MockServer(tls: .issued(by: authority).with(clientCertificate: .required))
        let alice = try authority.issue(commonName: "alice")
        configuration.tls.identity = .init(certificate: .data(alice.certificateChain), key: .data(alice.privateKey))

        configuration.tls.additionalAuthorities = server.certificateAuthority
        server.on(.get, "/shelf") { _ in .json("[]") }
        let request = StoredBooksRequest(at: server.url)
        request.session = CurlTransport(configuration)
        #expect(try await request.start().value.isEmpty)
        #expect(try await server.takeRequest().tls?.clientName == "alice")
    }

    @Test func `the guide's sample checks the received requests`() async throws {
        let server = try MockServer()
        server.onAny { _ in .json(Data(#"{"id": 1, "title": ""}"#.utf8)) }
        _ = try await AddRequest(Book(id: 1, title: "Malafrena"), at: server.url).start().value
        for id in 1...2 { _ = try await BookRequest(id: id, at: server.url).start().value }

        try await server.expect(.post, "/books", json: Book(id: 1, title: "Malafrena"))
        try server.verify(.get, "/books/:id", times: 2)
        try server.verify(.get, "/books/*", where: .any(of: .query("draft"), .header("X-Draft", "1")), times: 0)
        #expect(throws: MockMismatch.self) { try server.verifyNoMoreRequests() }
        for _ in 1...2 { _ = try await server.takeRequest() }
        try server.verifyNoMoreRequests()
    }

    @Test func `the guide shows the message of a mismatch exactly`() async throws {
        let server = try MockServer()
        server.onAny { _ in .status(201) }
        _ = try await AddRequest(Book(id: 1, title: "Tehanu"), at: server.url).start().value
        let error = await #expect(throws: MockMismatch.self) {
            try await server.expect(.post, "/books", json: Book(id: 1, title: "Malafrena"))
        }
        let expected = """
            the next request is not the one expected, POST /books
              POST /books
              
              {
                "id" : 1,
            -   "title" : "Malafrena"
            +   "title" : "Tehanu"
              }
            """
        #expect(error?.description == expected)
    }
}
