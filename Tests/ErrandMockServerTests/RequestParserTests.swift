import Errand
import Testing

@testable import ErrandMockServer
@testable import ErrandTesting

struct `Request parser` {
    @Test func `a complete request is parsed`() throws {
        let request = try Wire.parsed(
            Wire.request("POST", "/a%20b?x=1&x=&y", "X-Tag: one", "x-tag:  two ", body: "hello"))
        #expect(request.method == .post)
        #expect(request.target == "/a%20b?x=1&x=&y")
        #expect(request.version == "HTTP/1.1")
        #expect(request.path == "/a b")
        #expect(
            request.queryItems == [
                .init(name: "x", value: "1"), .init(name: "x", value: ""), .init(name: "y", value: nil),
            ])
        #expect(request.headers.map(\.name) == ["Host", "X-Tag", "x-tag", "Content-Length"])
        #expect(request.headers[values: "X-Tag"] == ["one", "two"])
        #expect(request.text == "hello")
    }

    @Test func `the raw head has every byte up to the empty line`() throws {
        let head = Wire.request("GET", "/", "X-Odd:\t spaced  ")
        #expect(try Wire.parsed(head + "more").rawHead == Data(head.utf8))
    }

    @Test func `requests are parsed the same wherever the bytes are split`() {
        let chunked = "4;name=value\r\nwiki\r\n5\r\npedia\r\n0\r\nX-Sum: 9\r\n\r\n"
        let bytes = Array(
            ("\r\n" + Wire.request("PUT", "/one", body: "body") + Wire.request("GET", "/two")
                + Wire.request("POST", "/three", "Transfer-Encoding: chunked") + chunked).utf8)
        for position in bytes.indices {
            var parser = RequestParser(maximumBodySize: 100)
            var requests: [MockRequest] = []
            for part in [bytes[..<position], bytes[position...]] {
                parser.append(part)
                while case .request(let request) = parser.nextAfterHead() { requests.append(request) }
            }
            #expect(requests.map(\.path) == ["/one", "/two", "/three"], "split at \(position)")
            #expect(requests.map(\.text) == ["body", "", "wikipedia"], "split at \(position)")
            #expect(requests.last?.trailers["X-Sum"] == "9", "split at \(position)")
        }
    }

    @Test func `a request that arrives byte by byte is parsed the same`() throws {
        let text = Wire.request("POST", "/", "Transfer-Encoding: chunked") + "3\r\nabc\r\n0\r\n\r\n"
        var parser = RequestParser(maximumBodySize: 100)
        var events: [RequestParser.Event] = []
        for byte in text.utf8 {
            parser.append([byte])
            if let event = parser.nextAfterHead() { events.append(event) }
        }
        #expect(events.count == 1)
        guard case .request(let request) = events.first else {
            Issue.record("no request")
            return
        }
        #expect(request.text == "abc")
    }

    @Test func `lines that end in a line feed only are accepted`() throws {
        #expect(try Wire.parsed("GET /lf HTTP/1.1\nHost: a\n\n").path == "/lf")
    }

    @Test func `an absolute request target has its path and query`() throws {
        let request = try Wire.parsed(Wire.request("GET", "http://example.org/a/b?c=d"))
        #expect(request.path == "/a/b")
        #expect(request.queryItems == [.init(name: "c", value: "d")])
    }

    @Test func `query items are decoded once if the query has characters that must be escaped`() throws {
        let request = try Wire.parsed(Wire.request("GET", "/a?f[a]=1&q=a%20b%2526|"))
        #expect(request.queryItems == [.init(name: "f[a]", value: "1"), .init(name: "q", value: "a b%26|")])
    }

    @Test func `Expect: 100-continue is reported once, and only for a request with a body`() {
        var parser = RequestParser(maximumBodySize: 100)
        parser.append(Data("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n".utf8))
        guard case .expectsContinue = parser.nextAfterHead() else {
            Issue.record("Expect: 100-continue was not reported")
            return
        }
        #expect(parser.nextAfterHead() == nil)
        parser.append(Data("ok".utf8))
        guard case .request(let request) = parser.nextAfterHead() else {
            Issue.record("no request")
            return
        }
        #expect(request.text == "ok")

        parser.append(Data(Wire.request("GET", "/", "Expect: 100-continue").utf8))
        guard case .request = parser.nextAfterHead() else {
            Issue.record("no request")
            return
        }
    }

    @Test func `the head is reported first only for a request with a body`() {
        var parser = RequestParser(maximumBodySize: 100)
        parser.append(Data(Wire.request("POST", "/one", body: "body").utf8))
        guard case .head(let head) = parser.next(), case .request(let request) = parser.next() else {
            Issue.record("no head, or no request")
            return
        }
        #expect(head.path == "/one")
        #expect(head.body.isEmpty)
        #expect(request.text == "body")
        parser.append(Data(Wire.request("GET", "/two").utf8))
        guard case .request = parser.next() else {
            Issue.record("not the request itself")
            return
        }
    }

    @Test(arguments: [
        "body: 0123456789", "Transfer-Encoding: chunked\r\n\r\n4\r\n0123\r\n6\r\n456789\r\n0\r\n\r\n",
    ])
    func `a limit pauses the parsing of a body, and raising it continues`(_ form: String) throws {
        let text =
            form.hasPrefix("body")
            ? Wire.request("POST", "/", body: "0123456789") : "POST / HTTP/1.1\r\nHost: test\r\n" + form
        var parser = RequestParser(maximumBodySize: 100)
        parser.append(Data(text.utf8))
        guard case .head = parser.next() else {
            Issue.record("no head")
            return
        }
        for limit in [0, 1, 4, 7] {
            parser.limit = limit
            guard case .limit(let request) = parser.next() else {
                Issue.record("no stop at \(limit)")
                return
            }
            #expect(request.text == String("0123456789".prefix(limit)))
            #expect(!request.isComplete)
        }
        parser.limit = .max
        guard case .request(let request) = parser.next() else {
            Issue.record("no request")
            return
        }
        #expect(request.text == "0123456789")
        #expect(request.isComplete)
    }

    @Test(arguments: [
        "GET / HTTP/1.1 extra\r\n\r\n", "GET /\r\n\r\n", "G(T / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/2.0\r\n\r\n",
        "GET  / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost : a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n folded: b\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nno colon\r\n\r\n",
    ])
    func `a malformed request is rejected`(_ text: String) {
        let failure = #expect(throws: RequestFailure.self) { try Wire.parsed(text) }
        #expect(failure?.response.statusCode == 400)
    }

    @Test func `a head of the maximum size is accepted, and one more byte is rejected`() throws {
        let empty = Wire.request("GET", "/", "X-Long: ")
        let filling = String(repeating: "a", count: RequestParser.maximumHeadSize - empty.utf8.count)
        #expect(try Wire.parsed(Wire.request("GET", "/", "X-Long: " + filling)).headers["X-Long"] == filling)
        #expect(throws: RequestFailure.headTooLarge) {
            try Wire.parsed(Wire.request("GET", "/", "X-Long: a" + filling))
        }
    }

    @Test func `an endless head is rejected when it exceeds the maximum size`() {
        let endless = String(repeating: "a", count: RequestParser.maximumHeadSize)
        #expect(throws: RequestFailure.headTooLarge) { try Wire.parsed(endless) }
    }

    @Test func `a body of the maximum size is accepted, and one more byte is rejected`() throws {
        let chunked = Wire.request("POST", "/", "Transfer-Encoding: chunked")
        #expect(try Wire.parsed(Wire.request("POST", "/", body: "abc"), maximumBodySize: 3).text == "abc")
        #expect(try Wire.parsed(chunked + "2\r\nab\r\n1\r\nc\r\n0\r\n\r\n", maximumBodySize: 3).text == "abc")
        #expect(throws: RequestFailure.bodyTooLarge) {
            try Wire.parsed(Wire.request("POST", "/", body: "abcd"), maximumBodySize: 3)
        }
        #expect(throws: RequestFailure.bodyTooLarge) {
            try Wire.parsed(chunked + "2\r\nab\r\n2\r\ncd\r\n0\r\n\r\n", maximumBodySize: 3)
        }
        #expect(throws: RequestFailure.bodyTooLarge) {
            try Wire.parsed(chunked + "7FFFFFFFFFFFFFFF\r\n", maximumBodySize: 3)
        }
    }

    @Test func `nothing is parsed after a failure`() {
        var parser = RequestParser(maximumBodySize: 100)
        parser.append(Data("nonsense\r\n\r\n".utf8))
        guard case .failure = parser.nextAfterHead() else {
            Issue.record("the request was accepted")
            return
        }
        parser.append(Data(Wire.request("GET", "/").utf8))
        #expect(parser.nextAfterHead() == nil)
    }

    @Test(arguments: [
        ("HTTP/1.1", "Keep-Alive: x", true), ("HTTP/1.1", "Connection: close", false),
        ("HTTP/1.1", "Connection: TE, Close", false), ("HTTP/1.0", "X-Any: x", false),
        ("HTTP/1.0", "Connection: Keep-Alive", true),
    ])
    func `keeping the connection depends on the HTTP version and the Connection field`(
        version: String, field: String, keeps: Bool
    ) throws {
        #expect(try Wire.parsed("GET / \(version)\r\nHost: a\r\n\(field)\r\n\r\n").keepsConnection == keeps)
    }
}
