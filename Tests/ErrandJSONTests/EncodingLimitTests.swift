import Testing

@testable import ErrandJSON

struct `The limit of an encoded document` {
    private enum Keys: CodingKey { case first, second }

    /// A type that ignores the errors of its members.
    private struct Careless: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try? container.encode([[String]](repeating: ["text"], count: 1000), forKey: .first)
            try? container.encode("short", forKey: .second)
        }
    }

    /// A type that throws its own error in place of those of its members.
    private struct Renaming: Encodable {
        struct Failure: Error {}

        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            do { try container.encode([[Int]](repeating: [1], count: 10_000)) } catch { throw Failure() }
        }
    }

    private static let long: [any Encodable & Sendable] = [
        [Double](repeating: 0.1, count: 10_000), [Int](repeating: 12, count: 10_000),
        [String](repeating: "text", count: 10_000), [Float](repeating: 0.5, count: 10_000),
        [Int32](repeating: 7, count: 10_000), [Bool](repeating: true, count: 10_000),
        [Int?](repeating: 1, count: 10_000), [[Int]](repeating: [1, 2], count: 10_000),
        Dictionary(uniqueKeysWithValues: (0..<5_000).map { ("\($0)", $0) }),
        Dictionary(uniqueKeysWithValues: (0..<5_000).map { ("\($0)", Float($0)) }),
        [["key": 1.5]], String(repeating: "x", count: 1 << 17), ["one": String(repeating: "x", count: 1 << 17)],
        Data(count: 1 << 17), JSONValue.array([JSONValue](repeating: ["a", 1], count: 10_000)),
        JSONValue.array([.string(String(repeating: "x", count: 1 << 17))]),
    ]

    @Test(arguments: long.indices, [JSONEncoder.OutputFormatting(), .sortedKeys])
    func `encoding stops soon after the limit, whatever the type`(
        _ index: Int, _ formatting: JSONEncoder.OutputFormatting
    ) throws {
        var encoder = FastJSONEncoder()
        encoder.outputFormatting = formatting
        try expect(Self.long[index], encoder)
    }

    private func expect(_ value: some Encodable, _ encoder: FastJSONEncoder) throws {
        let whole = try encoder.encode(value)
        let limit = min(4096, whole.count - 1)
        let tree = JSONTree(encoder: encoder, limit: limit)
        try? tree.encode(value, in: 0)
        #expect(tree.text.pointee.count < limit + 4096)
        #expect(try encoder.encode(value, atMost: limit) == nil)
        #expect(try encoder.encode(value, atMost: whole.count) == whole)
    }

    @Test func `encoding fails at the limit even if a type hides the error of a member`() throws {
        #expect(try FastJSONEncoder().encode(Careless(), atMost: 1000) == nil)
        #expect(try FastJSONEncoder().encode(Renaming(), atMost: 1000) == nil)
    }

    @Test func `an error within the limit is thrown`() {
        #expect(throws: EncodingError.self) { try FastJSONEncoder().encode([Double.nan], atMost: 1000) }
    }
}
