import ErrandJSON
import Foundation
import Testing

/// A server must not make a client use many times the memory of what it sends. The values of a document are counted
/// here; the tape of its tokens takes at most 8 bytes more for each byte.
struct `The memory of JSON without a schema` {
    /// The element that a document repeats.
    static let shapes = [
        "{}", "[]", "\"\"", "0", "null", "1.5", "1e1", "[0]", "[0,1]", "{\"\":0}", "{\"a\":0}", "{\"a\":{}}",
        "{\"\":[]}",
        "{\"\":\"\"}", "{\"a\":1,\"b\":2}", "{\"a\":1,\"b\":2,\"c\":3}", "{\"\":0,\"\":0}", "[[]]", "[{}]", "[{},{}]",
        "[[0]]",
        "\"\\n\"", "\"\\u0041\"", "\"0123456789abcdef\"", "1234567890.123456789",
        "{\"\(String(repeating: "k", count: 40))\":0}",
        String(repeating: "[", count: 10) + String(repeating: "]", count: 10),
        String(repeating: "[", count: 500) + String(repeating: "]", count: 500),
        String(repeating: "{\"\":", count: 500) + "{}" + String(repeating: "}", count: 500),
    ]

    /// The bytes of the arrays, objects and long strings of a value, each counted once.
    private func size(of value: JSONValue) -> Int {
        var known: Set<UInt> = []
        var size = MemoryLayout<JSONValue>.stride
        var open = [value]
        while let value = open.popLast() {
            switch value {
            case .array(let elements):
                guard !elements.isEmpty, known.insert(unsafeBitCast(elements, to: UInt.self)).inserted else { continue }
                size += 32 + elements.capacity * MemoryLayout<JSONValue>.stride
                open += elements
            case .object(let members):
                // All empty objects share one memory, if none was reserved for them.
                let address = unsafeBitCast(members, to: UInt.self)
                guard address != unsafeBitCast([:] as JSONValue.Object, to: UInt.self), known.insert(address).inserted
                else { continue }
                var buckets = 2
                while buckets * 3 / 4 < members.capacity { buckets *= 2 }
                size += 72 + buckets * (MemoryLayout<String>.stride + MemoryLayout<JSONValue>.stride)
                open += members.values
            case .string(let string): if string.utf8.count > 15 { size += 32 + string.utf8.count }
            case .number(let number):
                if number.description.utf8.count > 15 { size += 32 + number.description.utf8.count }
            case .null, .bool: break
            }
        }
        return size
    }

    private func text(_ shape: String) -> Data {
        let count = max(20_000 / (shape.utf8.count + 1), 20)
        return Data("[\([String](repeating: shape, count: count).joined(separator: ","))]".utf8)
    }

    @Test(arguments: shapes)
    func `a value takes at most 15 times the bytes of its document, whatever its shape`(_ shape: String) throws {
        let data = text(shape)
        let value = try FastJSONDecoder().decode(JSONValue.self, from: data)
        #expect(size(of: value) <= 15 * data.count)
        let elements = try FastJSONDecoder().decode([JSONValue].self, from: data)
        // Its array grows, and so has room for up to twice its elements.
        #expect(size(of: .array(elements)) <= 28 * data.count)
        let members = try FastJSONDecoder().decode(
            [String: JSONValue].self, from: Data("{\"a\":".utf8) + data + Data("}".utf8))
        #expect(members["a"] == value && size(of: .object(members)) <= 15 * data.count)
    }

    @Test(arguments: shapes)
    func `elements that share their memory are the ones of the document`(_ shape: String) throws {
        // The elements differ in their last byte, are equal, or begin with another one.
        let text = "[[\(shape)],[\(shape) ],[\(shape),1],[\(shape),2],[\(shape),2],\(shape),\(shape)]"
        let value = try FastJSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        let element = try FastJSONDecoder().decode(JSONValue.self, from: Data(shape.utf8))
        #expect(
            value
                == [
                    [element], [element], [element, 1], [element, 2], [element, 2], element, element,
                ])
    }

    @Test(arguments: ["[]", "0", "{\"a\":{}}", "[0]"])
    func `an empty object between other values takes no memory but its place`(_ other: String) throws {
        let data = text("{},\(other)")
        #expect(size(of: try FastJSONDecoder().decode(JSONValue.self, from: data)) <= 20 * data.count)
    }

    /// Elements that do not share their memory, because neighbors differ.
    private func differing(_ element: (Int) -> String) -> Data {
        Data("[\((0..<20_000).map(element).joined(separator: ","))]".utf8)
    }

    @Test func `arrays and objects that differ from their neighbors are decoded`() throws {
        let elements: [(Int) -> String] = [
            { "[\($0 % 2)]" }, { "{\"a\":\($0 % 2)}" }, { "{\"id\":\($0)}" }, { "[[\($0),1],[2,3]]" },
        ]
        for element in elements {
            let value = try FastJSONDecoder().decode(JSONValue.self, from: differing(element))
            #expect(value.array?.count == 20_000)
        }
    }

    @Test func `a document whose arrays and objects take too much memory fails`() throws {
        let elements: [(Int) -> String] = [
            { String(repeating: "[", count: 20) + "\($0 % 2)" + String(repeating: "]", count: 20) },
            { String(repeating: "{\"\":", count: 10) + "\($0 % 2)" + String(repeating: "}", count: 10) },
        ]
        for element in elements {
            let data = differing(element)
            for decode in [
                { _ = try FastJSONDecoder().decode(JSONValue.self, from: data) },
                { _ = try FastJSONDecoder().decode([JSONValue].self, from: data) },
            ] {
                #expect {
                    try decode()
                } throws: {
                    "\($0)".contains("more than 20 times the memory of the document")
                }
            }
        }
    }

    @Test func `a value that shares memory can be changed alone`() throws {
        let decoded = try FastJSONDecoder().decode(JSONValue.self, from: Data("[[0],[0],{\"a\":0},{\"a\":0}]".utf8))
        #expect(
            try JSONPatch([.replace("/0/0", 1), .add("/2/b", 2)]).applied(to: decoded) == [
                [1], [0], ["a": 0, "b": 2], ["a": 0],
            ])
    }

    @Test func `shared values do not exceed the maximum depth`() throws {
        let deep = String(repeating: "[", count: 400) + String(repeating: "]", count: 400)
        let around = String(repeating: "[", count: 200) + deep + String(repeating: "]", count: 200)
        // The size of a document limits the comparisons.
        let padding = "\"\(String(repeating: "x", count: 500_000))\""
        var decoder = FastJSONDecoder()
        decoder.maximumDepth = 2_000
        for first in [deep, String(around.dropFirst(100).dropLast(100))] {
            let text = "[\(first),\(around),\(padding)]"
            #expect(throws: DecodingError.self) { try decoder.decode(JSONValue.self, from: Data(text.utf8)) }
        }
    }
}
