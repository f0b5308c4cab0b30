/// A type, options, and a document that mostly fits the type: Errand and Foundation decode the same value or both fail,
/// except as the guide's table lists.
@Sendable func fuzzJSONBesideFoundation(_ input: consuming FuzzInput) {
    var input = input
    let options = input.number()
    var errand = FastJSONDecoder()
    let foundation = JSONDecoder()
    if options & 1 != 0 {
        errand.keyDecodingStrategy = .convertFromSnakeCase
        foundation.keyDecodingStrategy = .convertFromSnakeCase
    }
    let dates: [JSONDecoder.DateDecodingStrategy] = [
        .deferredToDate, .secondsSince1970, .millisecondsSince1970, .iso8601,
    ]
    errand.dateDecodingStrategy = dates[(options >> 1) & 3]
    foundation.dateDecodingStrategy = dates[(options >> 1) & 3]
    if options & 8 != 0 {
        errand.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "text", negativeInfinity: "-inf", nan: "")
        foundation.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "text", negativeInfinity: "-inf", nan: "")
    }
    if options & 16 != 0 {
        errand.dataDecodingStrategy = .deferredToData
        foundation.dataDecodingStrategy = .deferredToData
    }
    guard options & 32 == 0 else {
        // The unchanged document, for types that the compiler knows.
        let document = input.data
        compare(document, as: Sample.self, errand, foundation)
        compare(document, as: [Sample].self, errand, foundation)
        compare(document, as: JSONPart.self, errand, foundation)
        compare(document, as: Shapes.self, errand, foundation)
        return
    }
    let schema = JSONSchema(&input, depth: 3)
    var document = Data(schema.document(&input).utf8)
    if options & 64 != 0 {
        // A part of the document is changed.
        for _ in 0..<(1 + options >> 7) where !document.isEmpty {
            let place = document.startIndex + (input.number() << 8 | input.number()) % document.count
            switch input.number() % 3 {
            case 0: document.remove(at: place)
            case 1: document.insert(UInt8(truncatingIfNeeded: input.number()), at: place)
            default: document[place] = UInt8(truncatingIfNeeded: input.number())
            }
        }
    }
    Generated.$schema.withValue(schema) { compare(document, as: Generated.self, errand, foundation) }
}

private func compare<Value: Decodable & Equatable>(
    _ document: Data, as type: Value.Type, _ errand: FastJSONDecoder, _ foundation: JSONDecoder
) {
    let comparison = JSONComparison(document, as: type, errand, foundation)
    expect(comparison.isExplained, "\(comparison), by \(Generated.schema)")
}

/// Types with compiler-generated conformances for what `Sample` does not have.
private struct Shapes: Decodable, Equatable {
    enum Choice: Decodable, Equatable {
        case none
        case one(Int)
        case named(a: String, b: Double?)
    }

    struct Numbers: Decodable, Equatable {
        var a: Int16
        var b: UInt8
        var ab: Int32?
        var camelCase: Int64?
    }

    var a: Choice?
    var b: [Choice]?
    var ab: Numbers?
    var camelCase: [String: [Int: Bool?]]?
    var snakeCase: Bool?
}

/// A value of the type that the schema describes, as a text.
private struct Generated: Decodable, Equatable {
    @TaskLocal static var schema = JSONSchema.leaf(.bool)

    let value: String

    init(from decoder: any Decoder) throws {
        value = try Self.read(Self.schema, from: decoder)
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private static func read(_ schema: JSONSchema, from decoder: any Decoder) throws -> String {
        switch schema {
        case .leaf(let leaf):
            let container = try decoder.singleValueContainer()
            return try leaf.read { try container.decode($0) }
        case .optional(let schema):
            let container = try decoder.singleValueContainer()
            if container.decodeNil() { return "nil" }
            return try $schema.withValue(schema) { try container.decode(Generated.self).value }
        case .array(let schema):
            return try $schema.withValue(schema) { "\(try [Generated](from: decoder).map(\.value))" }
        case .dictionary(let schema):
            let container = try decoder.singleValueContainer()
            return try $schema.withValue(schema) {
                let members = try container.decode([String: Generated].self)
                return "\(members.map { "\($0.key): \($0.value.value)" }.sorted())"
            }
        case .object(let members):
            let object = try decoder.container(keyedBy: Key.self)
            let values = try members.map { member in try read(member, of: object) }
            return "\(object.allKeys.map(\.stringValue).sorted()) \(values)"
        }
    }

    private static func read(_ member: JSONSchema.Member, of object: KeyedDecodingContainer<Key>) throws -> String {
        let key = Key(stringValue: member.key)
        return try $schema.withValue(member.schema) {
            switch (member.access, member.schema) {
            case (.value, .leaf(let leaf)): return try leaf.read { try object.decode($0, forKey: key) }
            case (.valueIfPresent, .leaf(let leaf)):
                var isThere = true
                let value = try? leaf.read {
                    let value = try object.decodeIfPresent($0, forKey: key)
                    isThere = value != nil
                    guard let value else { throw CancellationError() }
                    return value
                }
                if !isThere { return "nil" }
                return try value ?? leaf.read { try object.decode($0, forKey: key) }
            case (.valueIfPresent, _): return try object.decodeIfPresent(Generated.self, forKey: key)?.value ?? "nil"
            case (.container, .object(let members)):
                let nested = try object.nestedContainer(keyedBy: Key.self, forKey: key)
                return "\(try members.map { try read($0, of: nested) })"
            case (.container, .array(let schema)):
                var nested = try object.nestedUnkeyedContainer(forKey: key)
                var values: [String] = []
                try $schema.withValue(schema) {
                    while !nested.isAtEnd { values.append(try nested.decode(Generated.self).value) }
                }
                return "\(values) \(nested.count ?? -1)"
            case (.superDecoder, _): return try read(member.schema, from: object.superDecoder(forKey: key))
            default: return try object.decode(Generated.self, forKey: key).value
            }
        }
    }
}

extension JSONSchema.Leaf {
    /// Reads a value by a closure that decodes any type.
    fileprivate func read(_ decode: (any Decodable.Type) throws -> any Decodable) throws -> String {
        func text<Value: Decodable>(_ type: Value.Type) throws -> Value {
            guard let value = try decode(type) as? Value else { fatalError("decoded another type than was requested") }
            return value
        }
        switch self {
        case .bool: return "\(try text(Bool.self))"
        case .string: return try text(String.self)
        case .int: return "\(try text(Int.self))"
        case .int8: return "\(try text(Int8.self))"
        case .int16: return "\(try text(Int16.self))"
        case .uint8: return "\(try text(UInt8.self))"
        case .uint32: return "\(try text(UInt32.self))"
        case .uint64: return "\(try text(UInt64.self))"
        case .int128: return "\(try text(Int128.self))"
        case .uint128: return "\(try text(UInt128.self))"
        case .float: return "\(try text(Float.self))"
        case .double: return "\(try text(Double.self))"
        case .decimal: return "\(try text(Decimal.self))"
        case .url: return try text(URL.self).absoluteString
        case .date: return "\(try text(Date.self).timeIntervalSinceReferenceDate)"
        case .data: return try text(Data.self).base64EncodedString()
        case .strings: return "\(try text([String].self))"
        case .integers: return "\(try text([Int].self))"
        case .doubles: return "\(try text([Double].self))"
        case .counts: return "\(try text([String: Int].self).sorted { $0.key < $1.key })"
        case .numbered: return "\(try text([Int: String].self).sorted { $0.key < $1.key })"
        case .key: return "\(try text([JSONPart].self))"
        }
    }
}
