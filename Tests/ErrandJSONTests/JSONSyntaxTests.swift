import Foundation
import TestTools
import Testing

@testable import ErrandJSON

struct `The syntax of JSON` {
    @Test(arguments: [
        "null", "true", "false", "0", "-0", "0.0", "0e1", "0E-1", "1.5e+3", "\"\"", "\"a\"", "[]", "{}", " [ 1 , 2 ] ",
        "\t{\"a\"\n:\r1}",
        "[[],[{}]]", "{\"\":1}", #""\"\\\/\b\f\n\r\t\u0041\uD83D\uDEA2""#, "\"\u{7F}\u{2028}\"", "\u{FEFF}[1]",
    ]) func `documents valid by RFC 8259 are accepted`(_ document: String) throws {
        _ = try FastJSONDecoder().decode(JSONValue.self, from: Data(document.utf8))
    }

    /// The real limit, about four billion words, is reached only by a document of more than 2 GiB. Here it is 20 words.
    @Test func `the number of values in a document is limited`() throws {
        func tokens(_ count: Int) throws {
            let text = "[" + Array(repeating: "[1]", count: count).joined(separator: ",") + "]"
            try Array(text.utf8).withUnsafeBufferPointer {
                try JSONTokenizer.tokens(of: $0, depth: 2, words: 20).release()
            }
        }
        #expect(throws: Never.self) { try tokens(6) }
        let error = #expect(throws: JSONSyntaxError.self) { try tokens(100) }
        #expect(error?.reason == .tooManyValues)
    }

