import Errand
import Testing

@testable import ErrandMockServer
@testable import ErrandTesting

struct `Response writer` {
    /// The steps as text: what is sent, and the names of the others.
    private func plan(_ response: MockResponse, to request: String = Wire.request("GET", "/")) throws -> [String] {
        ResponseWriter.steps(for: response, to: try Wire.parsed(request)).map { step in
            switch step {
            case .send(let data): String(decoding: data, as: UTF8.self)
            case .pause: "pause"
            case .stream(_, let isFramed): isFramed ? "stream in chunks" : "stream"
            case .stall: "stall"
            case .close: "close"
            case .reset: "reset"
            case .linger: "linger"
            case .upgrade: "upgrade"
            }
        }
    }

    @Test func `a body of known size is sent at once and keeps the connection open`() throws {
        #expect(try plan(.text("hello")) == [Wire.response(text: "hello")])
        #expect(try plan(.status(404)) == [Wire.response("404 Not Found", "Content-Length: 0")])
    }

    @Test func `added header fields do not replace those with the same name`() {
        let response = MockResponse.status(202).with(header: "X-Tag", "one")
            .with(headers: [.location: "/jobs/7", "x-tag": "two"])
        #expect(response.statusCode == 202)
        #expect(response.headers[.location] == "/jobs/7")
        #expect(response.headers[values: "X-Tag"] == ["one", "two"])
    }

    static let lineBreaks: [(MockResponse, String)] = ["\r\n", "\n", "\r"].flatMap { end in
        [
            (.status(200).with(header: "X-A", "1\(end)X-B: 2"), "a line break in the header field \"X-A\""),
            (
                .status(200).with(header: "X-A: 1\(end)X-B", "2"),
                "a line break in the name of the header field \"X-A: 1\(end == "\n" ? "\\n" : end == "\r" ? "\\r" : "\\r\\n")X-B\""
            ),
            (.status(200).with(reason: "OK\(end)X-B: 2"), "a line break in the reason phrase"),
            (
                .chunked([Data("a".utf8)], trailers: ["X-A": "1\(end)X-B: 2"]),
                "a line break in the header field \"X-A\" of the trailer"
            ),
        ]
    }

    @Test(arguments: lineBreaks.indices)
    func `a response with a line break in its head or its trailer is refused`(_ index: Int) throws {
        let (response, found) = Self.lineBreaks[index]
        let text = "The MockResponse has \(found): use MockResponse.raw to send it\n"
        let refusal = ResponseWriter.steps(
            for: .text(text, statusCode: 500), to: try Wire.parsed(Wire.request("GET", "/")))
        guard case .send(let expected)? = refusal.first else { throw ErrandError(.cancelled) }
        #expect(try plan(response) == [String(decoding: expected, as: UTF8.self)])
        #expect(!String(decoding: expected, as: UTF8.self).contains("\nX-B"))
    }

    @Test func `chunks are framed, empty chunks are skipped, and trailers follow the last`() throws {
        let response = MockResponse.chunked(
            [Data("0123456789abcdef".utf8), Data(), Data("z".utf8)], trailers: ["X-Sum": "1"])
        let body = "10\r\n0123456789abcdef\r\n1\r\nz\r\n0\r\nX-Sum: 1\r\n\r\n"
        #expect(try plan(response) == [Wire.response("200 OK", "Transfer-Encoding: chunked", body: body)])
    }

    @Test func `a streamed body follows its head, chunked if the client supports it`() throws {
        let head = Wire.response("200 OK", "Transfer-Encoding: chunked")
        #expect(try plan(.stream { nil }) == [head, "stream in chunks", "0\r\n\r\n"])
        let old = Wire.response("200 OK", "Connection: close")
        #expect(try plan(.stream { nil }, to: "GET / HTTP/1.0\r\n\r\n") == [old, "stream", "close"])
        #expect(try plan(.stream { nil }.with(fault: .stallInBody(after: 3))) == [head, "stream in chunks", "stall"])
    }

    @Test func `an HTTP 1.0 client gets the chunks joined and then a close`() throws {
        let response = MockResponse.chunked([Data("ab".utf8), Data("cd".utf8)])
        let expected = [Wire.response("200 OK", "Connection: close", body: "abcd"), "close"]
        #expect(try plan(response, to: "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n") == expected)
    }

    @Test func `a body of type untilClose closes the connection`() throws {
        let response = MockResponse(body: .untilClose(Data("all".utf8)))
        #expect(try plan(response) == [Wire.response("200 OK", "Connection: close", body: "all"), "close"])
    }

