import Foundation

@testable import ErrandJSON

/// A value generated from numbers, with the container methods that encode it.
indirect enum EncodedValue: Encodable {
    case leaf(any Encodable & Sendable)
    case array([Element])
    case object([Member])
    case dictionary([String: EncodedValue])
    case numbered([Int: EncodedValue])
    /// Encodes a value and fails. Foundation stops the program if a container is encoded after such an error was
    /// caught.
    case failing(EncodedValue)
    case nothing

    struct Element {
        let value: EncodedValue
        let access: Access
    }

    struct Member {
        let key: JSONCodingKey
        let value: EncodedValue
        let access: Access
    }

    enum Access: CaseIterable { case value, container, superEncoder }

    private static let keys = [
        "a", "b", "ab", "camelCase", "snake_case", "myURLProperty", "_x", "é", "a long key of an object", "a/\"b\n", "",
    ]

    init(depth: Int, _ next: () -> Int) {
        let choice = next()
        func value() -> EncodedValue { EncodedValue(depth: depth - 1, next) }
        func access() -> Access { Access.allCases[next() % Access.allCases.count] }
        switch depth > 0 ? choice % 12 : 0 {
        case 1, 2: self = .array((0..<choice / 12 % 4).map { _ in Element(value: value(), access: access()) })
        case 3, 4, 5:
            var members: [Member] = []
            for _ in 0..<choice / 12 % 6 {
                let key = Self.keys[next() % Self.keys.count]
                let member = Member(key: JSONCodingKey(key), value: value(), access: access())
                // Foundation stops the program if a container replaces a value.
                let others = members.filter { $0.key.stringValue == key }
                if others.isEmpty || member.access == .value && others.allSatisfy({ $0.access == .value }) {
                    members.append(member)
                }
            }
            self = .object(members)
        case 6:
            let members = (0..<choice / 12 % 4).map { _ in (Self.keys[next() % Self.keys.count], value()) }
            self = .dictionary(Dictionary(members) { first, _ in first })
        case 7: self = .numbered(Dictionary((0..<choice / 12 % 3).map { ($0, value()) }) { first, _ in first })
        case 8: self = choice / 12 % 16 == 0 ? .failing(value()) : .leaf(Self.leaf(next(), next()))
        case 9: self = choice / 12 % 4 == 0 ? .nothing : value()
        default: self = .leaf(Self.leaf(next(), next()))
        }
    }

    private static func leaf(_ kind: Int, _ choice: Int) -> any Encodable & Sendable {
        func pick<Value>(_ values: [Value]) -> Value { values[choice % values.count] }
        let texts = ["", "text", "naïve 東京 🚢", "a\nb\"c\\d/\u{1}\u{7F}\u{2028}", "camelCase"]
        let doubles: [Double] = [
            0.1, -0.0, 1, 1e15, 1e16, 1e17, .leastNonzeroMagnitude, 1.7976931348623157e308, 123_456.789, -1e-7,
        ]
        let dates = [0, 1.5, -978_307_200, 1_700_000_000.123, 1e10, -1e9].map { Date(timeIntervalSince1970: $0) }
        switch kind % 20 {
        case 0: return choice % 2 == 0
        case 1: return pick([Int.min, -1, 0, 9, 10, 99, 100, .max])
        case 2: return pick([Int8.min, .max])
        case 3: return pick([UInt64.max, 0])
        case 4: return pick([Int128.min, .max, 1])
        case 5: return pick(doubles + [.infinity, -.infinity, .nan])
        case 6: return pick([Float(1.1), 0.5, 1e20, .leastNonzeroMagnitude, -0.0, .infinity, .nan])
        case 7:
            return pick(
                ["1.50", "1e30", "-1e-30", "12345678901234567890.5", "NaN"].map { Decimal(string: $0) ?? .nan })
        case 8: return pick(texts)
        case 9: return URL(string: pick(["https://example.com/a?b=c", "a%20b"]))
        case 10: return pick(dates)
        case 11: return pick([Data(), Data([0, 1, 255]), Data("text".utf8)])
        case 12: return Array(texts.prefix(choice % 6))
        case 13: return Array([1, -2, 300].prefix(choice % 4))
        case 14: return Array((doubles + [.infinity]).dropFirst(choice % 12))
        case 15: return Array(dates.prefix(choice % 4))
        case 16: return ["camelCase": choice, "b": 1]
        case 17: return ["camelCase": ["innerKey": pick(dates)]]
        case 18: return [Data([1]), Data()]
        default: return Int?.none
        }
    }

    // MARK: Encoding

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .leaf(let leaf):
            var container = encoder.singleValueContainer()
            try container.encode(leaf)
        case .array(let elements):
            var array = encoder.unkeyedContainer()
            try Self.write(elements, to: &array)
        case .object(let members):
            var object = encoder.container(keyedBy: JSONCodingKey.self)
            try Self.write(members, to: &object)
        case .dictionary(let members):
            var container = encoder.singleValueContainer()
            try container.encode(members)
        case .numbered(let members):
            var container = encoder.singleValueContainer()
            try container.encode(members)
        case .failing(let value):
            try value.encode(to: encoder)
            throw CancellationError()
        case .nothing: break
        }
    }

    private static func write(_ elements: [Element], to array: inout any UnkeyedEncodingContainer) throws {
        for element in elements {
            switch (element.access, element.value) {
            case (.container, .array(let elements)):
                var nested = array.nestedUnkeyedContainer()
                try write(elements, to: &nested)
            case (.container, .object(let members)):
                var nested = array.nestedContainer(keyedBy: JSONCodingKey.self)
                try write(members, to: &nested)
            case (.superEncoder, let value): try value.encode(to: array.superEncoder())
            case (_, .leaf(let leaf)): try array.encode(leaf)
            case (_, let value): try array.encode(value)
            }
        }
    }

    private static func write(_ members: [Member], to object: inout KeyedEncodingContainer<JSONCodingKey>) throws {
        for member in members {
            switch (member.access, member.value) {
            case (.container, .array(let elements)):
                var nested = object.nestedUnkeyedContainer(forKey: member.key)
                try write(elements, to: &nested)
            case (.container, .object(let members)):
                var nested = object.nestedContainer(keyedBy: JSONCodingKey.self, forKey: member.key)
                try write(members, to: &nested)
            case (.superEncoder, let value): try value.encode(to: object.superEncoder(forKey: member.key))
            case (_, .leaf(let leaf)): try object.encode(leaf, forKey: member.key)
            case (_, let value): try object.encode(value, forKey: member.key)
            }
        }
    }

    // MARK: Properties

    /// Returns `true` if this value or one that it contains fulfills a condition.
    func contains(where isMeant: (EncodedValue) -> Bool) -> Bool {
        if isMeant(self) { return true }
        return switch self {
        case .leaf, .nothing: false
        case .array(let elements): elements.contains { $0.value.contains(where: isMeant) }
        case .object(let members): members.contains { $0.value.contains(where: isMeant) }
        case .dictionary(let members): members.values.contains { $0.contains(where: isMeant) }
        case .numbered(let members): members.values.contains { $0.contains(where: isMeant) }
        case .failing(let value): value.contains(where: isMeant)
        }
    }

    var isDecimalNaN: Bool {
        if case .leaf(let leaf) = self, let decimal = leaf as? Decimal { decimal.isNaN } else { false }
    }

    /// Whether parts of it are encoded by other methods than `encode`.
    var hasNestedContainers: Bool {
        switch self {
        case .array(let elements): elements.contains { $0.access != .value }
        case .object(let members): members.contains { $0.access != .value }
        default: false
        }
    }
}
