/// A key strategy, a layout and a document: the decoded value is encoded and decoded again, and the containers return
/// the value that is decoded without a type.
@Sendable func fuzzJSON(_ input: consuming FuzzInput) {
    var input = input
    let options = input.number()
    let document = input.data
    var decoder = FastJSONDecoder()
    if options & 1 != 0 { decoder.keyDecodingStrategy = .convertFromSnakeCase }
    if options & 16 != 0 { decoder.keyDecodingStrategy = .custom { $0.last ?? AnyKey(stringValue: "") } }
    var encoder = FastJSONEncoder()
    if options & 2 != 0 { encoder.outputFormatting.insert(.prettyPrinted) }
    if options & 4 != 0 { encoder.outputFormatting.insert(.sortedKeys) }
    if options & 8 != 0 { encoder.outputFormatting.insert(.withoutEscapingSlashes) }

    let value: JSONValue
    do {
        value = try decoder.decode(JSONValue.self, from: document)
    } catch {
        expect(error is DecodingError, "the error of a document is another one")
        expect((try? decoder.decode(Everything.self, from: document)) == nil, "what is not JSON is decoded")
        return
    }
    expect(value.hashValue == value.hashValue, "a value has two hashes")
    if let kept = try? decoder.decode(Kept.self, from: Data(document)) { kept.checkAgain() }
    // The types request missing values, and catch the errors.
    _ = try? decoder.decode(Everything.self, from: document)
    _ = try? decoder.decode([Everything].self, from: document)
    _ = try? decoder.decode([String: JSONValue].self, from: document)
    do {
        let text = try encoder.encode(value)
        let again = try FastJSONDecoder().decode(JSONValue.self, from: text)
        expect(again == value, "a value is not read as it was written")
        if options & 4 != 0 { expect(try encoder.encode(again) == text, "a sorted value is written in two ways") }
        let walked = try FastJSONDecoder().decode(Walked.self, from: document)
        expect(!walked.isComparable || walked.value == value, "containers give another value")
        expect(
            try FastJSONDecoder().decode(JSONValue.self, from: encoder.encode(walked)) == walked.value,
            "a value is not read as containers wrote it")
    } catch {
        fatalError("a value cannot be read again: \(error)")
    }
}

private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// A type that keeps its container after the document is released.
private struct Kept: Decodable {
    private let object: KeyedDecodingContainer<AnyKey>
    private let presence: [Bool]
    private static let names = ["missing", "a", "k1", "k39", ""]

    init(from decoder: any Decoder) throws {
        object = try decoder.container(keyedBy: AnyKey.self)
        presence = Self.presence(in: object)
    }

    func checkAgain() {
        expect(Self.presence(in: object) == presence, "an object that was kept has other keys")
        for key in object.allKeys { _ = try? object.decode(JSONValue.self, forKey: key) }
    }

    private static func presence(in object: KeyedDecodingContainer<AnyKey>) -> [Bool] {
        names.map { object.contains(AnyKey(stringValue: $0)) }
    }
}

/// A type with members of many types, each of which may be missing or not fit.
private struct Everything: Decodable {
    enum Key: String, CodingKey, CaseIterable {
        case a, b, c, camelCase
        case empty = ""
        case quote = "\""
        case superclass = "super"
    }

    private struct Nested: Decodable {
        var a: [Nested]?
        var b: [String: Nested]?
        var c: Int?
    }

    init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        for key in Key.allCases {
            let isThere = object.contains(key)
            expect(isThere == ((try? object.decodeNil(forKey: key)) != nil), "there, and not there")
            Self.read(Int.self, of: object, key)
            Self.read(Int8.self, of: object, key)
            Self.read(UInt64.self, of: object, key)
            Self.read(Int128.self, of: object, key)
            Self.read(Float.self, of: object, key)
            Self.read(Double.self, of: object, key)
            Self.read(Bool.self, of: object, key)
            Self.read(String.self, of: object, key)
            Self.read(Decimal.self, of: object, key)
            Self.read(URL.self, of: object, key)
            Self.read(Data.self, of: object, key)
            Self.read(Date.self, of: object, key)
            Self.read([Double].self, of: object, key)
            Self.read([String].self, of: object, key)
            Self.read([String: Int].self, of: object, key)
            Self.read(JSONNumber.self, of: object, key)
            Self.read(Nested.self, of: object, key)
            if let inner = try? object.nestedContainer(keyedBy: Key.self, forKey: key) {
                expect(inner.codingPath.count == object.codingPath.count + 1, "a path has another length")
                _ = try? inner.superDecoder().singleValueContainer().decode(Int.self)
                _ = try? inner.decode(Nested.self, forKey: .a)
            }
            if var inner = try? object.nestedUnkeyedContainer(forKey: key) {
                _ = try? inner.decode(Int.self)
                _ = try? inner.nestedContainer(keyedBy: Key.self)
                _ = try? inner.nestedUnkeyedContainer()
                _ = try? inner.superDecoder().container(keyedBy: Key.self)
                _ = try? inner.decode(Everything.self)
                expect(inner.codingPath.count == object.codingPath.count + 1, "a path has another length")
            }
            if let inner = try? object.superDecoder(forKey: key) {
                expect(inner.codingPath.count == object.codingPath.count + 1, "a path has another length")
            }
        }
    }

    private static func read<Value: Decodable>(
        _ type: Value.Type, of object: KeyedDecodingContainer<Key>, _ key: Key
    ) {
        do {
            let value = try object.decodeIfPresent(type, forKey: key)
            expect(value == nil || object.contains(key), "a value of a key that is not there")
        } catch let error as DecodingError {
            expect(!"\(error)".isEmpty, "an error without a text")
        } catch {
            fatalError("another error: \(error)")
        }
    }
}