    @Test func `the connection closes if either side requests it`() throws {
        let closed = [Wire.response("200 OK", "Content-Length: 0", "Connection: close"), "close"]
        #expect(try plan(.status(200).with(closesConnection: true)) == closed)
        #expect(try plan(.status(200), to: Wire.request("GET", "/", "Connection: close")) == closed)
        #expect(try plan(.status(200), to: "GET / HTTP/1.0\r\n\r\n") == closed)
        let written = MockResponse.status(200).with(header: "connection", "close")
        #expect(try plan(written) == [Wire.response("200 OK", "connection: close", "Content-Length: 0"), "close"])
    }

    @Test func `an HTTP 1.0 client that asks for keep-alive gets Connection: keep-alive`() throws {
        let expected = [Wire.response("200 OK", "Content-Length: 0", "Connection: keep-alive")]
        #expect(try plan(.status(200), to: "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n") == expected)
    }

    @Test func `a HEAD response has the head of the GET response and no body`() throws {
        let text = MockResponse.text("hello")
        let head = String(Wire.response(text: "hello").dropLast("hello".count))
        #expect(try plan(text, to: Wire.request("HEAD", "/")) == [head])
        let chunked = [Wire.response("200 OK", "Transfer-Encoding: chunked")]
        #expect(try plan(.chunked([Data("a".utf8)]), to: Wire.request("HEAD", "/")) == chunked)
    }

    @Test(arguments: [(204, "204 No Content"), (304, "304 Not Modified")])
    func `a status that has no body is sent without a body and Content-Length`(status: Int, line: String) throws {
        #expect(try plan(MockResponse(statusCode: status, body: .sized(Data("x".utf8)))) == [Wire.response(line)])
        #expect(try plan(.status(status)) == [Wire.response(line)])
    }

    @Test func `header fields are sent as given, and only missing framing fields are added`() throws {
        let response = MockResponse.text("hi")
            .with(header: "Set-Cookie", "a=1").with(header: "set-cookie", "b=2").with(header: "Content-Length", "7")
        let expected = Wire.response(
            "200 OK", "Content-Type: text/plain; charset=utf-8", "Set-Cookie: a=1", "set-cookie: b=2",
            "Content-Length: 7", body: "hi")
        #expect(try plan(response) == [expected])
    }

    @Test func `the reason phrase is the standard one, a custom one or empty`() throws {
        let fields = "Content-Length: 0"
        #expect(try plan(.status(200).with(statusCode: 201)) == [Wire.response("201 Created", fields)])
        #expect(try plan(.status(200).with(reason: "Fine")) == [Wire.response("200 Fine", fields)])
        #expect(try plan(.status(200).with(reason: nil)) == [Wire.response("200 ", fields)])
        #expect(try plan(.status(299)) == [Wire.response("299 ", fields)])
    }

    @Test func `raw bytes are sent unchanged`() throws {
        #expect(try plan(.raw("HTTP/9 nonsense")) == ["HTTP/9 nonsense", "close"])
        #expect(try plan(.raw("any").with(closesConnection: false)) == ["any"])
        #expect(try plan(.raw("")) == ["close"])
    }

    @Test func `the head of a raw response ends at its empty line`() throws {
        let raw = MockResponse.raw("HTTP/1.1 200 OK\r\n\r\nbody")
        #expect(try plan(raw.with(fault: .closeInBody(after: 2))) == ["HTTP/1.1 200 OK\r\n\r\nbo", "close"])
        #expect(try plan(raw.with(fault: .closeInHead(after: .max))) == ["HTTP/1.1 200 OK\r\n\r\n", "close"])
    }

    @Test func `a cut in a chunked body counts payload and falls before the next framing`() throws {
        let head = Wire.response("200 OK", "Transfer-Encoding: chunked")
        let expected = [0: "", 1: "2\r\na", 2: "2\r\nab", 3: "2\r\nab\r\n2\r\nc", 9: "2\r\nab\r\n2\r\ncd", -1: ""]
        for (count, body) in expected {
            let response = MockResponse.chunked([Data("ab".utf8), Data("cd".utf8)]).with(
                fault: .closeInBody(after: count))
            #expect(try plan(response) == [head + body, "close"], "after \(count)")
        }
    }

    @Test func `a cut at any position of the head sends exactly the given bytes`() throws {
        let whole = Wire.response("200 OK", "Content-Length: 0")
        for count in 1...whole.utf8.count {
            let response = MockResponse.status(200).with(fault: .stallInHead(after: count))
            #expect(try plan(response) == [String(decoding: whole.utf8.prefix(count), as: UTF8.self), "stall"])
        }
    }

