import Errand
import Testing

@testable import ErrandWebSocket

struct `HTTP head parsing` {
    private func read(_ text: String, limit: Int = 1000, pieces: Int = .max) throws -> (HTTPHead, rest: String)? {
        var reader = HTTPHeadReader(limit: limit)
        let bytes = Array(text.utf8)
        let size = min(pieces, bytes.count)
        var found: HTTPHead?
        for start in stride(from: 0, to: bytes.count, by: size) {
            reader.append(bytes[start..<min(start + size, bytes.count)])
            if found == nil { found = try reader.next() }
        }
        return found.map { ($0, String(decoding: reader.rest, as: UTF8.self)) }
    }

    @Test(arguments: [1, 3, Int.max])
    func `a head is parsed wherever it is split, and the bytes after it are kept`(_ pieces: Int) throws {
        let text = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nX: \r\nX:  a b \t\r\n\r\nrest"
        let (head, rest) = try #require(try read(text, pieces: pieces))
        #expect(try head.statusCode() == 101)
        #expect(head.headers["upgrade"] == "websocket")
        #expect(head.headers[values: "X"] == ["", "a b"])
        #expect(rest == "rest")
        #expect(try #require(try read("HTTP/1.1 404\r\n\r\n")).0.statusCode() == 404)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\nA: b\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b\nC: d\r\n\r\n", "HTTP/1.1 200 OK\r\nA b\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA : b\r\n\r\n", "HTTP/1.1 200 OK\r\n: b\r\n\r\n", "HTTP/1.1 200 OK\r\n A: b\r\n\r\n",
        "HTTP/1.1 200 OK\r\n \r\n\r\n", "HTTP/1.1 200 OK\r\n\tA: b\r\nC: d\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA: b\n c\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA: b\rc\r\n\r\n", "HTTP/1.1 200 OK\r\nA: \u{0}\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA: \u{7F}\r\n\r\n",
    ])
    func `a head that violates RFC 9112 is rejected`(_ text: String) {
        #expect(throws: HTTPHead.Malformed.self) { try read(text) }
    }

    @Test(arguments: [
        ("A: b\r\n c\r\n", ["b c"]), ("A:\r\n\tb\r\n", ["b"]), ("A: b\r\n \r\n", ["b"]), ("A:\r\n \r\n", [""]),
        ("A: b\r\n c: d\r\nA: e\r\n", ["b c: d", "e"]),
    ])
    func `a folded field of a head is one value`(_ fields: String, _ values: [String]) throws {
        let head = try #require(try read("HTTP/1.1 101 x\r\n\(fields)C: d\r\n\r\n")).0
        #expect(head.headers[values: "A"] == values)
        #expect(head.headers.map(\.name).last == "C")
    }

    @Test(arguments: [
        "HTTP/1.1 1O1 x", "HTTP/2 101 x", "HTTP/1.1 99 x", "HTTP/1.1  200", "HTTP/1.1 2000", "HTTP/1.2 200 x",
        "ICY 200 OK",
        "", "HTTP/1.0 101 x", "http/1.1 200 x", "HTTP/1.1 099 x",
    ])
    func `an invalid status line is rejected`(_ line: String) throws {
        let head = try #require(try read(line + "\r\nA: b\r\n\r\n")).0
        #expect(throws: HTTPHead.Malformed.self) { try head.statusCode() }
    }

    @Test func `a head without an end is rejected at the limit`() throws {
        #expect(try read(String(repeating: "a", count: 99), limit: 100) == nil)
        #expect(throws: HTTPHead.Malformed(reason: "the head is too long")) {
            try read(String(repeating: "a", count: 100), limit: 100)
        }
    }

    @Test func `the start of a rejection body is read with any framing`() throws {
        func body(_ fields: String, _ bytes: String, status: Int = 400, limit: Int = 10) throws -> String {
            let head = try #require(try read("HTTP/1.1 \(status) x\r\n\(fields)\r\n")).0
            var body = RefusalBody(of: head, statusCode: status, limit: limit)
            for byte in bytes.utf8 { body.append([byte]) }
            return String(decoding: body.data, as: UTF8.self) + (body.isWhole ? "." : "…")
        }
        #expect(try body("Content-Length: 3\r\n", "abcde") == "abc.")
        #expect(try body("Content-Length: 3\r\n", "ab") == "ab…")
        #expect(try body("Content-Length: 99\r\n", "0123456789abc") == "0123456789.")
        #expect(try body("Content-Length: -1\r\n", "ab") == "ab…")
        #expect(try body("", "ab") == "ab…")
        #expect(try body("", "ab", status: 204) == ".")
        #expect(
            try body("Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n", limit: 50) == "abcde.")
        #expect(try body("Transfer-Encoding: gzip, Chunked\r\n", "3\r\nabc\r\n0\r\n\r\n", limit: 50) == "abc.")
        #expect(try body("Transfer-Encoding: gzip\r\n", "3\r\nabc", limit: 50) == "3\r\nabc…")
        #expect(try body("Transfer-Encoding: chunked\r\n", "3\r\nab", limit: 50) == "ab…")
        #expect(try body("Transfer-Encoding: chunked\r\n", "zz\r\nab", limit: 50) == ".")
        #expect(try body("Transfer-Encoding: chunked\r\n", "ffffffffffffffffff\r\nab", limit: 50) == ".")
    }
}
