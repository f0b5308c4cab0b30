#if canImport(CCurl)
import TestSupport
import Testing

import Errand

/// libcurl skips the extension of a chunk, of any length, without a report (RFC 9112, section 7.1.1).
@Suite(.hangGuard) struct `Contract: chunk extensions` {
    private static let head = "Transfer-Encoding: chunked\r\n\r\n"
    private static let filling = String(repeating: "x", count: 16_384)

    private func response(
        to script: @escaping @Sendable (RawConnection) throws -> Void, headLimit: Int = 256 << 10,
        isStreamed: Bool = false
    ) async throws -> (DataResponse, Data) {
        let server = try RawServer(serve: script)
        var configuration = CurlConfiguration()
        configuration.proxy = .none
        configuration.maximumHeadSize = headLimit
        var request = TransportRequest(URLRequest(url: server.url, timeoutInterval: .hangGuard))
        request.streamsResponse = isStreamed
        let response = try await CurlTransport(configuration).send(request)
        var body = Data()
        for try await piece in response.body { body += piece }
        return (response, body)
    }

    /// The extension is that of the first chunk, of another one, or of the last one. The end of a chunk has the same
    /// limit: libcurl accepts any number of carriage returns there.
    @Test(arguments: ["5;", "5 ; a=\"", "2\r\nok\r\n5;", "2\r\nok\r\n0;", "2\r\nok\r"], [false, true])
    func `an endless chunk extension fails the request`(_ chunks: String, _ isStreamed: Bool) async throws {
        let failure = await #expect(throws: TransportFailure.self) {
            try await response(
                to: { connection in
                    _ = connection.readHead()
                    try connection.write("HTTP/1.1 200 OK\r\n\(Self.head)\(chunks)")
                    let filling = chunks.hasSuffix("\r") ? String(repeating: "\r", count: 16_384) : Self.filling
                    while true { try connection.write(filling) }
                }, isStreamed: isStreamed)
        }
        #expect(failure?.error.code == .dataLengthExceedsMaximum)
        #expect(failure?.reason == "a chunk extension is longer than `maximumHeadSize`, 262144 bytes")
    }

    @Test func `a redirect with an endless chunk extension is followed`() async throws {
        let (response, body) = try await response { connection in
            guard connection.readHead().hasPrefix("GET / ") else {
                return try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
            try connection.write("HTTP/1.1 302 Found\r\nLocation: /to\r\n\(Self.head)5;")
            while true { try connection.write(Self.filling) }
        }
        #expect(response.url?.path == "/to")
        #expect(body == Data("ok".utf8))
    }

    /// The limit is that of one extension, and neither of all extensions nor of a chunk's data.
    @Test(arguments: [false, true])
    func `long chunk extensions below the limit are skipped`(_ isStreamed: Bool) async throws {
        let chunk = "2;x=\(String(repeating: "y", count: 150_000))\r\nok\r\n"
        let (_, body) = try await response(
            to: { connection in
                _ = connection.readHead()
                try connection.write("HTTP/1.1 200 OK\r\n\(Self.head)")
                for _ in 0..<10 { try connection.write(chunk) }
                try connection.write("0;\(Self.filling)\r\n\r\n")
            }, isStreamed: isStreamed)
        #expect(body == Data(String(repeating: "ok", count: 10).utf8))
    }

    @Test(arguments: [false, true])
    func `the limit of a chunk extension does not limit the data of a chunk`(_ isStreamed: Bool) async throws {
        let data = Data(repeating: 1, count: 3_000_000)
        let (_, body) = try await response(
            to: { connection in
                _ = connection.readHead()
                try connection.write("HTTP/1.1 200 OK\r\n\(Self.head)\(String(data.count, radix: 16))\r\n")
                try connection.write(data)
                try connection.write("\r\n0\r\n\r\n")
            }, headLimit: 1_000, isStreamed: isStreamed)
        #expect(body == data)
    }
}
#endif
