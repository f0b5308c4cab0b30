import Foundation
import Testing

@testable import ErrandJSON

/// Counts the steps of encoding by the nodes that it creates and the bytes that it searches for repeated keys. Twice
/// the size takes at most about twice the steps, whatever containers a type uses and in whatever order.
struct `The steps of encoding` {
    private typealias Body = (any Encoder) throws -> Void

    private struct Value: Encodable {
        let body: Body
        func encode(to encoder: any Encoder) throws { try body(encoder) }
    }

    private struct Failing: Encodable {
        var body: Body = { _ in }
        func encode(to encoder: any Encoder) throws {
            try body(encoder)
            throw CancellationError()
        }
    }

    private func steps(
        _ formatting: JSONEncoder.OutputFormatting, isLaidOut: Bool = false, _ body: Body
    ) throws -> Int {
        var encoder = FastJSONEncoder()
        encoder.outputFormatting = formatting
        let tree = JSONTree(encoder: encoder, isLaidOut: isLaidOut)
        try body(TreeEncoder(tree: tree, reference: .root))
        do {
            _ = try tree.document(of: 0, isKept: true)
            return Int(tree.storage.pointee.added) + tree.searched
        } catch is JSONTree.MustBeLaidOut {
            let laidOut = try steps(formatting, isLaidOut: true, body)
            return laidOut + Int(tree.storage.pointee.added) + tree.searched
        }
    }

    /// - Parameters:
    ///   - runs: The number of measurements of each size. More than one for dictionaries: their order differs each
    ///     time, and the number of steps depends on it.
    ///   - body: Encodes a value of the given size.
    private func expectLinear(
        _ size: Int = 1_000, runs: Int = 1, _ body: (Int, any Encoder) throws -> Void
    ) throws {
        for formatting in [[], [.sortedKeys], [.prettyPrinted]] as [JSONEncoder.OutputFormatting] {
            let few = try (0..<runs).map { _ in try steps(formatting) { try body(size, $0) } }.max() ?? 0
            let many = try (0..<runs).map { _ in try steps(formatting) { try body(2 * size, $0) } }.min() ?? .max
            #expect(few >= size && many <= few * 5 / 2, "\(few), \(many)")
        }
    }

    private func key(_ number: Int) -> AnyKey { AnyKey("key\(number)") }

    @Test func `the encoding steps grow linearly with the number of nested containers`() throws {
        try expectLinear { size, encoder in
            var object = encoder.container(keyedBy: AnyKey.self)
            for number in 0..<size {
                var nested = object.nestedContainer(keyedBy: AnyKey.self, forKey: key(number))
                try nested.encode(number, forKey: key(number))
            }
        }
    }

    @Test func `the encoding steps grow linearly with the number of continued containers`() throws {
        try expectLinear { size, encoder in
            var object = encoder.container(keyedBy: AnyKey.self)
            for number in 0..<3 * size {
                var nested = object.nestedUnkeyedContainer(forKey: key(number % size))
                try nested.encode(number)
                try object.encode(number, forKey: AnyKey("last"))
            }
        }
    }

    @Test func `the encoding steps grow linearly with the number of failing members`() throws {
        try expectLinear { size, encoder in
            var object = encoder.container(keyedBy: AnyKey.self)
            for number in 0..<size {
                try? object.encode(Failing(), forKey: key(number))
                try object.encode(number, forKey: key(number))
                _ = object.nestedUnkeyedContainer(forKey: AnyKey("list\(number)"))
            }
        }
    }

    /// The failing element is the last one, or others are added while it is encoded.
    @Test(arguments: [false, true])
    func `the encoding steps grow linearly with the number of failing elements`(_ isFollowed: Bool) throws {
        try expectLinear { size, encoder in
            var array = encoder.unkeyedContainer()
            var other = encoder.unkeyedContainer()
            for number in 0..<size {
                try? array.encode(Failing { _ in if isFollowed { try other.encode(["\(number)"]) } })
            }
            try array.encode(size)
        }
    }

    @Test func `the encoding steps grow linearly with the number of replaced failures`() throws {
        try expectLinear { size, encoder in
            var array = encoder.unkeyedContainer()
            for number in 0..<size {
                var place = array.superEncoder().singleValueContainer()
                for _ in 0..<3 {
                    try? place.encode(
                        Failing { encoder in
                            var object = encoder.container(keyedBy: AnyKey.self)
                            _ = object.nestedUnkeyedContainer(forKey: AnyKey("a"))
                            _ = object.nestedUnkeyedContainer(forKey: AnyKey("a"))
                        })
                }
                try place.encode(number)
            }
        }
    }

    @Test func `the encoding steps grow linearly with the number of repeated members`() throws {
        try expectLinear { size, encoder in
            var object = encoder.container(keyedBy: AnyKey.self)
            for number in 0..<2 * size { try object.encode(["\(number)"], forKey: key(number % size)) }
        }
    }

    /// Twice as deep, and twice as wide at each depth.
    @Test func `the encoding steps grow linearly with the depth and width of dictionaries`() throws {
        func nested(_ depth: Int, _ width: Int) -> Value {
            Value { encoder in
                var object = encoder.container(keyedBy: AnyKey.self)
                for number in 0..<width { try object.encode(number, forKey: key(number)) }
                if depth > 1 { try object.encode(nested(depth - 1, width), forKey: AnyKey("next")) }
                for number in 0..<width { try object.encode(number, forKey: key(width + number)) }
            }
        }
        try expectLinear(50) { size, encoder in try nested(size, 60).encode(to: encoder) }
        try expectLinear(50) { size, encoder in try nested(60, size).encode(to: encoder) }
        func value(_ depth: Int, _ width: Int) -> JSONValue {
            let keys = (0..<width).map { ("key\($0)", JSONValue.number(JSONNumber($0))) }
            let members = Dictionary(uniqueKeysWithValues: keys)
            return (1..<depth).reduce(.object(members)) { value, _ in
                .object(members.merging(["next": value]) { first, _ in first })
            }
        }
        try expectLinear(25, runs: 24) { size, encoder in try value(size, 40).encode(to: encoder) }
        try expectLinear(25, runs: 24) { size, encoder in try value(40, size).encode(to: encoder) }
    }

    @Test func `the encoding steps grow linearly with interleaved containers`() throws {
        try expectLinear { size, encoder in
            var array = encoder.unkeyedContainer()
            var objects = (0..<10).map { _ in array.nestedContainer(keyedBy: AnyKey.self) }
            for number in 0..<size { try objects[number % 10].encode(number, forKey: key(number)) }
        }
    }
}
