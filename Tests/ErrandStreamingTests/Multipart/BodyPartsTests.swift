import Errand
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `The parts of a multipart body` {
    private static let document = """
        a preamble\r
        --b\r
        Content-Type: text/plain\r
        Content-Range: bytes 0-1/9\r
        \r
        01\r
        --b \t\r
        \r
        --bx\r
        --\r
        \r
        --b\r
        X-Empty: 1\r
        \r
        --b\r
        \r
        \r
        --b--\r
        --b\r
        an epilogue
        """

    private static let contents = ["01", "--bx\r\n--\r\n", "", ""]

    private func parts(
        _ pieces: [String], boundary: String = "b", maximumSize: Int = 1 << 20
    ) async throws -> [BodyPart] {
        let body = body(pieces.map { Data($0.utf8) })
        return try await body.parts(boundary: boundary, maximumSize: maximumSize).reduce(into: []) { $0.append($1) }
    }

    private func response(
        _ text: String = document, type: String = "multipart/byteranges; boundary=b"
    ) -> DataResponse {
        DataResponse(statusCode: 206, headers: ["Content-Type": type], data: Data(text.utf8))
    }

    @Test func `the parts of a body do not depend on where the bytes are split`() async throws {
        let bytes = Array(Self.document.utf8)
        for split in bytes.indices {
            let pieces = [Data(bytes[..<split]), Data(bytes[split...])].filter { !$0.isEmpty }
            let parts = try await body(pieces).parts(boundary: "b").reduce(into: []) { $0.append($1) }
            #expect(parts.map { String(decoding: $0.data, as: UTF8.self) } == Self.contents, "\(split)")
            #expect(parts.first?.headers.contentRange?.bytes == 0...1)
            #expect(parts.last?.headers.isEmpty == true)
        }
        let single = try await body(bytes.map { Data([$0]) }).parts(boundary: "b").reduce(into: []) { $0.append($1) }
        #expect(single.map { String(decoding: $0.data, as: UTF8.self) } == Self.contents)
    }

    /// Lines that begin like a boundary or like the last one, and have more than spaces and tabs after it.
    static let linesOfContent = [
        "--b--x", "--bx", "--b x", "--b-", "--b- -", "--b-- x", "--b--\t-", "--b---", "--b -- ", "--b--\r", "--b\r",
        "--b\rx", "--b--\rx", "--b\n", "--b--\n", " --b", "--B--", "-b--", "--b" + String(repeating: " ", count: 1100),
    ]

    @Test(arguments: linesOfContent)
    func `a line with more than blanks after the boundary is content, wherever it is split`(
        _ line: String
    ) async throws {
        let bytes = Array("--b\r\n\r\none\r\n\(line)\r\ntwo\r\n--b--\r\n".utf8)
        let expected = [Data("one\r\n\(line)\r\ntwo".utf8)]
        for split in bytes.indices {
            let pieces = [Data(bytes[..<split]), Data(bytes[split...])].filter { !$0.isEmpty }
            let parts = try await body(pieces).parts(boundary: "b").reduce(into: []) { $0.append($1) }
            #expect(parts.map(\.data) == expected, "\(split)")
        }
        let single = try await body(bytes.map { Data([$0]) }).parts(boundary: "b").reduce(into: []) { $0.append($1) }
        #expect(single.map(\.data) == expected)
        #expect(try response(String(decoding: bytes, as: UTF8.self)).decodeParts().map(\.data) == expected)
    }

    @Test(arguments: [
        "--b--", "--b-- ", "--b--\t \t", "--b--\r", "--b--\r\n", "--b-- \t\r\n", "--b--\r\nan epilogue--b\r\n",
    ])
    func `blanks may follow the last boundary, and the body may end there`(_ end: String) async throws {
        let bytes = Array("--b\r\n\r\none\r\n--b \t\r\n\r\ntwo\r\n\(end)".utf8)
        for split in bytes.indices {
            let pieces = [Data(bytes[..<split]), Data(bytes[split...])].filter { !$0.isEmpty }
            let parts = try await body(pieces).parts(boundary: "b").reduce(into: []) { $0.append($1) }
            #expect(parts.map(\.data) == [Data("one".utf8), Data("two".utf8)], "\(split)")
        }
        let parts = try response(String(decoding: bytes, as: UTF8.self)).decodeParts()
        #expect(parts.map(\.data) == [Data("one".utf8), Data("two".utf8)])
    }

    @Test func `a multipart body whose lines end with LF alone fails`() async throws {
        #expect { try response("--b\n\none\n--b--\n").decodeParts() } throws: { ErrandError.Code.decodingFailed ~= $0 }
    }

    @Test func `the parts of a response in memory are decoded with the boundary of its type`() throws {
        let parts = try response().decodeParts()
        #expect(parts.map { String(decoding: $0.data, as: UTF8.self) } == Self.contents)
        #expect(parts[0].headers.contentType == .plainText)
        #expect(parts[2].headers["X-Empty"] == "1")
        let quoted = response("--a b\r\n\r\nx\r\n--a b--", type: "multipart/mixed; boundary=\"a b\"")
        #expect(try quoted.decodeParts().map(\.data) == [Data("x".utf8)])
    }

    @Test func `each part of a stream is available as soon as it is complete`() async throws {
        let (pieces, source) = AsyncStream<Data>.makeStream()
        let request = APIBase()
        request.baseURL = URL(string: "https://cameras.example.com/?key=hunter2")
        request.dataTaskPipeline = request.stubStream(
            headers: ["Content-Type": "multipart/x-mixed-replace; boundary=frame"], pieces)
        var parts = request.sendStream().parts().makeAsyncIterator()
        source.yield(Data("--frame\r\nContent-Type: image/jpeg\r\n\r\none\r\n--frame\r\n".utf8))
        let first = try await parts.next()
        #expect(first?.data == Data("one".utf8))
        #expect(first?.headers.contentType == .jpeg)
        source.yield(Data("\r\ntwo\r\n--frame--".utf8))
        source.finish()
        #expect(try await parts.next()?.data == Data("two".utf8))
        #expect(try await parts.next() == nil)
        #expect(try await parts.next() == nil)
    }

    @Test func `a multipart body that ends too early fails after its complete parts`() async throws {
        let request = APIBase()
        request.baseURL = URL(string: "https://files.example.com/?key=hunter2")
        request.dataTaskPipeline = request.stubStream(
            headers: ["Content-Type": "multipart/mixed; boundary=b"], ["--b\r\n\r\none\r\n--b\r\n\r\ntw"])
        var parts = request.sendStream().parts().makeAsyncIterator()
        #expect(try await parts.next()?.data == Data("one".utf8))
        let error = await expectFailure(.decodingFailed) { try await parts.next(isolation: #isolation) }
        #expect(error?.reason == "the multipart body ends before its last boundary")
        #expect(error?.statusCode == 200)
        #expect(error?.url?.absoluteString == "https://files.example.com/?key=***")
        #expect(try await parts.next() == nil)
        #expect { try response("").decodeParts() } throws: { ErrandError.Code.decodingFailed ~= $0 }
    }

    @Test func `a multipart body of another type or without a boundary is rejected`() async throws {
        for text in ["", "--b--"] {
            for (type, code) in [
                ("text/plain; boundary=b", ErrandError.Code.unacceptableContentType), ("", .unacceptableContentType),
                ("multipart/mixed", .decodingFailed), ("multipart/mixed; boundary=\"\"", .decodingFailed),
            ] {
                #expect { try response(text, type: type).decodeParts() } throws: { code ~= $0 }
                let request = APIBase()
                request.baseURL = URL(string: "https://files.example.com")
                request.dataTaskPipeline = request.stubStream(headers: ["Content-Type": type], [text])
                var parts = request.sendStream().parts().makeAsyncIterator()
                await expectFailure(code) { try await parts.next(isolation: #isolation) }
            }
        }
    }

    @Test func `a part can have at most the maximum number of bytes`() async throws {
        let exact = try await parts(["--b\r\n\r\n12345678\r\n--b--"], maximumSize: 8)
        #expect(exact.map(\.data.count) == [8])
        await expectFailure(.elementTooLarge) { try await parts(["--b\r\n\r\n123456789\r\n--b--"], maximumSize: 8) }
        // A part without an end fails, too, and no more than the maximum is stored.
        let endless = body(["--b\r\n\r\n"].map { Data($0.utf8) } + Array(repeating: Data(count: 1000), count: 10))
        var iterator = endless.parts(boundary: "b", maximumSize: 5000).makeAsyncIterator()
        await expectFailure(.elementTooLarge) { try await iterator.next(isolation: #isolation) }
        await expectFailure(.elementTooLarge) {
            try await parts(["--b\r\nX: ", String(repeating: "x", count: 70_000), "\r\n\r\n1\r\n--b--"])
        }
    }

    @Test func `a multipart body can have a preamble of any length`() async throws {
        let preamble = Array(repeating: String(repeating: "x", count: 10_000), count: 20)
        let parts = try await parts(preamble + ["\r\n--b\r\n\r\n1\r\n--b--"], maximumSize: 8)
        #expect(parts.map(\.data) == [Data("1".utf8)])
        #expect(try await self.parts(["--b--"]).isEmpty)
    }

    @Test func `decodeParts is an operator of a pipeline`() async throws {
        let request = APIBase()
        request.baseURL = URL(string: "https://files.example.com")
        request.dataTaskPipeline = request.stubResponse(
            statusCode: 206, data: Data(Self.document.utf8),
            headers: ["Content-Type": "multipart/byteranges; boundary=b"])
        #expect(try await request.sendRequest().decodeParts().value.count == 4)
    }
}
