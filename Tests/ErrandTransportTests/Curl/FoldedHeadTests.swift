#if canImport(CCurl)
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@testable import Errand

/// Heads with folded lines (RFC 9112, section 5.2), as they arrive through libcurl.
@Suite(.hangGuard) struct `A folded head` {
    private let server: MockServer
    private let transport = TransportUnderTest.curl.make()

    init() throws {
        server = try MockServer()
    }

    private func response(
        _ fields: String, status: String = "200 OK", body: Data = Data("01234567".utf8)
    ) async throws -> DataResponse {
        server.onAny { request in
            request.path == "/b" ? .text("there") : .raw(Data("HTTP/1.1 \(status)\r\n\(fields)\r\n".utf8) + body)
        }
        let url = server.url.appendingPathComponent("a")
        return try await transport.send(TransportRequest(URLRequest(url: url, timeoutInterval: .hangGuard)))
    }

    @Test(
        arguments: ["302 Found", "308 Permanent Redirect"],
        ["\r\n /b", " /b\r\n ", "\r\n\t\r\n /b", " \r\n\t/b \r\n\t"])
    func `a folded Location leads to its URL`(_ status: String, _ value: String) async throws {
        let response = try await response("Location:\(value)\r\nContent-Length: 0\r\n", status: status)
        #expect(response.data == Data("there".utf8))
        #expect(server.requests.map(\.target) == ["/a", "/b"])
    }

    @Test func `values of a folded head have no line ends`() async throws {
        let response = try await response(
            "ETag:\r\n \"abc\"\r\nX-A: one\r\n \r\nX-B: two\r\nX-C: a\r\n\tb\r\nContent-Length: 8\r\n \r\n")
        #expect(response.headers["ETag"] == "\"abc\"")
        #expect(response.headers["X-A"] == "one")
        #expect(response.headers["X-B"] == "two")
        #expect(response.headers["X-C"] == "a b")
        #expect(response.headers["Content-Length"] == "8")
        #expect(response.data == Data("01234567".utf8))
    }

    /// Since 8.18, libcurl unfolds fields before it reads them.
    private static let libcurlUnfolds =
        CurlLibrary.current.name.compare("8.18", options: .numeric) != .orderedAscending

    /// The chunks must not be delivered as the body.
    @Test(arguments: [
        "Transfer-Encoding:\r\n chunked\r\n", "transfer-encoding: \r\n\tchunked\r\n",
        "Transfer-Encoding: \r\n \r\n Chunked\r\n", "Content-Length:\r\n 8\r\n",
        "content-length: \r\n\t8\r\n",
    ])
    func `a folded field that libcurl reads in part fails the request`(_ field: String) async throws {
        let isChunked = field.lowercased().contains("chunked")
        let body = Data((isChunked ? "8\r\n01234567\r\n0\r\n\r\n" : "01234567").utf8)
        guard !Self.libcurlUnfolds else {
            #expect(try await response(field, body: body).data == Data("01234567".utf8))
            return
        }
        let failure = await #expect(throws: TransportFailure.self) { try await response(field, body: body) }
        #expect(failure?.error.code == .cannotParseResponse)
    }

    @Test func `chunks whose field has a space before its colon fail the request`() async throws {
        let failure = await #expect(throws: TransportFailure.self) {
            try await response("Transfer-Encoding : chunked\r\n", body: Data("2\r\nok\r\n0\r\n\r\n".utf8))
        }
        #expect(failure?.error.code == .cannotParseResponse)
    }

    @Test func `chunks whose field is folded after its value are joined`() async throws {
        let response = try await response(
            "Transfer-Encoding: chunked\r\n \r\n", body: Data("2\r\nok\r\n0\r\n\r\n".utf8))
        #expect(response.data == Data("ok".utf8))
    }

    @Test func `a folded content coding is undone`() async throws {
        let response = try await response("Content-Encoding: identity,\r\n gzip\r\n", body: CodedText.gzip)
        #expect(response.data == CodedText.plain)
    }
}
#endif
