import Errand
import Testing

@testable import ErrandTesting

@Suite struct `Response writer` {
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

    @Test func `a body of known size goes out in one piece and keeps the connection`() throws {
        #expect(try plan(.text("hello")) == [Wire.answer(text: "hello")])
        #expect(try plan(.status(404)) == [Wire.answer("404 Not Found", "Content-Length: 0")])
    }

    @Test func `several header fields are added beside those of the same names`() {
        let response = MockResponse.status(202).with(header: "X-Tag", "one")
            .with(headers: [.location: "/jobs/7", "x-tag": "two"])
        #expect(response.statusCode == 202)
        #expect(response.headers[.location] == "/jobs/7")
        #expect(response.headers[values: "X-Tag"] == ["one", "two"])
    }

    @Test func `chunks are framed, empty ones left out, trailers behind the last`() throws {
        let response = MockResponse.chunked(
            [Data("0123456789abcdef".utf8), Data(), Data("z".utf8)], trailers: ["X-Sum": "1"])
        let body = "10\r\n0123456789abcdef\r\n1\r\nz\r\n0\r\nX-Sum: 1\r\n\r\n"
        #expect(try plan(response) == [Wire.answer("200 OK", "Transfer-Encoding: chunked", body: body)])
    }

    @Test func `a body that goes on follows its head, in chunks where the client can read them`() throws {
        let head = Wire.answer("200 OK", "Transfer-Encoding: chunked")
        #expect(try plan(.stream { nil }) == [head, "stream in chunks"])
        let old = Wire.answer("200 OK", "Connection: close")
        #expect(try plan(.stream { nil }, to: "GET / HTTP/1.0\r\n\r\n") == [old, "stream", "close"])
        #expect(try plan(.stream { nil }.with(fault: .stallInBody(after: 3))) == [head, "stall"])
    }

    @Test func `an HTTP 1_0 client gets chunks joined, until the connection closes`() throws {
        let response = MockResponse.chunked([Data("ab".utf8), Data("cd".utf8)])
        let expected = [Wire.answer("200 OK", "Connection: close", body: "abcd"), "close"]
        #expect(try plan(response, to: "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n") == expected)
    }

    @Test func `a body until close closes`() throws {
        let response = MockResponse(body: .untilClose(Data("all".utf8)))
        #expect(try plan(response) == [Wire.answer("200 OK", "Connection: close", body: "all"), "close"])
    }

    @Test func `the connection closes when either side says so`() throws {
        let closed = [Wire.answer("200 OK", "Content-Length: 0", "Connection: close"), "close"]
        #expect(try plan(.status(200).with(closesConnection: true)) == closed)
        #expect(try plan(.status(200), to: Wire.request("GET", "/", "Connection: close")) == closed)
        #expect(try plan(.status(200), to: "GET / HTTP/1.0\r\n\r\n") == closed)
        let written = MockResponse.status(200).with(header: "connection", "close")
        #expect(try plan(written) == [Wire.answer("200 OK", "connection: close", "Content-Length: 0"), "close"])
    }

    @Test func `an HTTP 1_0 client that asks is told that the connection stays`() throws {
        let expected = [Wire.answer("200 OK", "Content-Length: 0", "Connection: keep-alive")]
        #expect(try plan(.status(200), to: "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n") == expected)
    }

    @Test func `HEAD gets the head that GET would get, and no body`() throws {
        let text = MockResponse.text("hello")
        let head = String(Wire.answer(text: "hello").dropLast("hello".count))
        #expect(try plan(text, to: Wire.request("HEAD", "/")) == [head])
        let chunked = [Wire.answer("200 OK", "Transfer-Encoding: chunked")]
        #expect(try plan(.chunked([Data("a".utf8)]), to: Wire.request("HEAD", "/")) == chunked)
    }

    @Test(arguments: [(204, "204 No Content"), (304, "304 Not Modified")])
    func `a status without a body has neither body nor length`(status: Int, line: String) throws {
        #expect(try plan(MockResponse(statusCode: status, body: .sized(Data("x".utf8)))) == [Wire.answer(line)])
        #expect(try plan(.status(status)) == [Wire.answer(line)])
    }

    @Test func `header fields are written as given, and framing fields only where they are missing`() throws {
        let response = MockResponse.text("hi")
            .with(header: "Set-Cookie", "a=1").with(header: "set-cookie", "b=2").with(header: "Content-Length", "7")
        let expected = Wire.answer(
            "200 OK", "Content-Type: text/plain; charset=utf-8", "Set-Cookie: a=1", "set-cookie: b=2",
            "Content-Length: 7", body: "hi")
        #expect(try plan(response) == [expected])
    }

