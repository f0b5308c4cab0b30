import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

/// The source of Apple's suite, which names its cases.
private let source = ProcessInfo.processInfo.environment["ERRAND_HTTP_CLIENT_CONFORMANCE"]

/// The cases of HTTPClientConformance of apple/swift-http-api-proposal, against Errand. The suite itself needs a newer
/// toolchain and its own client protocol, so that each case is written with Errand and the same server here.
/// `.ci/deep http-client-conformance` names the folder of the suite.
///
/// A client of the suite keeps cookies and caches responses, which Errand does with interceptors.
@Suite(.enabled(if: source != nil), .hangGuard) struct `Public suite: HTTPClientConformance` {
    private let server: ConformanceServer

    init() throws {
        server = try ConformanceServer()
    }

    private typealias Case = @Sendable (ConformanceServer) async throws -> Void

    @Test func `all cases of the suite are tested`() throws {
        let file = URL(fileURLWithPath: try #require(source)).appending(path: "HTTPClientConformance.swift")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let names = lines.compactMap { line in
            line.trimmingCharacters(in: .whitespaces).wholeMatch(of: /case (test\w+)/).map { String($0.1) }
        }
        #expect(Set(names) == Set(Self.cases.keys))
        #expect(names.count == 39)
    }

    @Test(arguments: cases.keys.sorted())
    func `each case passes`(_ name: String) async throws {
        let run = try #require(Self.cases[name])
        try await run(server)
    }

    private static let cases: [String: Case] = [
        "testNotHTTP": { try await expectError("/not_http", $0) },
        "testBadHTTPCase": { try await expectError("/http_case", $0) },
        "testNoReason": { try await expect("/no_reason", 200, "", $0) },
        "test204WithContentLength": { try await expect("/204_with_cl", 204, "", $0) },
        "test304WithContentLength": { try await expect("/304_with_cl", 304, "", $0) },
        "testIncompleteBody": { try await expectError("/incomplete_body", $0) },
        "testNoLengthHint": { try await expect("/no_length_hint", 200, "1234", $0) },
        "testConflictingContentLength": { try await expectError("/conflicting_cl", $0) },
        "testOk": { server in
            for method in [RequestMethod.head, .get, .put, .post, .delete] {
                try await expect("/200", 200, "", server, method: method)
            }
        },
        "testEchoString": { server in
            let body = RequestBody.stream(pieces(["Hello World"]))
            try await expect("/echo", 200, "Hello World", server, method: .post, body: body)
        },
        "testGzip": { try await expectCoding("gzip", $0) },
        "testDeflate": { try await expectCoding("deflate", $0) },
        "testBrotli": { try await expectCoding("br", $0, path: "/brotli") },
        "testIdentity": { try await expect("/identity", 200, "TEST\n", $0) },
        "testCustomHeader": { server in
            let body = RequestBody.stream(pieces(["Hello World"]))
            let received = try await received(server, method: .post, headers: ["X-Foo": "BARbaz"], body: body)
            #expect(received.headers["X-Foo"] == ["BARbaz"])
        },
        "testBasicRedirect": { server in
            for path in ["/301", "/308"] as [RequestPath] {
                let received = try await received(server, path)
                #expect(received.method == "GET" && received.body.isEmpty)
            }
        },
        "testNotFound": { try await expect("/404", 404, "", $0) },
        "testStatusOutOfRangeButValid": { try await expect("/999", 999, "", $0) },
        "testStressTest": { server in
            try await withThrowingTaskGroup { group in
                for _ in 0..<100 { group.addTask { _ = try await received(server) } }
                try await group.waitForAll()
            }
        },
        "testGetConvenience": { server in
            let received = try await received(server)
            #expect(received.method == "GET" && received.body.isEmpty)
        },
        "testPostConvenience": { server in
            let received = try await received(server, method: .post, body: .data(Data("Hello World".utf8)))
            #expect(received.method == "POST" && received.body == "Hello World")
        },
        "testCancelPreHeaders": { server in
            let task = Task { try await response("/stall", server) }
            try await waitUntil { server.hasStalled }
            task.cancel()
            await #expect(throws: (any Error).self) { try await task.value }
        },
        "testCancelPreBody": { server in
            let hasHead = Gate()
            let stream = ConformanceRequest(server, "/stall_body").startStream()
            let task = Task {
                for try await _ in stream { hasHead.open() }
            }
            try await hasHead.pass()
            task.cancel()
            await #expect(throws: (any Error).self) { try await task.value }
        },
        "testEcho1MBBody": { server in
            let text = String(repeating: "A", count: 1_000_000)
            let body = RequestBody.stream(BodyStream(AsyncPieces([text]), count: 1_000_000))
            try await expect("/echo", 200, text, server, method: .post, body: body)
        },
        "testUnderRead": { server in
            for try await piece in ConformanceRequest(server, "/1mb_body").startStream() {
                #expect(piece.first == UInt8(ascii: "A"))
                break
            }
        },
        "testDripRead": { server in
            var count = 0
            for try await piece in ConformanceRequest(server, "/1mb_body").startStream() {
                #expect(piece.allSatisfy { $0 == UInt8(ascii: "A") })
                count += piece.count
            }
            #expect(count == 1_000_000)
        },
        "testClientSendsEmptyHeaderValue": { server in
            let received = try await received(server, method: .post, headers: ["X-Test": ""])
            #expect(received.headers["X-Test"] == [""])
        },
        "testInfiniteRedirect": { try await expectError("/redirect_ping", $0) },
        "testHeadWithContentLength": { try await expect("/head_with_cl", 200, "", $0, method: .head) },
        "testServerSendsMultiValueHeader": { server in
            let headers = try await response("/header_multivalue", server).headers
            #expect(headers[values: "X-Test"] == ["one", "two"])
        },
        "testClientSendsMultiValueHeader": { server in
            let received = try await received(
                server, headers: HeaderFields([.init("X-Test", "one"), .init("X-Test", "two")]))
            #expect(received.headers["X-Test"]?.joined(separator: ", ") == "one, two")
        },
        "testBasicCookieSetAndUse": { server in
            let jar = CookieJar()
            let cookie = try await response("/cookie", server, through: [jar]).headers["Set-Cookie"]
            let received = try await received(server, through: [jar])
            #expect(cookie != nil && received.headers["Cookie"] == cookie.map { [$0] })
        },
        "testEchoInterleave": { try await interleave("/echo", startsReading: false, $0) },
        "testSpeakInterleave": { try await interleave("/speak", startsReading: true, $0) },
        "testEmptyChunkedBody": { server in
            let body = RequestBody.stream(BodyStream(AsyncPieces([]), count: 0))
            let received = try await received(server, method: .post, body: body)
            #expect(received.body.isEmpty)
        },
        "testURLParams": { server in
            let request = ConformanceRequest(server, "/request")
            let items = [("foo", "bar"), ("bar", "baz"), ("baz", "qux"), ("qux", ""), ("foo", "phew")]
            request.query = URLQuery(items.map { URLQueryItem(name: $0.0, value: $0.1) })
            let received = try await request.start().value.decode(ReceivedRequest.self)
            #expect(received.params == ["foo": ["bar", "phew"], "bar": ["baz"], "baz": ["qux"], "qux": [""]])
        },
        "testETag": { server in
            let cache = HTTPCache()
            for number in 0..<3 {
                for isCached in ["false", "true"] {
                    let response = try await response("/etag", server, through: [cache])
                    #expect(response.statusCode == 200)
                    #expect(response.headers["ETag"] == "\(number)")
                    #expect(response.headers["Cached"] == isCached)
                    #expect(response.data == Data("\(number)".utf8))
                }
            }
        },
        "testTrailerRead": { server in
            let response = try await response("/trailers", server)
            #expect(response.data == Data("Response body".utf8))
            #expect(response.trailers["X-Trailer-One"] == "first-value")
            #expect(response.trailers["X-Trailer-Two"] == "second-value")
            #expect(response.trailers["X-Checksum"] == "abc123")
        },
        "testTrailerWrite": { server in
            let trailers: HeaderFields = [
                "X-Request-Trailer-One": "first-trailer-value", "X-Request-Trailer-Two": "second-trailer-value",
            ]
            let stream = BodyStream(AsyncPieces(["Hello World"]), trailers: { trailers })
            let received = try await received(server, method: .post, body: .stream(stream))
            #expect(received.body == "Hello World")
            #expect(received.trailers["X-Request-Trailer-One"] == ["first-trailer-value"])
            #expect(received.trailers["X-Request-Trailer-Two"] == ["second-trailer-value"])
        },
    ]
}

