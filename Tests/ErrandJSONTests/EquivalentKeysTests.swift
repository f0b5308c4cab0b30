import ErrandJSON
import Foundation
import Testing

/// Swift's strings are equal if they are canonically equivalent in Unicode, although their bytes differ.
struct `JSON keys that look the same` {
    struct Example: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The members, whose values are their positions.
        let keys: [String]
        /// The positions of the members that count.
        let first: [Int]

        init(_ description: String, _ keys: [String], _ first: [Int]) {
            (testDescription, self.keys, self.first) = (description, keys, first)
        }

        var document: Data {
            let members = keys.enumerated().map { "\"\($0.element)\":\($0.offset)" }
            return Data("{\(members.joined(separator: ","))}".utf8)
        }

        static let all = [
            Example("an accent", ["e\u{301}", "\u{E9}"], [0]),
            Example("an accent, in the other order", ["\u{E9}", "e\u{301}"], [0]),
            Example("an escaped accent", [#"\u00e9"#, "e\u{301}", #"e\u0301"#], [0]),
            Example("a sign and a letter", ["\u{212B}", "\u{C5}", "A\u{30A}"], [0]),
            Example("Hangul", ["\u{1112}\u{1161}\u{11AB}", "\u{D55C}"], [0]),
            Example("other members around them", ["a", "e\u{301}", "b", "\u{E9}", "c", "a"], [0, 1, 2, 4]),
            Example("many members", (0..<100).map { "k\($0)" } + ["\u{E9}", "e\u{301}"], Array(0..<101)),
            Example("compatible, but not equivalent", ["\u{FB01}", "fi"], [0, 1]),
        ]

        var expected: [String: Int] {
            let unescaped = keys.map { $0.replacing(#"\u00e9"#, with: "\u{E9}").replacing(#"\u0301"#, with: "\u{301}") }
            return Dictionary(uniqueKeysWithValues: first.map { (unescaped[$0], $0) })
        }
    }

    private struct AnyKeys: Decodable {
        struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        var values: [Int] = []

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            values = try container.allKeys.map { try container.decode(Int.self, forKey: $0) }
        }
    }

    @Test(arguments: Example.all, [JSONDecoder.KeyDecodingStrategy.useDefaultKeys, .convertFromSnakeCase])
    func `the first of them counts, in every type that has any keys`(
        _ example: Example, _ strategy: JSONDecoder.KeyDecodingStrategy
    ) throws {
        var decoder = FastJSONDecoder()
        decoder.keyDecodingStrategy = strategy
        let expected = example.expected
        #expect(try decoder.decode([String: Int].self, from: example.document) == expected)
        let value = try decoder.decode(JSONValue.self, from: example.document)
        #expect(value.object?.compactMapValues(\.int) == expected)
        let values = try decoder.decode([String: JSONValue].self, from: example.document)
        #expect(values.compactMapValues(\.int) == expected)
        #expect(try decoder.decode(AnyKeys.self, from: example.document).values == example.first)
    }

    @Test(arguments: Example.all) func `Foundation's decoder has the same dictionary`(_ example: Example) throws {
        #expect(try JSONDecoder().decode([String: Int].self, from: example.document) == example.expected)
    }
}