    @Test func `a drip fault cuts a response into pieces with pauses between them`() throws {
        let response = MockResponse.raw("abcde").with(fault: .drip(bytesAtATime: 2))
        #expect(try plan(response) == ["ab", "pause", "cd", "pause", "e", "close"])
        let whole = MockResponse.raw("ab").with(closesConnection: false).with(fault: .drip(bytesAtATime: 2))
        #expect(try plan(whole) == ["ab"])
    }

    @Test func `a pause can delay each chunk and the end of the body`() throws {
        let response = MockResponse.chunked([Data("a".utf8), Data("bc".utf8)], trailers: ["X-Sum": "1"])
            .with(fault: .pauseBeforeEachChunk {})
        let head = Wire.response("200 OK", "Transfer-Encoding: chunked")
        let expected = [head, "pause", "1\r\na\r\n", "pause", "2\r\nbc\r\n", "pause", "0\r\nX-Sum: 1\r\n\r\n"]
        #expect(try plan(response) == expected)
        #expect(try plan(.text("a").with(fault: .pauseBeforeEachChunk {})) == [Wire.response(text: "a")])
    }

    @Test func `a wrong Content-Length is sent, and too long a value closes the connection`() throws {
        let type = "Content-Type: text/plain; charset=utf-8"
        let long = MockResponse.text("abc").with(fault: .wrongContentLength(by: 2))
        #expect(try plan(long) == [Wire.response("200 OK", type, "Content-Length: 5", body: "abc"), "close"])
        let short = MockResponse.text("abc").with(fault: .wrongContentLength(by: -2))
        #expect(try plan(short) == [Wire.response("200 OK", type, "Content-Length: 1", body: "abc")])
    }

    @Test(
        arguments: [
            (.closeInChunkSize(chunk: 1), "2\r\nab\r\n1", true),
            (.closeInChunkSize(chunk: 2), "2\r\nab\r\n10\r\n0123456789abcdef\r\n0", true),
            (.closeInChunkSize(chunk: 9), "2\r\nab\r\n10\r\n0123456789abcdef\r\n0", true),
            (.malformedChunkSize(chunk: 0), "zz\r\nab\r\n10\r\n0123456789abcdef\r\n0\r\nX-Sum: 1\r\n\r\n", false),
            (.malformedChunkSize(chunk: 9), "2\r\nab\r\n10\r\n0123456789abcdef\r\nzz\r\nX-Sum: 1\r\n\r\n", false),
            (
                .wrongChunkSize(chunk: 1, by: -1),
                "2\r\nab\r\nf\r\n0123456789abcdef\r\n0\r\nX-Sum: 1\r\n\r\n", false
            ),
            (
                .wrongChunkSize(chunk: 0, by: 8),
                "a\r\nab\r\n10\r\n0123456789abcdef\r\n0\r\nX-Sum: 1\r\n\r\n", false
            ),
            (
                .wrongChunkSize(chunk: 0, by: .min),
                "0\r\nab\r\n10\r\n0123456789abcdef\r\n0\r\nX-Sum: 1\r\n\r\n", false
            ),
            (.closeInTrailers(after: 0), "2\r\nab\r\n10\r\n0123456789abcdef\r\n0\r\n", true),
            (.closeInTrailers(after: 5), "2\r\nab\r\n10\r\n0123456789abcdef\r\n0\r\nX-Sum", true),
            (
                .malformedTrailer,
                "2\r\nab\r\n10\r\n0123456789abcdef\r\n0\r\nno colon\r\nX-Sum: 1\r\n\r\n", false
            ),
        ] as [(MockFault, String, Bool)])
    func `faulty chunk sizes and trailers are sent where the fault requires them`(
        _ fault: MockFault, _ body: String, _ closes: Bool
    ) throws {
        let response = MockResponse.chunked(
            [Data("ab".utf8), Data(), Data("0123456789abcdef".utf8)], trailers: ["X-Sum": "1"])
        let sent = Wire.response("200 OK", "Transfer-Encoding: chunked", body: body)
        #expect(try plan(response.with(fault: fault)) == (closes ? [sent, "close"] : [sent]))
    }

    @Test func `faults of chunks do not affect a body without chunks`() throws {
        for fault in [MockFault.malformedChunkSize(chunk: 0), .wrongChunkSize(chunk: 0, by: 1), .malformedTrailer] {
            #expect(try plan(.text("a").with(fault: fault)) == [Wire.response(text: "a")])
        }
    }
}
