import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport

/// The servers of HTTPClientConformance: one that speaks HTTP, and one that sends given bytes.
struct ConformanceServer: Sendable {
    /// Whether a request for `/stall` has arrived.
    var hasStalled: Bool { stalled.withLock(\.self) }
    private let stalled: Locked<Bool>
    private let http: MockServer
    private let raw: RawServer

    init() throws {
        http = try MockServer()
        let stalled = Locked(false)
        self.stalled = stalled
        raw = try RawServer { connection in try Self.serve(connection) { stalled.withLock { $0 = true } } }
        route()
    }

    /// The server that has a path.
    func url(_ path: RequestPath) -> URL {
        let isRaw =
            Self.rawResponses["\(path)"] != nil || ["/echo", "/speak", "/stall", "/stall_body"].contains("\(path)")
        return isRaw ? raw.url : http.url
    }

    private func route() {
        http.on(.get, "/request") { try .json(encodable: ReceivedRequest($0)) }
        http.on(.post, "/request") { try .json(encodable: ReceivedRequest($0)) }
        http.on(.head, "/head_with_cl") { _ in .status(200).with(header: "Content-Length", "1000") }
        for method in [RequestMethod.head, .get, .put, .post, .delete] { http.on(method, "/200") { _ in .status(200) } }
        for (path, coding, bytes) in Self.codings {
            http.on(.get, path) { request in
                guard request.headers["Accept-Encoding"]?.contains(coding) == true else { return .text("TEST\n") }
                return .data(Data(bytes), contentType: "text/plain").with(header: "Content-Encoding", coding)
            }
        }
        http.on(.get, "/header_multivalue") { _ in
            .status(200).with(header: "X-Test", "one").with(header: "X-Test", "two")
        }
        http.on(.get, "/identity") { _ in .text("TEST\n") }
        let redirects = [
            ("/redirect_ping", 301, "/redirect_pong"), ("/redirect_pong", 301, "/redirect_ping"),
            ("/301", 301, "/request"), ("/308", 308, "/request"),
        ]
        for (path, status, target) in redirects {
            http.on(.get, path) { _ in .status(status).with(header: "Location", target) }
        }
        for status in [404, 999] { http.on(.get, "/\(status)") { _ in .status(status) } }
        http.on(.get, "/1mb_body") { _ in .text(String(repeating: "A", count: 1_000_000)) }
        http.on(.get, "/cookie") { _ in .status(200).with(header: "Set-Cookie", "foo=\(UUID().uuidString)") }
        let tag = Locked(0)
        http.on(.get, "/etag") { request in
            let (current, isCached) = tag.withLock { tag in
                let isCurrent = request.headers["If-None-Match"] == "\(tag)"
                defer { tag += isCurrent ? 1 : 0 }
                return (tag, isCurrent)
            }
            return (isCached ? MockResponse.status(304) : .text("\(current)"))
                .with(header: "ETag", "\(current)").with(header: "Cached", "\(isCached)")
        }
        http.on(.get, "/trailers") { _ in
            .chunked(
                [Data("Response body".utf8)],
                trailers: ["X-Trailer-One": "first-value", "X-Trailer-Two": "second-value", "X-Checksum": "abc123"])
        }
    }

    /// `TEST` and a line end in each coding.
    private static let codings: [(path: String, coding: String, bytes: [UInt8])] = [
        (
            "/gzip", "gzip",
            [
                0x1f, 0x8b, 0x08, 0x00, 0xfd, 0xd6, 0x77, 0x69, 0x04, 0x03, 0x0b, 0x71, 0x0d, 0x0e, 0xe1, 0x02, 0x00,
                0xbe, 0xd7, 0x83, 0xf7, 0x05, 0x00, 0x00, 0x00,
            ]
        ),
        ("/deflate", "deflate", [0x78, 0x9c, 0x0b, 0x71, 0x0d, 0x0e, 0xe1, 0x02, 0x00, 0x04, 0x68, 0x01, 0x4b]),
        ("/brotli", "br", [0x0f, 0x02, 0x80, 0x54, 0x45, 0x53, 0x54, 0x0a, 0x03]),
    ]

    private static let rawResponses = [
        "/not_http": "FOOBAR",
        "/http_case": "Http/1.1 200 OK\r\nConnection: close\r\n\r\n",
        "/no_reason": "HTTP/1.1 200\r\nConnection: close\r\n\r\n",
        "/204_with_cl": "HTTP/1.1 204 No Content\r\nContent-Length: 1000\r\nConnection: close\r\n\r\n",
        "/304_with_cl": "HTTP/1.1 304 Not Modified\r\nContent-Length: 1000\r\nConnection: close\r\n\r\n",
        "/incomplete_body": "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nConnection: close\r\n\r\n1234",
        "/no_length_hint": "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n1234",
        "/conflicting_cl": "HTTP/1.1 200 OK\r\nContent-Length: 10, 4\r\nConnection: close\r\n\r\n1234",
    ]

    private static func serve(_ connection: RawConnection, onStall: () -> Void) throws {
        let head = connection.readHead()
        let path = head.split(separator: " ").dropFirst().first.map(String.init) ?? ""
        if let bytes = rawResponses[path] { return try connection.write(bytes) }
        if let length = head.firstMatch(of: /(?i)content-length: (\d+)/).flatMap({ Int($0.1) }) {
            var body = Data()
            while body.count < length, case let piece = connection.read(), !piece.isEmpty { body += piece }
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n")
            return try connection.write(body)
        }
        if path == "/stall" {
            onStall()
            return connection.readToEnd()
        }
        try connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n")
        if path == "/stall_body" {
            try connection.write("3e8\r\n\(String(repeating: "A", count: 1000))\r\n")
            return connection.readToEnd()
        }
        if path == "/echo" { return try echo(connection) }
        for _ in 0..<1000 {
            try connection.write("1\r\nA\r\n")
            var received = Data()
            while !received.contains(UInt8(ascii: "A")), case let piece = connection.read(), !piece.isEmpty {
                received += piece
            }
        }
        try connection.write("0\r\n\r\n")
        connection.readToEnd()
    }

    /// Sends the chunks of the request back as they arrive.
    private static func echo(_ connection: RawConnection) throws {
        var received = Data()
        while !received.suffix(5).elementsEqual("0\r\n\r\n".utf8), case let piece = connection.read(), !piece.isEmpty {
            received = Data(received.suffix(8)) + piece
            try connection.write(piece)
        }
    }
}

/// What the server received, as it describes it.
struct ReceivedRequest: Codable {
    var params: [String: [String]] = [:]
    var headers: [String: [String]] = [:]
    var body = ""
    var method = ""
    var trailers: [String: [String]] = [:]
}

extension ReceivedRequest {
    init(_ request: MockRequest) {
        for item in request.queryItems { params[item.name, default: []].append(item.value ?? "") }
        for field in request.headers { headers[field.name, default: []].append(field.value) }
        for field in request.trailers { trailers[field.name, default: []].append(field.value) }
        body = request.text
        method = request.method.rawValue
    }
}

/// A request to the servers.
final class ConformanceRequest: APIBase, Request, StreamingRequest {
    init(_ server: ConformanceServer, _ path: RequestPath) {
        super.init()
        baseURL = server.url(path)
        self.path = path
        timeoutInterval = .hangGuard
    }

    func start() -> Pipeline<DataResponse, any Error> { sendRequest() }

    func startStream() -> ResponseStream { sendStream() }
}
