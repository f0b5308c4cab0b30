import Foundation
import Testing

@testable import ErrandJSON

/// The document and the encoding steps of members that are encoded twice, that fail, or that are continued later.
struct `Members of an encoded object` {
    private static let formattings: [JSONEncoder.OutputFormatting] = [[], [.sortedKeys], [.prettyPrinted]]

    private func encode(_ formatting: JSONEncoder.OutputFormatting = [], _ body: @escaping (any Encoder) throws -> Void)
        throws
        -> String
    {
        var encoder = FastJSONEncoder()
        encoder.outputFormatting = formatting
        return String(decoding: try encoder.encode(Many(body: body)), as: UTF8.self)
    }

    @Test(arguments: [[], [.sortedKeys], [.prettyPrinted, .sortedKeys]] as [JSONEncoder.OutputFormatting])
    func `a member encoded repeatedly is written once with its last value`(
        _ formatting: JSONEncoder.OutputFormatting
    ) throws {
        let text = try encode(formatting) { encoder in
            var container = encoder.container(keyedBy: JSONCodingKey.self)
            for number in 0..<3 {
                for key in ["b,:\"", "a", "c", "é", "e\u{301}"] {
                    try container.encode(["\(number),:}\"", "x"], forKey: JSONCodingKey(key))
                }
                var nested = container.nestedContainer(keyedBy: JSONCodingKey.self, forKey: JSONCodingKey("d"))
                try nested.encode(number, forKey: JSONCodingKey("n\(number)"))
                try container.encodeNil(forKey: JSONCodingKey("c"))
            }
        }
        let value = try JSONDecoder().decode([String: JSONValue].self, from: Data(text.utf8))
        #expect(value["a"]?[0]?.string == "2,:}\"")
        #expect(value["b,:\""]?[1]?.string == "x")
        #expect(value["c"]?.isNull == true)
        #expect(value["d"] == ["n0": 0, "n1": 1, "n2": 2])
        // Each spelling of the accented letter occurs once.
        for key in ["\"a\"", "\"c\"", "\"d\"", "\"é\"", "\"e\u{301}\""] {
            #expect(text.utf8.split(separator: key.utf8).count == 2, "\(key)")
        }
        if formatting.contains(.sortedKeys) {
            let keys = ["\"a\"", "\"b", "\"c\"", "\"d\"", "\"e\u{301}\"", "\"é\""].compactMap {
                text.utf8.firstRange(of: $0.utf8)
            }
            #expect(keys.map(\.lowerBound) == keys.map(\.lowerBound).sorted() && keys.count == 6)
        }
    }

