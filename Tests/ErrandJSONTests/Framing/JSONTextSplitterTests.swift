import ErrandJSON
import Foundation
import TestTools
import Testing

struct `JSON text splitter` {
    private static let tokens = [
        "\u{1E}", "\u{1E}\u{1E}", "\n", "\r\n", " ", "{", "}", "[", "]", "\"", "\\", "\\\"", "1", "true",
        "{\"a\": \"\\n\"}\n", "é",
        ",", ":",
    ]

    /// Returns a description of each element: its kind and its bytes.
    private func texts(_ pieces: [Data], _ framing: JSONFraming, maximumLength: Int = 1 << 20) -> [String] {
        var splitter = JSONTextSplitter(framing, maximumLength: maximumLength)
        var texts: [String] = []
        for piece in pieces {
            splitter.append(piece)
            while let text = splitter.next() { texts.append(text.word) }
        }
        if let text = splitter.finish() { texts.append(text.word) }
        return texts
    }

    private func sequence(_ text: String, maximumLength: Int = 1 << 20) -> [String] {
        texts([Data(text.utf8)], .textSequence, maximumLength: maximumLength)
    }

    @Test func `lines of JSON can be blank, end with CRLF and lack the last line end`() {
        let text = "{\"a\":1}\n\n \r\n[2]\r\n\t\n3"
        #expect(texts([Data(text.utf8)], .newlineDelimited) == ["{\"a\":1}", "[2]\r", "3"])
    }

    @Test func `texts of a JSON sequence are framed by record separator and line feed`() {
        #expect(sequence("\u{1E}{\"a\":1}\n\u{1E}[2]\n\u{1E}\"three\"\n") == ["{\"a\":1}", "[2]", "\"three\""])
    }

    @Test func `a text of a JSON sequence can span several lines`() {
        #expect(sequence("\u{1E}{\n\"a\":\n\"}\\\"\\n\"\n}\n") == ["{\n\"a\":\n\"}\\\"\\n\"\n}"])
    }

    @Test func `empty texts of a JSON sequence are ignored (RFC 7464, section 2.1)`() {
        #expect(sequence("\u{1E}\u{1E} \n\u{1E}1\n\u{1E}") == ["1"])
    }

    @Test(arguments: [
        ("\u{1E}12\u{1E}3\n", ["cut off: 12", "3"]), ("\u{1E}true", ["cut off: true"]),
        ("\u{1E}nul\u{1E}null ", ["cut off: nul", "null "]),
        ("\u{1E}12 \u{1E}{\"a\":1}\u{1E}\"b\"", ["12 ", "{\"a\":1}", "\"b\""]),
        ("\u{1E}-1\r\u{1E}1\t", ["-1\r", "1\t"]),
    ])
    func `truncated texts of a JSON sequence are detected (RFC 7464, section 2.4)`(
        _ text: String, _ expected: [String]
    ) {
        #expect(sequence(text) == expected)
    }

    @Test func `a truncated text of a JSON sequence does not affect the next text`() {
        #expect(sequence("\u{1E}{\"a\":\"b\u{1E}[1]\n\u{1E}[[[\n\n\u{1E}2\n") == ["{\"a\":\"b", "[1]", "[[[\n\n", "2"])
    }

    @Test func `bytes without a record separator are reported as stray`() {
        #expect(sequence("1\n2\n\u{1E}3\n4 5\n\u{1E}6\n") == ["stray", "3", "stray", "6"])
    }

    @Test func `a text of a JSON sequence is available as soon as its line feed arrives`() {
        var splitter = JSONTextSplitter(.textSequence, maximumLength: 100)
        splitter.append(Data("\u{1E}{\"a\":1}".utf8))
        #expect(splitter.next() == nil)
        splitter.append(Data("\n".utf8))
        #expect(splitter.next()?.word == "{\"a\":1}")
    }

    @Test(arguments: [
        (JSONFraming.newlineDelimited, "", "\n"), (.textSequence, "\u{1E}", "\n\u{1E}"), (.array, "[", ","),
    ])
    func `a JSON text that is too long is reported and skipped before it ends`(
        _ framing: JSONFraming, _ start: String, _ separator: String
    ) {
        var splitter = JSONTextSplitter(framing, maximumLength: 10)
        var found: [String] = []
        splitter.append(Data("\(start)\"".utf8))
        #expect(splitter.next() == nil)
        for _ in 0..<100 {
            splitter.append(Data("aaaaaaaaa".utf8))
            while let text = splitter.next() { found.append(text.word) }
        }
        #expect(found == ["too long"])
        splitter.append(Data("\"\(separator)1234567890\(separator)".utf8))
        #expect(splitter.next()?.word == "1234567890")
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `JSON texts do not depend on where the bytes are split`(_ seed: UInt64) {
        var chance = SeededChance(seed: seed)
        let data = chance.text(of: Self.tokens, atMost: 60)
        let limit = Int.random(in: 0...20, using: &chance)
        for framing in [JSONFraming.newlineDelimited, .textSequence] {
            let expected = texts([data], framing, maximumLength: limit)
            #expect(texts(data.map { Data([$0]) }, framing, maximumLength: limit) == expected)
            for _ in 0..<5 { #expect(texts(chance.pieces(of: data), framing, maximumLength: limit) == expected) }
        }
    }

    @Test func `the unread rest of a piece is kept by the JSON text splitter`() {
        for framing in [JSONFraming.newlineDelimited, .textSequence] {
            let start = framing == .textSequence ? "\u{1E}" : ""
            var splitter = JSONTextSplitter(framing, maximumLength: 100)
            splitter.append(Data("\(start)1\n\(start)2\n\(start)[3".utf8))
            #expect(splitter.next()?.word == "1")
            splitter.append(Data("4]\n".utf8))
            #expect(splitter.next()?.word == "2")
            #expect(splitter.next()?.word == "[34]")
            #expect(splitter.next() == nil)
        }
    }
}

extension JSONText {
    fileprivate var word: String {
        switch self {
        case .whole(let bytes): String(decoding: bytes, as: UTF8.self)
        case .cutOff(let bytes): "cut off: " + String(decoding: bytes, as: UTF8.self)
        case .stray: "stray"
        case .notAnArray: "not an array"
        case .nothing: "nothing"
        case .tooLong: "too long"
        }
    }
}