    @Test func `the reason is the standard one, another, or none`() throws {
        let fields = "Content-Length: 0"
        #expect(try plan(.status(200).with(statusCode: 201)) == [Wire.answer("201 Created", fields)])
        #expect(try plan(.status(200).with(reason: "Fine")) == [Wire.answer("200 Fine", fields)])
        #expect(try plan(.status(200).with(reason: nil)) == [Wire.answer("200 ", fields)])
        #expect(try plan(.status(299)) == [Wire.answer("299 ", fields)])
    }

    @Test func `raw bytes go out as they are`() throws {
        #expect(try plan(.raw("HTTP/9 nonsense")) == ["HTTP/9 nonsense", "close"])
        #expect(try plan(.raw("any").with(closesConnection: false)) == ["any"])
        #expect(try plan(.raw("")) == ["close"])
    }

    @Test func `the head of raw bytes ends at their empty line`() throws {
        let raw = MockResponse.raw("HTTP/1.1 200 OK\r\n\r\nbody")
        #expect(try plan(raw.with(fault: .closeInBody(after: 2))) == ["HTTP/1.1 200 OK\r\n\r\nbo", "close"])
        #expect(try plan(raw.with(fault: .closeInHead(after: .max))) == ["HTTP/1.1 200 OK\r\n\r\n", "close"])
    }

    @Test func `a cut in a chunked body counts payload, and falls before the framing that follows`() throws {
        let head = Wire.answer("200 OK", "Transfer-Encoding: chunked")
        let expected = [0: "", 1: "2\r\na", 2: "2\r\nab", 3: "2\r\nab\r\n2\r\nc", 9: "2\r\nab\r\n2\r\ncd", -1: ""]
        for (count, body) in expected {
            let response = MockResponse.chunked([Data("ab".utf8), Data("cd".utf8)]).with(
                fault: .closeInBody(after: count))
            #expect(try plan(response) == [head + body, "close"], "after \(count)")
        }
    }

    @Test func `a cut at every place of a head sends just that much`() throws {
        let whole = Wire.answer("200 OK", "Content-Length: 0")
        for count in 1...whole.utf8.count {
            let response = MockResponse.status(200).with(fault: .stallInHead(after: count))
            #expect(try plan(response) == [String(decoding: whole.utf8.prefix(count), as: UTF8.self), "stall"])
        }
    }

    @Test func `a drip is cut into pieces with a pause between two`() throws {
        let response = MockResponse.raw("abcde").with(fault: .drip(bytesAtATime: 2))
        #expect(try plan(response) == ["ab", "pause", "cd", "pause", "e", "close"])
        let whole = MockResponse.raw("ab").with(closesConnection: false).with(fault: .drip(bytesAtATime: 2))
        #expect(try plan(whole) == ["ab"])
    }

    @Test func `each chunk and the end of the body can wait for a pause`() throws {
        let response = MockResponse.chunked([Data("a".utf8), Data("bc".utf8)], trailers: ["X-Sum": "1"])
            .with(fault: .pauseBeforeEachChunk {})
        let head = Wire.answer("200 OK", "Transfer-Encoding: chunked")
        let expected = [head, "pause", "1\r\na\r\n", "pause", "2\r\nbc\r\n", "pause", "0\r\nX-Sum: 1\r\n\r\n"]
        #expect(try plan(response) == expected)
        #expect(try plan(.text("a").with(fault: .pauseBeforeEachChunk {})) == [Wire.answer(text: "a")])
    }

    @Test func `a wrong length is declared, and the connection closed when it is too long`() throws {
        let type = "Content-Type: text/plain; charset=utf-8"
        let long = MockResponse.text("abc").with(fault: .wrongContentLength(by: 2))
        #expect(try plan(long) == [Wire.answer("200 OK", type, "Content-Length: 5", body: "abc"), "close"])
        let short = MockResponse.text("abc").with(fault: .wrongContentLength(by: -2))
        #expect(try plan(short) == [Wire.answer("200 OK", type, "Content-Length: 1", body: "abc")])
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
    func `chunk sizes and trailers go wrong where they are told to`(
        _ fault: MockFault, _ body: String, _ closes: Bool
    ) throws {
        let response = MockResponse.chunked(
            [Data("ab".utf8), Data(), Data("0123456789abcdef".utf8)], trailers: ["X-Sum": "1"])
        let sent = Wire.answer("200 OK", "Transfer-Encoding: chunked", body: body)
        #expect(try plan(response.with(fault: fault)) == (closes ? [sent, "close"] : [sent]))
    }

    @Test func `a body without chunks has no fault in them`() throws {
        for fault in [MockFault.malformedChunkSize(chunk: 0), .wrongChunkSize(chunk: 0, by: 1), .malformedTrailer] {
            #expect(try plan(.text("a").with(fault: fault)) == [Wire.answer(text: "a")])
        }
    }
}