    @Test(arguments: [[], [.sortedKeys]] as [JSONEncoder.OutputFormatting])
    func `a nested container continues a member encoded as a value`(_ formatting: JSONEncoder.OutputFormatting) throws {
        let text = try encode(formatting) { encoder in
            var container = encoder.container(keyedBy: JSONCodingKey.self)
            for number in 0..<2 {
                var nested = container.nestedContainer(keyedBy: JSONCodingKey.self, forKey: JSONCodingKey("a"))
                try nested.encode(number, forKey: JSONCodingKey("n\(number)"))
            }
            try container.encode(["s": 3], forKey: JSONCodingKey("b"))
            var nested = container.nestedContainer(keyedBy: JSONCodingKey.self, forKey: JSONCodingKey("b"))
            try nested.encode(4, forKey: JSONCodingKey("w"))
            try container.encode([7, 8], forKey: JSONCodingKey("d"))
            var numbers = container.nestedUnkeyedContainer(forKey: JSONCodingKey("d"))
            try numbers.encode(9)
            try [5].encode(to: container.superEncoder(forKey: JSONCodingKey("c")))
            var list = container.nestedUnkeyedContainer(forKey: JSONCodingKey("c"))
            try list.encode(6)
        }
        let members = [#""a":{"n0":0,"n1":1}"#, #""b":{"s":3,"w":4}"#, #""c":[5,6]"#, #""d":[7,8,9]"#]
        let order = formatting == [] ? [0, 1, 3, 2] : [0, 1, 2, 3]
        #expect(text == "{" + order.map { members[$0] }.joined(separator: ",") + "}")
    }

    /// Sorting compares the characters of a key and not their escapes.
    @Test func `sorted keys are ordered by their characters and not by their escapes`() throws {
        let text = try encode([.sortedKeys]) { encoder in
            var container = encoder.container(keyedBy: JSONCodingKey.self)
            for key in ["z", "\n", "a\"", "a!", "a#"] { try container.encode(1, forKey: JSONCodingKey(key)) }
        }
        #expect(text == #"{"\n":1,"a!":1,"a\"":1,"a#":1,"z":1}"#)
    }

    private struct Failing: Encodable {
        var body: (any Encoder) throws -> Void = { _ in }
        func encode(to encoder: any Encoder) throws {
            try body(encoder)
            throw CancellationError()
        }
    }

    /// The containers are found by their keys, without a search through all of them.
    @Test func `a container is found again by its key among many members`() throws {
        let count = 1_000
        let tree = JSONTree(encoder: FastJSONEncoder(), isLaidOut: true)
        var container = TreeEncoder(tree: tree, reference: .root).container(keyedBy: JSONCodingKey.self)
        for number in 0..<count {
            try? container.encode(Failing(), forKey: JSONCodingKey("f\(number)"))
            var nested = container.nestedUnkeyedContainer(forKey: JSONCodingKey("k\(number)"))
            try nested.encode(number)
        }
        for number in 0..<count {
            var nested = container.nestedUnkeyedContainer(forKey: JSONCodingKey("k\(number)"))
            try nested.encode(true)
        }
        #expect(tree.containers[0]?.count == count)
        let text = String(decoding: try #require(try tree.document(of: 0, isKept: true)), as: UTF8.self)
        #expect(text.hasPrefix(#"{"k0":[0,true],"k1":[1,true],"#) && !text.contains("f0"))
    }

    @Test func `a failed element leaves no comma`() throws {
        let text = try encode { encoder in
            var list = encoder.unkeyedContainer()
            for number in 0..<3 {
                try? list.encode(Failing())
                try? list.encode(Failing { try "x".encode(to: $0) })
                try list.encode([number: "a"])
                try? list.encode(Failing { _ = $0.unkeyedContainer() })
            }
        }
        #expect(text == #"[{"0":"a"},{"1":"a"},{"2":"a"}]"#)
    }

    @Test func `a failed member removes nothing that another encoder wrote meanwhile`() throws {
        let text = try encode { encoder in
            var object = encoder.container(keyedBy: JSONCodingKey.self)
            let first = object.superEncoder(forKey: JSONCodingKey("e"))
            try object.encode("x", forKey: JSONCodingKey("a"))
            try? object.encode(Failing { _ in try 7.encode(to: first) }, forKey: JSONCodingKey("n"))
            try object.encode("y", forKey: JSONCodingKey("b"))
        }
        #expect(text == #"{"e":7,"a":"x","b":"y"}"#)
    }

    private struct Item: Codable, Equatable {
        struct Part: Codable, Equatable { var name = "[{", count = 1 }
        var id = 1
        var parts = [Part(), Part()]
        var one: Part? = Part()
    }

    /// The tree has a node for each container that is open, however long the document is.
    @Test func `the nodes of encoded values are used again`() throws {
        let tree = JSONTree(encoder: FastJSONEncoder())
        let items = Array(repeating: Item(), count: 1_000)
        try items.encode(to: TreeEncoder(tree: tree, reference: .root))
        #expect(tree.storage.pointee.added > 3_000 && tree.storage.pointee.count == 1)
        let data = try #require(try tree.document(of: items, isKept: true))
        #expect(try FastJSONDecoder().decode([Item].self, from: data) == items)
        #expect(data == (try FastJSONEncoder().encode(items)))
    }

    /// The output of such an encoder has no position in the document.
    @Test(arguments: formattings, 0..<4) func `an encoder used after its value was encoded fails the encoding`(
        _ formatting: JSONEncoder.OutputFormatting, _ use: Int
    ) throws {
        let failure = try #require(throws: EncodingError.self) {
            try encode(formatting) { encoder in
                var list = encoder.unkeyedContainer()
                var kept: (any Encoder)?
                try list.encode(
                    Many { encoder in
                        kept = encoder
                        try 1.encode(to: encoder)
                    })
                let late = try #require(kept)
                #expect(late.codingPath.isEmpty)
                switch use {
                case 0: try 2.encode(to: late)
                case 1: try ["a": 2].encode(to: late)
                case 2: try [2].encode(to: late)
                default: _ = late.unkeyedContainer()
                }
                for number in 0..<100 { try list.encode([number: number]) }
            }
        }
        #expect("\(failure)".contains("an encoder or a container was used after its value had been encoded"))
    }

    @Test(arguments: formattings)
    func `an encoder kept after the end of the encoding does not change the document`(
        _ formatting: JSONEncoder.OutputFormatting
    ) throws {
        var kept: (any Encoder)?
        let text = try encode(formatting) { encoder in
            kept = encoder
            try [1, 2].encode(to: encoder)
        }
        try "late".encode(to: #require(kept))
        #expect(text.filter { !$0.isWhitespace } == "[1,2]")
    }

    @Test(arguments: formattings)
    func `a failed value keeps the members that were encoded before it and during it`(
        _ formatting: JSONEncoder.OutputFormatting
    ) throws {
        let continued = try encode(formatting) { encoder in
            var object = encoder.container(keyedBy: JSONCodingKey.self)
            var same = object
            for _ in 0..<2 { try object.encode(1, forKey: JSONCodingKey("a")) }
            try? object.encode(
                Failing { inner in
                    try 5.encode(to: inner)
                    _ = same.nestedContainer(keyedBy: JSONCodingKey.self, forKey: JSONCodingKey("z"))
                }, forKey: JSONCodingKey("n"))
        }
        #expect(continued.filter { !$0.isWhitespace } == #"{"a":1,"z":{}}"#)
        let followed = try encode(formatting) { encoder in
            var object = encoder.container(keyedBy: JSONCodingKey.self)
            var same = object
            try? object.encode(
                Failing { inner in
                    try 1.encode(to: inner)
                    try same.encode(2, forKey: JSONCodingKey("n"))
                }, forKey: JSONCodingKey("x"))
        }
        #expect(followed.filter { !$0.isWhitespace } == #"{"n":2}"#)
    }

    /// The container is part of an array that an object has replaced.
    @Test(arguments: formattings)
    func `a container of a replaced value changes nothing`(_ formatting: JSONEncoder.OutputFormatting) throws {
        let text = try encode(formatting) { encoder in
            var kept: KeyedEncodingContainer<JSONCodingKey>?
            var place = encoder.singleValueContainer()
            try? place.encode(
                Failing { inner in
                    var list = inner.unkeyedContainer()
                    for _ in 0..<100 { try list.encode(0) }
                    kept = list.nestedContainer(keyedBy: JSONCodingKey.self)
                })
            var object = encoder.container(keyedBy: JSONCodingKey.self)
            for _ in 0..<2 { try kept?.encode(1, forKey: JSONCodingKey("a")) }
            _ = kept?.nestedContainer(keyedBy: JSONCodingKey.self, forKey: JSONCodingKey("b"))
            #expect(kept?.codingPath.map(\.intValue) == [100])
            try object.encode(1, forKey: JSONCodingKey("c"))
        }
        #expect(text.filter { !$0.isWhitespace } == #"{"c":1}"#)
    }

    @Test(arguments: formattings)
    func `a failed value in a container that has begun leaves the container in order`(
        _ formatting: JSONEncoder.OutputFormatting
    ) throws {
        let text = try encode(formatting) { encoder in
            var list = encoder.unkeyedContainer()
            try list.encode(1)
            var place = encoder.singleValueContainer()
            try? place.encode(
                Failing { inner in
                    var same = inner.unkeyedContainer()
                    try same.encode(2)
                })
            try list.encode(3)
        }
        #expect(text.filter { !$0.isWhitespace } == "[1,2,3]")
    }

    @Test(arguments: formattings)
    func `a container that continues a dictionary converts its keys`(
        _ formatting: JSONEncoder.OutputFormatting
    ) throws {
        var encoder = FastJSONEncoder()
        encoder.outputFormatting = formatting
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let data = try encoder.encode(
            Many { encoder in
                var object = encoder.container(keyedBy: JSONCodingKey.self)
                try object.encode(["innerKey": 3], forKey: JSONCodingKey("b"))
                var nested = object.nestedContainer(keyedBy: JSONCodingKey.self, forKey: JSONCodingKey("b"))
                try nested.encode(4, forKey: JSONCodingKey("typeKey"))
            })
        let value = try FastJSONDecoder().decode(JSONValue.self, from: data)
        #expect(value == ["b": ["innerKey": 3, "type_key": 4]])
    }

    /// As a type does that keeps unknown members.
    @Test(arguments: formattings, [false, true])
    func `a dictionary continues an object and replaces its members`(
        _ formatting: JSONEncoder.OutputFormatting, _ hasSchema: Bool
    ) throws {
        let text = try encode(formatting) { encoder in
            var object = encoder.container(keyedBy: JSONCodingKey.self)
            for number in 0..<20 { try object.encode(number, forKey: JSONCodingKey("k\(number)")) }
            if hasSchema {
                try ["k3": "x", "other": "y"].encode(to: encoder)
            } else {
                try JSONValue.object(["k3": "x", "other": "y"]).encode(to: encoder)
            }
        }
        let value = try FastJSONDecoder().decode([String: JSONValue].self, from: Data(text.utf8))
        #expect(value.count == 21 && value["k3"] == "x" && value["other"] == "y")
        #expect(text.utf8.split(separator: "\"k3\"".utf8).count == 2)
    }

    @Test(arguments: formattings)
    func `the depth limit applies to arrays of numbers and strings`(_ formatting: JSONEncoder.OutputFormatting) throws {
        var encoder = FastJSONEncoder()
        encoder.outputFormatting = formatting
        encoder.maximumDepth = 1
        #expect(throws: EncodingError.self) { try encoder.encode(["a": [1]]) }
        #expect(throws: EncodingError.self) { try encoder.encode([["a"]]) }
        #expect(throws: EncodingError.self) { try encoder.encode([[0.5]]) }
        #expect(try FastJSONDecoder().decode([Int].self, from: encoder.encode([1])) == [1])
    }

    private struct Many: Encodable {
        let body: (any Encoder) throws -> Void
        func encode(to encoder: any Encoder) throws { try body(encoder) }
    }

    @Test func `a later value replaces a member whose encoding failed`() throws {
        func encodeMany(_ encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: JSONCodingKey.self)
            for number in 0..<100 {
                var nested = container.nestedUnkeyedContainer(forKey: JSONCodingKey("k\(number)"))
                try nested.encode(number)
            }
        }
        let text = try encode { encoder in
            var place = encoder.singleValueContainer()
            try? place.encode(Failing(body: encodeMany))
            try place.encode(Many(body: encodeMany))
        }
        #expect(text == "{" + (0..<100).map { "\"k\($0)\":[\($0)]" }.joined(separator: ",") + "}")
    }

    /// The second element is added while the first one fails.
    @Test func `array elements keep their positions when an earlier one fails`() throws {
        let text = try encode { encoder in
            var list = encoder.unkeyedContainer()
            var first = list.superEncoder().singleValueContainer()
            try? first.encode(Failing { _ in try list.encode(["x"]) })
            try first.encode(5)
        }
        #expect(text == #"[5,["x"]]"#)
    }
}
