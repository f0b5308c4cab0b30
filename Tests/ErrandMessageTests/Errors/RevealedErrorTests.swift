import Errand
import Foundation
import TestSupport
import Testing

struct `A revealed error` {
    /// The error of a request that gets this response.
    private func failure(
        _ body: Data, _ headers: HeaderFields = ["Content-Type": "application/json"], statusCode: Int = 400
    ) async throws -> ErrandError {
        let request = Probe(RecordingTransport(), path: "/books")
        request.baseURL = URL(string: "https://user:planted@api.example.com")
        request.query = ["author": 7]
        request.acceptedStatusCodes = 200..<300
        request.dataTaskPipeline = request.stubResponse(statusCode: statusCode, data: body, headers: headers)
        return try #require(await expectFailure(.unacceptableStatusCode) { try await request.start().value })
    }

    @Test func `it shows the query, the header fields and the body`() async throws {
        let error = try await failure(Data("{\"message\":\n \"author must be a name\"}".utf8))
        #expect(
            error.revealed == """
                GET https://api.example.com/books?author=7: unacceptableStatusCode: the status is 400, not 200 to 299
                status 400
                Content-Type: application/json
                Content-Length: 37

                {"message":
                 "author must be a name"}
                """)
        #expect(error.url?.absoluteString == "https://api.example.com/books?author=***")
        #expect(error.description.contains("author=***: unacceptable"))
    }

    @Test(arguments: [
        (Data("\u{1B}[31mred\u{0D}x\u{202E}".utf8), "\\u{1B}[31mred\nx\\u{202E}"),
        (Data([0xFF, 0xFE, 0x00]), "(3 bytes that are not text)"), (Data([0]), "(1 bytes that are not text)"),
        (
            Data("a\(String(repeating: "é", count: 2048))".utf8),
            "a\(String(repeating: "é", count: 2047))\n(the first 4096 bytes)"
        ),
    ])
    func `a body cannot control the terminal, and is shown as far as it is text`(
        _ body: Data, _ shown: String
    ) async throws {
        let lines = try await failure(body).revealed.split(separator: "\n\n", maxSplits: 1)
        #expect(lines.last.map(String.init) == shown)
    }

    @Test func `without a body, it shows the document of a check`() async throws {
        let request = Probe(RecordingTransport(), path: "/books")
        request.dataTaskPipeline = request.stubResponse(statusCode: 204)
        let error = await expectFailure(.unacceptableStatusCode) {
            try await request.sendRequest().tryMap { response -> Int in
                throw response.failure(.unacceptableStatusCode, payload: ProblemDetails(title: "no author"))
            }.value
        }
        #expect(error?.revealed.contains("no author") == true)
    }

    @Test func `the response of a failed token request follows`() async throws {
        let cause = try await failure(Data(#"{"error": "invalid_client"}"#.utf8), statusCode: 401)
        let error = ErrandError(.tokenUnavailable, underlyingError: cause)
        #expect(error.revealed.hasSuffix("\n\ncaused by \(cause.revealed)"))
        #expect(error.revealed.contains("invalid_client"))
    }
}
