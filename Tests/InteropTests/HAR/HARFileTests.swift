import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

/// The folder of the files.
private let folder = ProcessInfo.processInfo.environment["ERRAND_HAR_FOLDER"].map { URL(fileURLWithPath: $0) }

/// Writes a HAR file of real requests, and the facts that other programs must read from it. `.ci/deep-steps/har`
/// compares them with a schema of the format and with what a browser shows.
@Suite(.enabled(if: folder != nil), .hangGuard) struct `The HAR file for other programs` {
    /// A request as it was sent and its response as the caller received it. The bodies are in Base64.
    private struct Exchange: Encodable, Sendable {
        var method: String
        var url: String
        /// The status code; 0 for a failure.
        var status: Int
        var sent: String
        var received: String
    }

    private static let latin = Data([0x63, 0x61, 0x66, 0xE9])
    private static let binary = Data((0...255).map { UInt8($0) })
    private static let text = "Malafrena, “Orsinia”, 🜨\n"

    private let server: MockServer
    private let recorder: HARRecorder

    init() throws {
        server = try MockServer()
        server.on(.get, "/books") { _ in .json(#"[{"id": 1, "title": "Malafrena"}]"#) }
        server.on(.post, "/books") { request in .data(request.body, contentType: "application/json", statusCode: 201) }
        server.on(.post, "/search") { request in .data(request.body, contentType: "text/plain") }
        server.on(.put, "/cover") { request in .data(request.body, contentType: "image/png") }
        server.on(.delete, "/books") { _ in .status(204) }
        server.on(.get, "/text") { _ in .text(Self.text) }
        server.on(.get, "/latin") { _ in .data(Self.latin, contentType: "text/plain; charset=iso-8859-1") }
        server.on(.get, "/gzip") { _ in
            .data(CodedText.gzip, contentType: "text/plain").with(header: "Content-Encoding", "gzip")
        }
        server.on(.get, "/stream") { _ in .chunked((0..<100).map { Data("line \($0)\n".utf8) }) }
        server.on(.get, "/old") { _ in .status(302).with(header: "Location", "/text") }
        server.on(.get, "/missing") { _ in .json(#"{"message": "no such book"}"#, statusCode: 404) }
        server.on(.get, "/lost") { _ in .status(200).with(fault: .closeBeforeHead) }
        var redaction = Cassette.Redaction()
        redaction.keptTypes = ["*/*"]
        recorder = HARRecorder(hosts: ["127.0.0.1"], bodies: true, redacting: redaction)
    }

    @Test func `the file and the facts of real requests are written`() async throws {
        let folder = try #require(folder)
        var exchanges = [
            try await send(.get, "/books?author=Le%20Guin&page=1"),
            try await send(.post, "/books", Data(#"{"title": "Malafrena"}"#.utf8), "application/json"),
            try await send(.post, "/search", Data("author=Le+Guin&q=a%26b".utf8), "application/x-www-form-urlencoded"),
            try await send(.put, "/cover", Self.binary, "image/png"), try await send(.delete, "/books"),
            try await send(.get, "/text"), try await send(.get, "/latin"), try await send(.get, "/gzip"),
            try await send(.get, "/stream"), try await send(.get, "/old"),
            try await send(.get, "/missing"), try await send(.get, "/lost"),
        ]
        #expect(exchanges.map(\.status) == [200, 201, 200, 200, 204, 200, 200, 200, 200, 200, 404, 0])
        #expect(exchanges[7].received == CodedText.plain.base64EncodedString())
        // The value of a secret is not in the file.
        var secret = try await send(.get, "/books?token=planted", authorization: "Bearer planted")
        secret.url = secret.url.replacingOccurrences(of: "planted", with: "***")
        exchanges.append(secret)
        try recorder.write(to: folder.appendingPathComponent("exchanges.har"))
        try FastJSONEncoder().encode(exchanges).write(to: folder.appendingPathComponent("exchanges.json"))
    }

    private func send(
        _ method: RequestMethod, _ path: String, _ body: Data? = nil, _ type: ContentType? = nil,
        authorization: String? = nil
    ) async throws -> Exchange {
        let request = Sent()
        request.session = CurlTransport.direct()
        request.interceptors = [recorder]
        request.acceptedStatusCodes = 200..<500
        request.method = method
        request.url = try URL.of(server.url.absoluteString + path)
        request.headers["Authorization"] = authorization
        if let body { request.body = .data(body, type: type) }
        var exchange = Exchange(
            method: method.rawValue, url: server.url.absoluteString + path, status: 0,
            sent: (body ?? Data()).base64EncodedString(), received: "")
        if path == "/lost" {
            await expectFailure(.transportFailed) { try await request.start().value }
        } else if path == "/stream" {
            var received = Data()
            for try await piece in request.startStream() { received += piece }
            exchange.status = 200
            exchange.received = received.base64EncodedString()
        } else {
            let response = try await request.start().value
            exchange.status = response.statusCode
            exchange.received = response.data.base64EncodedString()
        }
        return exchange
    }
}

private final class Sent: APIBase, Request, StreamingRequest {
    func start() -> Pipeline<DataResponse, any Error> { sendRequest() }

    func startStream() -> ResponseStream { sendStream() }
}
