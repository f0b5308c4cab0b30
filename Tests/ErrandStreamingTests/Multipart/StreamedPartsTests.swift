import Errand
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `The streamed parts of a multipart body` {
    /// A part with a name and its content.
    private struct Read: Equatable {
        var name: String?
        var content = ""
    }

    private func read(_ pieces: [Data], boundary: String = "b") async throws -> [Read] {
        var parts: [Read] = []
        for try await part in body(pieces).streamedParts(boundary: boundary) {
            let data = try await part.collected().data
            parts.append(Read(name: part.headers["X-Name"], content: String(decoding: data, as: UTF8.self)))
        }
        return parts
    }

    private func request(_ pieces: [String], type: String = "multipart/mixed; boundary=b") -> APIBase {
        let request = APIBase()
        request.baseURL = URL(string: "https://files.example.com/?key=hunter2")
        request.dataTaskPipeline = request.stubStream(headers: ["Content-Type": type], pieces)
        return request
    }

    /// Bodies with the boundary `b`, and the contents of their parts. The parts are named 1, 2 and so on.
    static let bodies: [(text: String, contents: [String])] = [
        ("--b--", []),
        ("--b--\r\n", []),
        ("a preamble\r\n--bx\r\n --b--\r\n--b--", []),
        ("--b\r\nX-Name: 1\r\n\r\none\r\n--b--", ["one"]),
        ("\r\n--b\r\nX-Name: 1\r\n\r\none\r\n--b--\r\n--b\r\nX-Name: 2\r\n\r\ntwo\r\n--b--", ["one"]),
        // Spaces and tabs after boundaries.
        ("--b \t\r\nX-Name: 1\r\n\r\none\r\n--b\t\r\nX-Name: 2\r\n\r\ntwo\r\n--b-- \t\r\n", ["one", "two"]),
        // Empty parts: the line end of the empty line is that of the boundary, or its own.
        (
            "--b\r\nX-Name: 1\r\n\r\n--b\r\nX-Name: 2\r\n\r\n\r\n--b\r\nX-Name: 3\r\n\r\n\r\n\r\n--b--",
            ["", "", "\r\n"]
        ),
        // The boundary within a line, longer lines, and parts of the delimiter.
        (
            "--b\r\nX-Name: 1\r\n\r\n--bx\r\nx--b\r\n--\r\n-\r\n\r--b\n--b\r\n--b--",
            ["--bx\r\nx--b\r\n--\r\n-\r\n\r--b\n--b"]
        ),
        ("--b\r\nX-Name: 1\r\n\r\n\r\r\r\n\r\n--b--", ["\r\r\r\n"]),
        // A folded header field.
        ("--b\r\nX-Name: 1\r\nX-Folded: a\r\n b\r\n\r\none\r\n--b--", ["one"]),
    ]

    @Test(arguments: bodies)
    func `streamed parts do not depend on where the bytes are split`(
        _ text: String, _ contents: [String]
    ) async throws {
        let expected = contents.enumerated().map { Read(name: "\($0.offset + 1)", content: $0.element) }
        let bytes = Array(text.utf8)
        for split in bytes.indices {
            let pieces = [Data(bytes[..<split]), Data(bytes[split...])].filter { !$0.isEmpty }
            #expect(try await read(pieces) == expected, "\(split)")
        }
        #expect(try await read(bytes.map { Data([$0]) }) == expected)
    }

    @Test(arguments: bodies)
    func `a body that is cut before its last boundary fails, wherever it is cut`(
        _ text: String, _ contents: [String]
    ) async throws {
        let bytes = Array(text.utf8)
        let boundary = Data((contents.isEmpty ? "--b--" : "\r\n--b--").utf8)
        let last = try #require(Data(bytes).range(of: boundary, options: contents.isEmpty ? .backwards : []))
        for cut in 0..<last.upperBound {
            let error = await expectFailure(.decodingFailed) { try await read([Data(bytes[..<cut])]) }
            #expect(error?.reason == "the multipart body ends before its last boundary", "\(cut)")
        }
    }

    @Test func `the content of a part is read as it arrives`() async throws {
        let (pieces, source) = AsyncStream<Data>.makeStream()
        let request = APIBase()
        request.baseURL = URL(string: "https://files.example.com")
        request.dataTaskPipeline = request.stubStream(
            headers: ["Content-Type": "multipart/related; boundary=a-long-boundary"], pieces)
        func send(_ text: String) { source.yield(Data(text.utf8)) }
        var parts = request.sendStream().streamedParts().makeAsyncIterator()
        send("--a-long-boundary\r\nContent-Type: text/csv\r\n\r\n")
        let part = try #require(try await parts.next())
        #expect(part.headers.contentType == .csv)
        var content = part.body.makeAsyncIterator()
        // Nothing that cannot belong to the boundary is kept back.
        send("1,2\n")
        #expect(try await content.next() == Data("1,2\n".utf8))
        send("3,4\r\n--a")
        #expect(try await content.next() == Data("3,4".utf8))
        send("-short\r\n--a-long-boundary\r\n")
        #expect(try await content.next() == Data("\r\n--a-short".utf8))
        #expect(try await content.next() == nil)
        send("\r\nlast\r\n--a-long-boundary--")
        source.finish()
        #expect(try await parts.next()?.collected().data == Data("last".utf8))
        #expect(try await parts.next() == nil)
        #expect(try await parts.next() == nil)
        #expect(try await content.next() == nil)
    }

    @Test func `a request for the next part skips the rest of the current one`() async throws {
        let stream = request(["--b\r\n\r\none", " and more\r\n--b\r\n\r\ntwo\r\n--b\r\n\r\nthree\r\n--b--"])
        var parts = stream.sendStream().streamedParts().makeAsyncIterator()
        let first = try #require(try await parts.next())
        var content = first.body.makeAsyncIterator()
        #expect(try await content.next() == Data("one".utf8))
        _ = try await parts.next()
        let error = await expectFailure(.decodingFailed) { try await first.collected() }
        #expect(error?.reason == "the next part was requested before the end of this one")
        #expect(try await parts.next()?.collected().data == Data("three".utf8))
    }

    @Test func `a part can be read after the loop over the parts was left`() async throws {
        let stream = request(["--b\r\n\r\none\r\n--b\r\n\r\ntw", "o\r\n--b\r\n\r\nthree\r\n--b--"])
        var kept: StreamedPart?
        for try await part in stream.sendStream().streamedParts().dropFirst() {
            kept = part
            break
        }
        #expect(try await kept?.collected().data == Data("two".utf8))
    }

    @Test func `two tasks cannot read a multipart body at the same time`() async throws {
        let gate = Gate()
        let body = ResponseBody(waitingFor: gate, after: "--b\r\n\r\none")
        var parts = body.streamedParts(boundary: "b").makeAsyncIterator()
        let part = try #require(try await parts.next())
        let waiting = Task { try await part.collected() }
        try await gate.waitForArrivals(1)
        let error = await expectFailure(.decodingFailed) { try await part.collected() }
        #expect(error?.reason == "two tasks read a multipart body at the same time")
        gate.open()
        await expectFailure(.decodingFailed) { try await waiting.value }
    }

    @Test func `header fields and collected contents have a maximum size`() async throws {
        let field = Data(("--b\r\nX: " + String(repeating: "x", count: 70_000)).utf8)
        await expectFailure(.elementTooLarge) { try await read([field, Data("\r\n\r\n1\r\n--b--".utf8)]) }
        let pieces = ["--b\r\n\r\n1234", "5678\r\n--b--"].map { Data($0.utf8) }
        for (size, isEnough) in [(8, true), (7, false), (-1, false)] {
            var parts = body(pieces).streamedParts(boundary: "b").makeAsyncIterator()
            let part = try #require(try await parts.next())
            if isEnough {
                #expect(try await part.collected(upTo: size).data.count == 8)
            } else {
                await expectFailure(.elementTooLarge) { try await part.collected(upTo: size) }
            }
        }
        // A streamed content has no maximum.
        let endless = body([Data("--b\r\n\r\n".utf8)] + Array(repeating: Data(count: 1 << 20), count: 40))
        var parts = endless.streamedParts(boundary: "b").makeAsyncIterator()
        var content = try #require(try await parts.next()).body.makeAsyncIterator()
        var count = 0
        while count < 40 << 20, let piece = try await content.next() { count += piece.count }
        #expect(count == 40 << 20)
    }

    @Test func `streamed parts of another type or without a boundary are rejected`() async throws {
        for (type, code) in [
            ("text/plain; boundary=b", ErrandError.Code.unacceptableContentType), ("multipart/mixed", .decodingFailed),
        ] {
            var parts = request(["--b--"], type: type).sendStream().streamedParts().makeAsyncIterator()
            await expectFailure(code) { try await parts.next(isolation: #isolation) }
        }
    }

    @Test func `a streamed part shows neither its header values nor its content`() {
        let part = StreamedPart(headers: ["X-Key": "hunter2"], body: ResponseBody(Data("hunter2".utf8)))
        #expect("\(part)".contains("X-Key"))
        #expect(!String(reflecting: part).contains("hunter2"))
    }
}

extension ResponseBody {
    /// Creates a body that ends after its first piece, but not before a gate is open.
    init(waitingFor gate: Gate, after text: String) {
        let start = Locked(Data(text.utf8))
        self.init {
            let piece = start.withLock { start in
                defer { start = Data() }
                return start
            }
            if piece.isEmpty { try await gate.pass() }
            return piece.isEmpty ? nil : piece
        }
    }
}
