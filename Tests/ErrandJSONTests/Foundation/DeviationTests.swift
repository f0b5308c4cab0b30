import ErrandJSON
import Foundation
import Testing

/// Runs the examples of the JSON guide's table with both coders.
struct `The differences from Foundation in the JSON guide` {
    @Test(arguments: DeviationExample.decoding + DeviationExample.encoding)
    func `each deviation from Foundation is still present in this version`(_ example: DeviationExample) {
        let found = example.run()
        #expect(example.foundation.contains(found.foundation), "Foundation: \(found.foundation)")
        #expect(example.errand.contains(found.errand), "Errand: \(found.errand)")
    }

    @Test func `each deviation from Foundation has an example`() {
        let examples = DeviationExample.decoding + DeviationExample.encoding
        for deviation in Deviation.allCases {
            #expect(examples.contains { $0.deviation == deviation }, "\(deviation)")
        }
    }

    @Test func `the documented table lists exactly the deviations, each with a reason`() throws {
        let rows = try Self.rows()
        #expect(rows.map { $0[0] }.sorted() == Deviation.allCases.map(\.rawValue).sorted())
        for row in rows {
            #expect(row.count == 4)
            #expect(row.allSatisfy { !$0.isEmpty }, "\(row[0])")
        }
    }

    @Test(
        arguments: [
            ("[1,]", .commaBeforeBracket), (#"{"a":1,"b":"\x"}"#, .unreadPart), ("[300]", .pathOfNumber),
            ("[1e20]", .pathOfNumber), (#"{"a":"x","b":"\x"}"#, .syntaxBeforeMismatch), ("[1]", nil), ("{}", nil),
        ] as [(String, Deviation?)])
    func `comparing both decoders identifies the deviation`(_ document: String, _ deviation: Deviation?) {
        let data = Data(document.utf8)
        let found =
            document.hasPrefix("[")
            ? JSONComparison(data, as: [Int8].self).deviation
            : JSONComparison(data, as: DeviationExample.Count.self).deviation
        #expect(found == deviation)
    }

    @Test(
        arguments: [
            (#"{"a":1,"a":"x"}"#, true), (#"{"a":1,"\u0061":2}"#, true),
            (#"[{"a":{}},{"b":{"a":1,"c":2,"a":[]}}]"#, true),
            (#"{"a":{"a":1},"b":["a","a",{"a":1}]}"#, false), (#"{"a":"\":{\"a","b":"}"}"#, false),
            (#"{"a":1,"a""#, false),
        ])
    func `comparing both decoders finds a key that occurs twice in an object`(_ document: String, _ isFound: Bool) {
        #expect(ComparedDocument(Data(document.utf8)).hasRepeatedKey == isFound)
    }

    /// The cells of the table's rows.
    private static func rows() throws -> [[String]] {
        let guide = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/ErrandJSON/ErrandJSON.docc/ErrandJSON.md").standardized
        let text = try String(contentsOf: guide, encoding: .utf8)
        let section = try #require(text.components(separatedBy: "\n## ").first { $0.hasPrefix("Differences") })
        let lines = section.split(separator: "\n").filter { $0.hasPrefix("|") }
        return lines.dropFirst(2).map { line in
            line.dropFirst().dropLast().components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }
}