    /// The error, and the number of bytes before it.
    @Test(
        arguments: [
            ("", 0, "the document is empty"), ("  ", 2, "it ends too early"),
            ("   ", 3, "it ends too early"), ("\u{FEFF}", 3, "the document is empty"), ("nul", 3, "it ends too early"),
            ("nulx", 0, "expected a value"), ("[1,]", 3, "expected a value"), ("[,1]", 1, "expected a value"),
            ("[1 2]", 3, "expected a comma or a closing bracket"), ("[1}", 2, "expected a comma or a closing bracket"),
            ("[1", 2, "it ends too early"), ("{\"a\":1,}", 7, "expected a key in quotes"),
            ("{a:1}", 1, "expected a key in quotes"),
            ("{\"a\" 1}", 5, "expected a colon after a key"), ("{\"a\":}", 5, "expected a value"),
            ("{\"a\":1 \"b\":2}", 7, "expected a comma or a closing brace"),
            ("1 2", 2, "expected the end of the document"),
            ("[1]]", 3, "expected the end of the document"), ("01", 1, "expected the end of the document"),
            ("-", 1, "it ends too early"),
            ("-a", 1, "invalid number"), ("1.", 2, "it ends too early"), ("1.a", 2, "invalid number"),
            ("1e", 2, "it ends too early"),
            ("1e+x", 3, "invalid number"), (".5", 0, "expected a value"), ("+1", 0, "expected a value"),
            ("NaN", 0, "expected a value"),
            ("\"a", 2, "it ends too early"), ("\"\n\"", 1, "a control character in a string is not escaped"),
            (#""\x""#, 1, "invalid escape sequence"), (#""\u12G4""#, 1, "invalid escape sequence"),
            (#""\u12"#, 5, "it ends too early"),
            (#""\ud800""#, 1, "an escaped surrogate has no counterpart"),
            (#""\udc00\ud800""#, 1, "an escaped surrogate has no counterpart"),
            (#""\ud800\u0041""#, 1, "an escaped surrogate has no counterpart"),
            ("[1]\0", 3, "expected the end of the document"),
            ("'a'", 0, "expected a value"), ("[1] // x", 4, "expected the end of the document"),
        ] as [(String, Int, String)]) func `a syntax error has its reason and location`(
            _ document: String, _ offset: Int, _ reason: String
        ) throws
    {
        let error = try #require(failure(Data(document.utf8)))
        #expect(error.jsonLocation?.byteOffset == offset)
        #expect(error.text.contains(reason))
    }

    @Test(
        arguments: [
            [0x80], [0xC0, 0x80], [0xC3], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF0, 0x80, 0x80, 0x80],
            [0xF4, 0x90, 0x80, 0x80],
            [0xF8, 0x88, 0x80, 0x80, 0x80], [0xE2, 0x82], [0xFF],
        ] as [[UInt8]]) func `invalid UTF-8 in strings and keys is rejected`(_ bytes: [UInt8]) throws
    {
        let string = try #require(failure(Data(Array("[\"a".utf8) + bytes + Array("\"]".utf8))))
        #expect(string.jsonLocation?.byteOffset == 3)
        #expect(string.text.contains("invalid UTF-8"))
        #expect(failure(Data(Array("{\"".utf8) + bytes + Array("\":1}".utf8))) != nil)
    }

    @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian, .utf8])
    func `every Unicode encoding is accepted, with and without a byte order mark`(_ encoding: String.Encoding) throws {
        for text in ["[\"é🚢\"]", "\u{FEFF}[\"é🚢\"]", "1", "{}"] {
            let document = try #require(text.data(using: encoding))
            let value = try FastJSONDecoder().decode(JSONValue.self, from: document)
            if text.contains("é") { #expect(value[0]?.string == "é🚢") }
        }
    }

    @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian, .utf8])
    func `a second byte order mark is not JSON`(_ encoding: String.Encoding) throws {
        for text in ["\u{FEFF}\u{FEFF}[1]", "\u{FEFF}\u{FEFF}\u{FEFF}[1]", "\u{FEFF} \u{FEFF}[1]"] {
            #expect(failure(try #require(text.data(using: encoding))) != nil)
        }
    }

    @Test func `truncated or invalid UTF-16 is rejected`() throws {
        let whole = try #require("[\"🚢\"]".data(using: .utf16LittleEndian))
        #expect(failure(whole.dropLast())?.text.contains("invalid UTF-16 or UTF-32") == true)
        #expect(failure(Data([0x22, 0x00, 0x00, 0xD8, 0x22, 0x00])) != nil)
    }

    @Test func `lines and columns are counted from 1`() throws {
        let location = try #require(failure(Data("[\n  1,\n  x\n]".utf8))?.jsonLocation)
        #expect((location.line, location.column, location.byteOffset) == (3, 3, 9))
        #expect("\(location)" == "line 3, column 3")
    }

    @Test func `the depth of a document is limited without recursion`() throws {
        let deep = 1_000_000
        let document = Data(String(repeating: "[", count: deep).utf8)
        #expect(failure(document)?.text.contains("too many nested arrays and objects") == true)
        #expect(failure(document)?.jsonLocation?.byteOffset == 512)
        var decoder = FastJSONDecoder()
        decoder.maximumDepth = 2
        _ = try decoder.decode(JSONValue.self, from: Data("[[1]]".utf8))
        #expect(throws: DecodingError.self) { try decoder.decode(JSONValue.self, from: Data("[[[1]]]".utf8)) }
    }

    @Test func `the length of a number is limited`() throws {
        let digits = String(repeating: "1", count: 4_096)
        let value = try FastJSONDecoder().decode(JSONValue.self, from: Data(digits.utf8))
        #expect(value.number?.description == digits)
        #expect(failure(Data((digits + "1").utf8))?.text.contains("a number has more than 4096 characters") == true)
    }

    private func failure(_ document: Data) -> DecodingError? {
        do {
            _ = try FastJSONDecoder().decode(JSONValue.self, from: document)
            return nil
        } catch {
            return error as? DecodingError
        }
    }
}

extension DecodingError {
    var text: String {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context.debugDescription
        @unknown default: ""
        }
    }

    var path: String {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
        case .keyNotFound(let key, let context):
            (context.codingPath + [key]).map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
        @unknown default: ""
        }
    }
}