// What several cases do.

private func response(
    _ path: RequestPath, _ server: ConformanceServer, method: RequestMethod = .get, headers: HeaderFields = [:],
    body: RequestBody = .empty, through interceptors: [any Interceptor] = []
) async throws -> DataResponse {
    let request = ConformanceRequest(server, path)
    request.method = method
    request.headers = headers
    request.body = body
    request.interceptors = interceptors
    return try await request.start().value
}

private func received(
    _ server: ConformanceServer, _ path: RequestPath = "/request", method: RequestMethod = .get,
    headers: HeaderFields = [:], body: RequestBody = .empty, through interceptors: [any Interceptor] = []
) async throws -> ReceivedRequest {
    try await response(path, server, method: method, headers: headers, body: body, through: interceptors)
        .decode(ReceivedRequest.self)
}

private func expect(
    _ path: RequestPath, _ statusCode: Int, _ text: String, _ server: ConformanceServer, method: RequestMethod = .get,
    body: RequestBody = .empty
) async throws {
    let response = try await response(path, server, method: method, body: body)
    #expect(response.statusCode == statusCode)
    #expect(response.data == Data(text.utf8))
    #expect(response.trailers.isEmpty)
}

private func expectError(_ path: RequestPath, _ server: ConformanceServer) async throws {
    await #expect(throws: ErrandError.self) { try await response(path, server) }
}

private func expectCoding(_ coding: String, _ server: ConformanceServer, path: String? = nil) async throws {
    let response = try await response(RequestPath(path ?? "/\(coding)"), server)
    #expect(response.headers["Content-Encoding"] == coding)
    #expect(response.data == Data("TEST\n".utf8))
}

/// Sends and receives a thousand pieces of one byte, each after the one before was received.
private func interleave(_ path: RequestPath, startsReading: Bool, _ server: ConformanceServer) async throws {
    let (pieces, next) = AsyncStream<Data>.makeStream()
    let request = ConformanceRequest(server, path)
    request.method = .post
    request.body = .stream(BodyStream(pieces))
    let piece = Data("A".utf8)
    if !startsReading { next.yield(piece) }
    var count = 0
    for try await received in request.startStream() {
        #expect(received == piece)
        count += 1
        if count < 1000 || startsReading { next.yield(piece) }
        if count == 1000 { next.finish() }
    }
    #expect(count == 1000)
}

private func pieces(_ texts: [String]) -> BodyStream { BodyStream(AsyncPieces(texts)) }

private struct AsyncPieces: AsyncSequence, Sendable {
    let pieces: [Data]

    init(_ texts: [String]) {
        pieces = texts.map { Data($0.utf8) }
    }

    func makeAsyncIterator() -> AsyncStream<Data>.AsyncIterator {
        AsyncStream { continuation in
            for piece in pieces { continuation.yield(piece) }
            continuation.finish()
        }.makeAsyncIterator()
    }
}
