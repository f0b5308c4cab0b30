import TestSupport
import Testing

@testable import Errand

struct `A block of fields` {
    private func block(_ text: String) -> FieldBlock { FieldBlock(bytes: Array(text.utf8)) }

    @Test func `a field block contains every field in order`() {
        let fields = block("A: 1\r\nB: 2\r\na: 3\r\n").fields
        #expect(fields.map(\.name) == ["A", "B", "a"])
        #expect(fields.map(\.value) == ["1", "2", "3"])
    }

    /// Sixty thousand lines of a hostile server, accessed by position: in quadratic time, the test takes hours.
    @Test(.hangGuard) func `a field block with many lines is read in linear time`() {
        let count = 60_000
        let headers = HeaderFields(block(String(repeating: "a:\r\n", count: count)))
        var found = 0
        for position in headers.indices where headers[position].name == "a" { found += 1 }
        #expect(found == count)
        #expect(headers == HeaderFields(headers.map(\.self)))
    }

    @Test(arguments: ["set-cookie", "Set-Cookie", "SET-COOKIE"])
    func `a field block finds all values of a name in any case`(_ name: String) {
        let block = block("Set-Cookie: a=1\r\nX: y\r\nset-cookie: b=2\r\nSet-Cookie2: c=3\r\n")
        #expect(block.values(of: name) == ["a=1", "b=2"])
    }

    @Test func `field names that differ by one bit in a character that is not a letter are distinct`() {
        #expect(block("X@: 1\r\nX[: 2\r\n").values(of: "X`") == [])
        #expect(block("X@: 1\r\nX[: 2\r\n").values(of: "X{") == [])
    }

    @Test(arguments: [
        ("X:1\r\n", "1"), ("X: \t 1 \t \r\n", "1"), ("X: a  b\r\n", "a  b"), ("X:\r\n", ""), ("X: \r\n", ""),
        ("X: a:b\r\n", "a:b"), ("X: 1\n", "1"), ("X: 1", "1"), ("X : 1\r\n", "1"),
    ])
    func `white space around a field value is trimmed, whatever ends the line`(_ line: String, _ value: String) {
        #expect(block(line).values(of: "X") == [value])
    }

    /// RFC 9112, section 2.2.
    @Test(arguments: ["X: a\rb\r\n", "X: a\rb", "X: \ra\rb\r\r\n", "X: a\r\r\n b\n"])
    func `a carriage return in a value becomes a space`(_ line: String) {
        #expect(block(line).values(of: "X") == ["a b"])
    }

    @Test(arguments: [" X: 0\r\n", "\tX: 0\n", ": 0\r\n", "X\r\n", " \r\n"])
    func `a first line that is not a field is ignored`(_ line: String) {
        let block = block(line + "Y: 1\r\n")
        #expect(block.fields.map(\.name) == ["Y"])
        #expect(block.values(of: "X") == [])
    }

    @Test func `a line without a colon is ignored`() {
        #expect(block("nonsense\r\nX: 1\r\n\r\nY: 2\r\n").fields.map(\.name) == ["X", "Y"])
        #expect(block("").fields == [])
    }

    /// The folds of RFC 9112, section 5.2, at the beginning, in the middle and at the end of a value.
    @Test(arguments: [
        ("X: a\r\n b\r\n", "a b"), ("X: a\r\n\tb\r\n", "a b"), ("X: a \t\r\n \t b\r\n", "a b"), ("X: a\n b\n", "a b"),
        ("X: a\r\n  b\r\n\tc\r\n", "a b c"), ("X: a\r\n \r\n b\r\n", "a b"), ("X: a  b\r\n  c  d\r\n", "a  b c  d"),
        ("X:\r\n \"abc\"\r\n", "\"abc\""), ("X: \r\n\t1\r\n", "1"), ("X:\r\n \r\n 1\r\n", "1"), ("X:\n 1\n", "1"),
        ("X: one\r\n \r\n", "one"), ("X: one\r\n\t \r\n \r\n", "one"), ("X: one\n \n", "one"), ("X: one\r\n ", "one"),
        ("X:\r\n \r\n", ""), ("X: \r\n \t\r\n", ""), ("X: é\r\n é\r\n \r\n", "é é"), ("X:\r\n é\r\n", "é"),
    ])
    func `a line that begins with white space continues the value, and the fold becomes a space`(
        _ text: String, _ value: String
    ) {
        let block = block("W: 1\n" + text + (text.hasSuffix("\n") ? "Y: 2\r\n" : ""))
        #expect(block.values(of: "X") == [value])
        #expect(block.fields.first { $0.name == "X" }?.value == value)
        #expect(HeaderFields(block)[values: "x"] == [value])
        #expect(block.values(of: "W") == ["1"])
        if text.hasSuffix("\n") { #expect(block.values(of: "Y") == ["2"]) }
        #expect(block.integer(of: "X") == (value == "1" ? 1 : nil))
    }

    @Test func `a continuation line never becomes a separate field`() {
        #expect(block("X: a\r\n Set-Cookie: b\r\n").values(of: "Set-Cookie") == [])
    }

    @Test func `a field value that is not valid UTF-8 is decoded as Latin-1`() {
        let block = FieldBlock(bytes: Array("X: caf".utf8) + [0xE9, 0x0D, 0x0A] + Array("Y: é\r\n".utf8))
        #expect(block.values(of: "X") == ["café"])
        #expect(block.values(of: "Y") == ["é"])
        #expect(block.fields.map(\.value) == ["café", "é"])
    }
}
