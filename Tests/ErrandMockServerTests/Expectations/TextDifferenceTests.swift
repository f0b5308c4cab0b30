import Errand
import Testing

@testable import ErrandMockServer
@testable import ErrandTesting

struct `Text difference` {
    @Test func `equal texts have no difference`() {
        #expect(TextDifference(expected: "a\nb\n", actual: "a\r\nb").isEmpty)
        #expect(TextDifference(expected: "", actual: "").lines == [])
    }

    @Test func `a changed line is shown as the expected line followed by the actual line`() {
        let difference = TextDifference(expected: "a\nb\nc", actual: "a\nB\nc")
        #expect(!difference.isEmpty)
        #expect(difference.lines == [.both("a"), .expected("b"), .actual("B"), .both("c")])
        #expect(difference.description == "  a\n- b\n+ B\n  c")
    }

    @Test(
        arguments: [
            ("a\nb", "a", "  a\n- b"), ("a", "a\nb", "  a\n+ b"), ("", "a", "+ a"), ("a", "", "- a"),
            ("a\nb\nc\nd", "b\nx\nd", "- a\n  b\n- c\n+ x\n  d"), ("a\n\nb", "a\nb", "  a\n- \n  b"),
            ("x\nx\nx", "x\nx", "  x\n  x\n- x"),
        ])
    func `missing and extra lines are shown at their position`(expected: String, actual: String, text: String) {
        #expect(TextDifference(expected: expected, actual: actual).description == text)
    }

    @Test func `both texts can be reconstructed from a difference`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            let (one, other) = (lines(&random), lines(&random))
            let difference = TextDifference(expected: one, actual: other)
            let sides = difference.lines.reduce(into: ([String](), [String]())) { sides, line in
                switch line {
                case .both(let text):
                    sides.0.append(text)
                    sides.1.append(text)
                case .expected(let text): sides.0.append(text)
                case .actual(let text): sides.1.append(text)
                }
            }
            #expect(sides == (one, other))
            #expect(difference.isEmpty == (one == other))
        }
    }

    @Test func `equal lines far from a difference are omitted`() {
        let common = (1...20).map(String.init)
        let text = TextDifference(expected: common + ["a"] + common, actual: common + ["b"] + common).description
        let expected = [
            "  … 17 lines that are the same", "  18", "  19", "  20", "- a", "+ b", "  1", "  2", "  3",
            "  … 17 lines that are the same",
        ]
        #expect(text == expected.joined(separator: "\n"))
    }

    @Test func `thousands of different lines are compared quickly and truncated`() {
        let difference = TextDifference(
            expected: (0..<50_000).map { "a\($0)" }, actual: (0..<50_000).map { "b\($0)" })
        #expect(difference.lines.count == 100_000)
        #expect(difference.description.hasSuffix("\n  … 99800 lines more"))
        let long = TextDifference(expected: "", actual: String(repeating: "x", count: 1_000)).description
        #expect(long == "+ " + String(repeating: "x", count: 400) + "… (1000 characters)")
    }

    @Test func `equal JSON values have the same comparable text`() {
        #expect(
            JSONValue(document: Data(#"{"b":[1.0,true],"a":"x/y"}"#.utf8))?.comparableText
                == JSONValue(document: Data(#" { "a" : "x\/y", "b" : [1, true] } "#.utf8))?.comparableText)
        #expect(JSONValue(document: Data("[1]".utf8)) != JSONValue(document: Data("[true]".utf8)))
        #expect(JSONValue(document: Data("3.0".utf8))?.comparableText == "3")
        #expect(JSONValue(document: Data("{".utf8)) == nil)
        #expect(JSONValue(document: Data(#"{"a":1,"b":2}"#.utf8))?.comparableText.split(separator: "\n").count == 4)
    }

    private func lines(_ random: inout some RandomNumberGenerator) -> [String] {
        (0..<Int.random(in: 0...12, using: &random)).map { _ in
            ["a", "b", "c", ""].randomElement(using: &random) ?? ""
        }
    }
}
