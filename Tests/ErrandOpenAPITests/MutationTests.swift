import Foundation
import TestTools
import Testing

@testable import ErrandOpenAPI

@Suite struct MutationTests {
    private static let document = """
        openapi: 3.1.0
        info: {title: Test, version: '1'}
        servers: [{url: 'https://{a}.example.com', variables: {a: {default: b}}}]
        security: [{key: []}]
        paths:
          /items/{id}:
            parameters: [{name: id, in: path, required: true, schema: {type: string}}]
            get:
              operationId: items
              parameters: [{name: q, in: query, style: deepObject, schema: {$ref: '#/components/schemas/A'}}]
              responses:
                '200': {description: x, content: {application/json: {schema: {$ref: '#/components/schemas/U'}}}}
                default: {description: x, content: {application/json: {schema: {$ref: '#/components/schemas/B'}}}}
            post:
              requestBody: {content: {multipart/form-data: {schema: {$ref: '#/components/schemas/A'}}}}
              responses: {'204': {description: x}}
        components:
          securitySchemes: {key: {type: apiKey, in: query, name: key}}
          schemas:
            A: {type: object, required: [a], properties: {a: &a {type: string, format: date-time}, b: {$ref: '#/components/schemas/B'}}}
            B: {allOf: [{$ref: '#/components/schemas/A'}, {properties: {c: {enum: [x, 1, null]}, d: *a}}]}
            U: {oneOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/B'}, {type: [string, integer]}], discriminator: {propertyName: c, mapping: {x: A}}}
            T: {type: array, items: {type: object, additionalProperties: {$ref: '#/components/schemas/T'}}}
        """

    /// The words that a mutation puts in place of others.
    private static let words = document.split { ":,{}[] \n'".contains($0) }.map(String.init)

    /// The same document in JSON.
    private static let json = Node.json(of: document)

    /// A million mutations in a deep check, and five thousand in the gate.
    private static let count = ProcessInfo.processInfo.environment["ERRAND_DEEP"] == "openapi" ? 1_000_000 : 5_000

    @Test(arguments: 0..<10)
    func `a damaged document does not crash the generator`(_ part: Int) throws {
        let isJSON = part % 2 == 1
        let original = isJSON ? try #require(Self.json) : Self.document
        var random = SeededChance(seed: UInt64(part))
        for _ in 0..<Self.count / 10 {
            var text = Array(original.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<text.count, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: text[place] = UInt8.random(in: 0x20...0x7E, using: &random)
                case 1: text.remove(at: place)
                case 2: text.insert(contentsOf: " {[]}:,&*'\"".utf8.shuffled(using: &random).prefix(2), at: place)
                case 3: text.removeSubrange(place..<min(text.count, place + Int.random(in: 1...60, using: &random)))
                default:
                    guard let from = Self.words.randomElement(using: &random),
                        let to = Self.words.randomElement(using: &random)
                    else { continue }
                    text = Array(
                        String(decoding: text, as: UTF8.self).replacing(from, with: to, maxReplacements: 2).utf8)
                }
                if text.isEmpty { text = Array("a".utf8) }
            }
            let generated = Generated(String(decoding: text, as: UTF8.self))
            #expect(!generated.files.isEmpty || !generated.messages.isEmpty)
        }
    }

    @Test(arguments: 1...5)
    func `the order of the members has no effect`(_ seed: UInt64) throws {
        let json = try #require(Self.json)
        let root = try #require(Loader(Diagnostics()) { _ in Array(json.utf8) }.root(of: "a.json"))
        var random = SeededChance(seed: seed)
        let shuffled = root.shuffled(["paths", "schemas", "/items/{id}"], &random).json
        #expect(Generated(shuffled).files == Generated(json).files)
        #expect(Generated(shuffled).tests == Generated(json).tests)
    }

    @Test func `YAML and JSON of a document lead to equal files`() throws {
        let json = try #require(Self.json)
        #expect(Generated(json).files == Generated(Self.document).files)
        #expect(Generated(json).tests == Generated(Self.document).tests)
    }

    @Test func `the order of paths and schemas has no effect`() {
        let first = Generated(Self.document).files
        var lines = Self.document.split(separator: "\n").map(String.init)
        // The anchor, in the first schema, must come before its alias.
        lines = lines.dropLast(3) + lines.suffix(3).reversed()
        #expect(Generated(lines.joined(separator: "\n")).files == first)
    }
}

extension Node {
    /// This value with the members of some objects in another order.
    fileprivate func shuffled(_ keys: Set<String>, _ random: inout some RandomNumberGenerator) -> Node {
        func inner(_ members: [Member], _ random: inout some RandomNumberGenerator) -> [Member] {
            members.map { member in
                var value = member.value.shuffled(keys, &random)
                if keys.contains(member.key) {
                    value = Node(.object(value.members.shuffled(using: &random)), like: value)
                }
                return Member(key: member.key, offset: member.offset, value: value)
            }
        }
        switch content {
        case .object(let members): return Node(.object(inner(members, &random)), like: self)
        case .array(let elements): return Node(.array(elements.map { $0.shuffled(keys, &random) }), like: self)
        case .null, .bool, .number, .string: return self
        }
    }

    /// A YAML document as JSON.
    fileprivate static func json(of yaml: String) -> String? {
        Loader(Diagnostics()) { _ in Array(yaml.utf8) }.root(of: "a.yaml").map(\.json)
    }
}
