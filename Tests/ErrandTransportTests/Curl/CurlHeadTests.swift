import Testing

@testable import Errand

struct `The head from libcurl` {
    private func head(_ lines: [String], limit: Int = 10_000) throws -> (head: CurlHead, ended: [Bool]) {
        var head = CurlHead(limit: limit)
        let ended = try lines.map { line in
            try Array(line.utf8).withUnsafeBufferPointer { try head.add($0) }
        }
        return (head, ended)
    }

    @Test func `a response head is complete after its empty line`() throws {
        let (head, ended) = try head(["HTTP/1.1 201 Created\r\n", "A: 1\r\n", "a: 2\r\n", "\r\n"])
        #expect(head.statusCode == 201)
        #expect(head.isWhole)
        #expect(ended == [false, false, false, true])
        #expect(head.fields[values: "A"] == ["1", "2"])
    }

    @Test(arguments: [
        ["HTTP/1.1 200\r\n", "\r\n"], ["HTTP/1.1 200 OK\n", "A: 1\n", "\n"], ["HTTP/2 200 \r\n", "\r\n"],
        ["HTTP/1.0  200 Fine\r\n", "\r\n"],
    ])
    func `a response head without a reason phrase or with LF line ends is accepted`(_ lines: [String]) throws {
        let (head, _) = try head(lines)
        #expect(head.statusCode == 200)
        #expect(head.isWhole)
    }

    /// libcurl accepts the first of these, and a status with so many digits crashed the process.
    @Test(arguments: [
        "HTTP/2 \(String(repeating: "9", count: 40)) x\r\n", "HTTP/2 2000 x\r\n", "HTTP/2 000 x\r\n", "HTTP/2 -5 x\r\n",
        "HTTP/2 20 x\r\n", "HTTP/1.1\r\n", "HTTP/1.1 099 x\r\n",
    ])
    func `a status code without three digits is rejected`(_ line: String) {
        #expect(throws: URLError(.cannotParseResponse)) { try head([line, "\r\n"]) }
    }

    @Test(arguments: [
        ("chunked", true), ("gzip, Chunked", true), ("chunked,", true), ("chunked , ,", true), ("chunked, gzip", false),
        ("xchunked", false), ("", false),
    ])
    func `a body is chunked if that is its last transfer coding`(_ codings: String, _ isChunked: Bool) throws {
        let (head, _) = try head(["HTTP/1.1 200 OK\r\n", "Transfer-Encoding: \(codings)\r\n", "\r\n"])
        #expect(head.isChunked == isChunked)
    }

    @Test func `a response head is incomplete before its empty line`() throws {
        #expect(try !head([]).head.isWhole)
        #expect(try !head(["HTTP/1.1 200 OK\r\n"]).head.isWhole)
        #expect(try !head(["HTTP/1.1 200 OK\r\n", "A: 1\r\n"]).head.isWhole)
    }

    @Test func `informational heads and their fields are skipped`() throws {
        let (head, ended) = try head([
            "HTTP/1.1 100 Continue\r\n", "\r\n", "HTTP/1.1 103 Early Hints\r\n", "Link: x\r\n", "\r\n",
            "HTTP/1.1 404 Not Found\r\n", "A: 1\r\n", "\r\n",
        ])
        #expect(head.statusCode == 404)
        #expect(head.fields.map(\.name) == ["A"])
        #expect(ended.filter { $0 }.count == 1)
    }

