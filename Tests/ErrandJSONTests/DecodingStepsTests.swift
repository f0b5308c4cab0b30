import ErrandJSON
import Foundation
import TestTools
import Testing

/// Counts the steps of decoding by how often a custom strategy converts a key. Twice the keys take at most about twice
/// the steps, in whatever order a type reads them.
struct `The steps of decoding` {
    /// Keeps the containers of all elements, and reads the keys from the last to the first, each from every container.
    private struct Kept: Decodable {
        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            var containers: [KeyedDecodingContainer<AnyKey>] = []
            while !list.isAtEnd { containers.append(try list.nestedContainer(keyedBy: AnyKey.self)) }
            let count = try containers[0].decode(Int.self, forKey: AnyKey("K0"))
            for number in (0..<count).reversed() {
                for container in containers {
                    guard try container.decode(Int.self, forKey: AnyKey("K\(number)")) == count else {
                        throw Fault.first
                    }
                    guard !container.contains(AnyKey("MISSING\(number)")) else { throw Fault.second }
                }
            }
        }
    }

    /// Nested objects.
    private struct Chain: Decodable {
        let next: [Chain]

        private enum CodingKeys: String, CodingKey { case next = "NEXT" }
    }

    private func conversions<Value: Decodable>(_ type: Value.Type, _ document: String) throws -> Int {
        let count = Counter()
        var decoder = FastJSONDecoder()
        decoder.maximumDepth = 2_000
        decoder.keyDecodingStrategy = .custom { path in
            count.increase()
            return AnyKey(path[path.count - 1].stringValue.uppercased())
        }
        _ = try decoder.decode(type, from: document)
        return count.count
    }

    /// The number of names that a lookup compares depends on the hash, which differs between processes. It is less than
    /// two on average.
    @Test(arguments: [20, 40, 80])
    func `each key lookup takes few steps in interleaved containers`(_ keys: Int)
        throws
    {
        let object = "{" + (0..<keys).map { "\"k\($0)\":\(keys)" }.joined(separator: ",") + "}"
        let document = "[" + Array(repeating: object, count: 100).joined(separator: ",") + "]"
        let conversions = try conversions(Kept.self, document)
        let lookups = 100 * keys * 2
        #expect(conversions <= lookups * 5)
    }

    /// Tries another kind of value first, as types of several forms do.
    private struct Either: Decodable {
        struct Key: CodingKey {
            static let made = Counter()
            let stringValue: String
            var intValue: Int? { nil }

            init(stringValue: String) {
                self.stringValue = stringValue
                Self.made.increase()
            }

            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            if (try? decoder.singleValueContainer().decode(Int.self)) != nil { return }
            let members = try decoder.container(keyedBy: Key.self)
            for key in members.allKeys { _ = try members.decode(Either.self, forKey: key) }
        }
    }

    /// The error for each value has the keys of its coding path, which are not made anew.
    @Test func `the steps for values that do not fit grow linearly with the depth of the document`() throws {
        func keys(_ depth: Int) throws -> Int {
            let members = (0..<8).map { "\"k\($0)\":{}," }.joined()
            let document =
                String(repeating: "{\(members)\"next\":", count: depth) + "{}" + String(repeating: "}", count: depth)
            let before = Either.Key.made.count
            _ = try FastJSONDecoder().decode(Either.self, from: Data(document.utf8))
            return Either.Key.made.count - before
        }
        let (few, many) = (try keys(100), try keys(200))
        #expect(many <= few * 5 / 2, "\(few), \(many)")
    }

    @Test func `the decoding steps grow linearly with the depth of the document`() throws {
        func document(_ depth: Int) -> String {
            String(repeating: #"{"next":["#, count: depth) + #"{"next":[]}"# + String(repeating: "]}", count: depth)
        }
        let (few, many) = (try conversions(Chain.self, document(100)), try conversions(Chain.self, document(200)))
        #expect(many <= few * 5 / 2, "\(few), \(many)")
    }
}
