import ErrandJSON
import Foundation
import TestTools
import Testing

struct `Line splitter` {
    private static let tokens = ["a", "bc", "é", "𝄞", "\n", "\r", "\r\n", "\n\n", "\u{0}", "\u{2028}", "0123456789"]

    private func lines(
        _ pieces: [Data], _ lineEnd: LineSplitter.LineEnd = .any, maximumLength: Int = 1 << 20
    ) -> [String] {
        var splitter = LineSplitter(endingWith: lineEnd, maximumLength: maximumLength)
        var lines: [String] = []
        for piece in pieces {
            splitter.append(piece)
            while let line = splitter.next() { lines.append(line.text) }
        }
        if let line = splitter.finish() { lines.append(line.text) }
        return lines
    }

    private func lines(_ text: String, maximumLength: Int = 1 << 20) -> [String] {
        lines([Data(text.utf8)], maximumLength: maximumLength)
    }

    /// The same lines by another algorithm, which processes all bytes at once.
    private func linesByTheLetter(_ data: Data, maximumLength: Int) -> [String] {
        var lines: [String] = []
        var line: [UInt8] = []
        var previous: UInt8?
        for byte in data {
            if byte == 0x0A || byte == 0x0D {
                if byte == 0x0D || previous != 0x0D {
                    lines.append(line.count > maximumLength ? "…" : String(decoding: line, as: UTF8.self))
                }
                line = []
            } else {
                line.append(byte)
            }
            previous = byte
        }
        if !line.isEmpty { lines.append(line.count > maximumLength ? "…" : String(decoding: line, as: UTF8.self)) }
        return lines
    }

    @Test(arguments: [
        ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]), ("a\r\nb\r\n", ["a", "b"]),
        ("a\rb\r", ["a", "b"]), ("\n", [""]), ("\r\n\r\n", ["", ""]), ("\n\r", ["", ""]), ("\r\r\n\n", ["", "", ""]),
        ("a\u{2028}b\u{85}c\u{0B}d", ["a\u{2028}b\u{85}c\u{0B}d"]), ("\u{FEFF}a\n", ["\u{FEFF}a"]),
    ])
    func `lines end only with LF, CR or CRLF`(_ text: String, _ expected: [String]) {
        #expect(lines(text) == expected)
    }

    @Test func `a line that ends with CR is available before the next byte`() {
        var splitter = LineSplitter(maximumLength: 10)
        splitter.append(Data("a\r".utf8))
        #expect(splitter.next()?.text == "a")
        splitter.append(Data("\nb\n".utf8))
        #expect(splitter.next()?.text == "b")
        #expect(splitter.next() == nil)
    }

    @Test func `lines keep CR if only LF ends a line`() {
        #expect(lines([Data("a\rb\r".utf8), Data("\nc".utf8)], .lineFeed) == ["a\rb\r", "c"])
    }

    @Test func `lines are complete if every byte arrives separately`() {
        let text = "één\r\n𝄞\rlast"
        #expect(lines(text.utf8.map { Data([$0]) }) == ["één", "𝄞", "last"])
    }

    @Test func `lines that are too long are skipped, and other lines are kept`() {
        #expect(lines("123\n1234\n\n12345678\r\n12\n1234", maximumLength: 3) == ["123", "…", "", "…", "12", "…"])
        #expect(lines("a\n\nb", maximumLength: -1) == ["…", "", "…"])
    }

    @Test func `a line that is too long is detected before it ends and not stored`() {
        var splitter = LineSplitter(maximumLength: 100)
        var found = 0
        for _ in 0..<1_000 {
            splitter.append(Data(repeating: 0x61, count: 99))
            while let line = splitter.next() {
                #expect(line.text == "…")
                found += 1
            }
        }
        #expect(found == 1)
        splitter.append(Data("\nnext\n".utf8))
        #expect(splitter.next()?.text == "next")
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `lines do not depend on where the bytes are split`(_ seed: UInt64) {
        var chance = SeededChance(seed: seed)
        let data = chance.text(of: Self.tokens, atMost: 60)
        let limit = Int.random(in: 0...20, using: &chance)
        let expected = linesByTheLetter(data, maximumLength: limit)
        #expect(lines([data], maximumLength: limit) == expected)
        #expect(lines(data.map { Data([$0]) }, maximumLength: limit) == expected)
        for _ in 0..<5 { #expect(lines(chance.pieces(of: data), maximumLength: limit) == expected) }
    }

    @Test func `the unread rest of a piece is kept by the line splitter`() {
        var splitter = LineSplitter(maximumLength: 10)
        splitter.append(Data("a\nb\nc".utf8))
        #expect(splitter.next()?.text == "a")
        splitter.append(Data("d\n".utf8))
        #expect(splitter.next()?.text == "b")
        #expect(splitter.next()?.text == "cd")
        #expect(splitter.next() == nil)
    }
}

extension LineSplitter.Line {
    /// The line, or an ellipsis for a line that is too long.
    fileprivate var text: String {
        switch self {
        case .whole(let bytes): String(decoding: bytes, as: UTF8.self)
        case .tooLong: "…"
        }
    }
}