    @Test func `a 101 response is rejected, because no request asks for another protocol`() throws {
        #expect(throws: URLError(.cannotParseResponse)) {
            try head(["HTTP/1.1 101 Switching Protocols\r\n", "Upgrade: x\r\n", "\r\n"])
        }
    }

    @Test(arguments: ["\rB: 2\r\n", "\r \r\n", "\n\rB: 2\n"])
    func `a line that begins with CR and is not the end of the head is rejected`(_ line: String) {
        #expect(throws: URLError(.cannotParseResponse)) { try head(["HTTP/1.1 200 OK\r\n", "A: 1\r\n", line]) }
    }

    /// libcurl accepts such a line before 7.85.
    @Test(arguments: ["no colon\r\n", "B\n", "B\r\n"])
    func `a field or a trailer without a colon is rejected`(_ line: String) {
        #expect(throws: URLError(.cannotParseResponse)) { try head(["HTTP/1.1 200 OK\r\n", "A: 1\r\n", line]) }
        for trailer in [line, "A: 1\r\n\(line)", "\(line)A: 1\r\n"] {
            #expect(throws: URLError(.cannotParseResponse)) { try head(["HTTP/1.1 200 OK\r\n", "\r\n", trailer]) }
        }
    }

    @Test func `a line that continues a field needs no colon`() throws {
        let (head, _) = try head(["HTTP/1.1 200 OK\r\n", "A: 1\r\n", " 2\r\n", "\r\n", "B: 3\r\n", "\t4\r\n", "\r\n"])
        #expect(head.fields["A"] == "1 2")
        #expect(head.trailers?["B"] == "3 4")
    }

    @Test func `trailers are not added to the head`() throws {
        let (head, ended) = try head(["HTTP/1.1 200 OK\r\n", "A: 1\r\n", "\r\n", "B: 2\r\n", "\r\n"])
        #expect(head.fields.map(\.name) == ["A"])
        #expect(ended == [false, false, true, false, false])
    }

    @Test(arguments: [
        ["HTTP/1.1 200 OK\r\n", "A: 1\r\n"], ["HTTP/1.1 200 OK\r\n", "\r\n", "A: 1\r\n"],
        ["HTTP/1.1 100 OK\r\n", "\r\n", "HTTP/1.1 200"],
    ])
    func `the size limit of a head includes trailers and informational heads`(_ lines: [String]) throws {
        let size = lines.reduce(0) { $0 + $1.utf8.count }
        #expect(throws: Never.self) { try head(lines, limit: size) }
        #expect(throws: URLError(.dataLengthExceedsMaximum)) { try head(lines, limit: size - 1) }
    }

    @Test func `a head is limited to 2,000 lines including trailers`() throws {
        let fields = Array(repeating: "A: 1\r\n", count: 1_998)
        let whole = ["HTTP/1.1 200 OK\r\n"] + fields + ["\r\n"]
        #expect(try head(whole, limit: .max).head.isWhole)
        #expect(throws: URLError(.dataLengthExceedsMaximum)) {
            try head(["HTTP/1.1 200 OK\r\n", "B: 1\r\n"] + fields + ["\r\n"], limit: .max)
        }
        #expect(throws: URLError(.dataLengthExceedsMaximum)) { try head(whole + ["C: 1\r\n"], limit: .max) }
    }

    @Test(
        arguments: [
            (["Content-Length: 5\r\n"], 5), (["Content-Length: 5\r\n", "content-length: 5\r\n"], 5),
            (["Content-Length: 5, 5\r\n"], 5), ([], nil),
        ] as [([String], Int?)])
    func `the head determines the length of the body`(_ fields: [String], _ length: Int?) throws {
        let (head, _) = try head(["HTTP/1.1 200 OK\r\n"] + fields + ["\r\n"])
        #expect(try head.contentLength == length)
    }

    @Test(arguments: [
        ["Content-Length: 5\r\n", "Content-Length: 6\r\n"], ["Content-Length: 5, 6\r\n"],
        ["Content-Length: 5\r\n", "Content-Length: x\r\n"], ["Content-Length: five\r\n"], ["Content-Length: -5\r\n"],
        ["Content-Length: +5\r\n"], ["Content-Length: 5x\r\n"],
        ["Content-Length: \(String(repeating: "9", count: 40))\r\n"],
    ])
    func `invalid or contradictory lengths are rejected`(_ fields: [String]) throws {
        let (head, _) = try head(["HTTP/1.1 200 OK\r\n"] + fields + ["\r\n"])
        #expect(throws: URLError(.cannotParseResponse)) { try head.contentLength }
    }

    @Test func `the head determines the content codings of the body`() throws {
        let (head, _) = try head(["HTTP/1.1 200 OK\r\n", "Content-Encoding: br\r\n", "\r\n"])
        #expect(try head.contentCodings == [.brotli])
        let (plain, _) = try self.head(["HTTP/1.1 200 OK\r\n", "\r\n"])
        #expect(try plain.contentCodings == [])
    }

    @Test func `several fields with content codings are one list`() throws {
        let (head, _) = try head([
            "HTTP/1.1 200 OK\r\n", "Content-Encoding: deflate\r\n", "content-encoding: ,gzip\r\n", "\r\n",
        ])
        #expect(try head.contentCodings == [.deflate, .gzip])
    }
}