/// A value that is decoded from, and encoded to, the containers of the standard library.
private struct Walked: Codable {
    let value: JSONValue
    /// Whether no object has two keys that are equal to a dictionary, but not to a decoder.
    let isComparable: Bool
    private let path: [String]

    init(from decoder: any Decoder) throws {
        path = decoder.codingPath.map(\.stringValue)
        if let object = try? decoder.container(keyedBy: AnyKey.self) {
            var members: JSONValue.Object = [:]
            var isComparable = true
            for key in object.allKeys {
                expect(object.contains(key), "a key that is not there")
                let member = try object.decode(Self.self, forKey: key)
                expect(member.path == path + [key.stringValue], "the path of a member differs")
                isComparable = isComparable && member.isComparable
                if members.updateValue(member.value, forKey: key.stringValue) != nil { isComparable = false }
            }
            (value, self.isComparable) = (.object(members), isComparable)
        } else if var array = try? decoder.unkeyedContainer() {
            var elements: [JSONValue] = []
            var isComparable = true
            while !array.isAtEnd {
                expect((try? array.decode(Never.self)) == nil, "an element of a type without values")
                let element = try array.decode(Self.self)
                expect(element.path == path + ["Index \(elements.count)"], "the path of an element differs")
                isComparable = isComparable && element.isComparable
                elements.append(element.value)
            }
            expect(array.count == elements.count && array.currentIndex == elements.count, "an element is lost")
            (value, self.isComparable) = (.array(elements), isComparable)
        } else {
            value = try Self.leaf(decoder.singleValueContainer())
            isComparable = true
        }
    }

    private static func leaf(_ container: any SingleValueDecodingContainer) throws -> JSONValue {
        if container.decodeNil() { return .null }
        if let bool = try? container.decode(Bool.self) { return .bool(bool) }
        if let string = try? container.decode(String.self) { return .string(string) }
        let number = try container.decode(JSONNumber.self)
        let double = try? container.decode(Double.self)
        expect(double == nil || double == number.double, "a number differs from that of the standard library")
        expect(double != nil || number.double.map { $0 == 0 } ?? true, "a number is refused")
        if let double {
            // The number is written with the fewest digits, and read again.
            let text = try FastJSONEncoder().encode([double])
            let expected = "[\(double)]".replacing(".0]", with: "]")
            expect(String(decoding: text, as: UTF8.self) == expected, "a number is not written as Swift does")
            expect(try FastJSONDecoder().decode([Double].self, from: text) == [double], "a number is not read again")
        }
        let float = try? container.decode(Float.self)
        expect(float == nil || float == Float(number.description), "a number differs as Float")
        for integer in [try? container.decode(Int.self), number.int] {
            expect(integer == nil || JSONNumber(integer ?? 0) == number, "an integer differs")
        }
        return .number(number)
    }

    func encode(to encoder: any Encoder) throws {
        try Self.write(value, to: encoder)
    }

    private static func write(_ value: JSONValue, to encoder: any Encoder) throws {
        switch value {
        case .object(let members):
            var object = encoder.container(keyedBy: AnyKey.self)
            for (name, member) in members {
                let key = AnyKey(stringValue: name)
                switch member {
                case .object: try write(member, to: object.superEncoder(forKey: key))
                case .null: try object.encodeNil(forKey: key)
                case .array(let elements):
                    // The next member is written before the elements of the array are.
                    var array = object.nestedUnkeyedContainer(forKey: key)
                    try object.encode(true, forKey: AnyKey(stringValue: name))
                    for element in elements { try write(element, to: array.superEncoder()) }
                    try object.encode(member, forKey: key)
                default: try object.encode(member, forKey: key)
                }
            }
        case .array(let elements):
            var array = encoder.unkeyedContainer()
            let places = elements.map { _ in array.superEncoder() }
            expect(array.count == elements.count, "an element is not counted")
            for (place, element) in zip(places, elements).reversed() { try write(element, to: place) }
        case .bool, .null, .number, .string:
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }
}
