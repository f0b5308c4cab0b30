/// Any JSON value, for documents, or parts of documents, that have no Swift type.
///
/// ```swift
/// let document = try decoder.decode(JSONValue.self, from: data)
/// document["items"]?[0]?["name"]?.string      // "Ingrid"
/// document[pointer: "/items/9/name"]         // nil
/// let body: JSONValue = ["name": "Ingrid", "tags": ["a", "b"], "age": 41]
/// ```
///
/// Numbers keep their digits. Objects are dictionaries: they compare without regard to order, and of a key that occurs
/// twice, the first value counts.
///
/// A decoded value has at most 512 arrays and objects, one inside the other, whatever the decoder's
/// ``FastJSONDecoder/maximumDepth`` is. Code can nest values deeper, but releasing them takes stack for each level. Its
/// arrays and objects take at most 20 times the memory of the document and 4 MiB; usual documents take 2 to 15 times.
public enum JSONValue: Sendable {
    /// The maximum depth of the arrays and objects of a decoded value. It is limited because a value is released by
    /// recursion, on any thread.
    static let maximumDepth = 512

    /// The members of an object.
    public typealias Object = [String: JSONValue]

    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number with its digits.
    case number(JSONNumber)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object(Object)

    /// The value of a member; `nil` if this is not an object or does not have it.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    /// An element, counted from 0; `nil` if this is not an array or has fewer.
    public subscript(index: Int) -> JSONValue? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// The value at a JSON Pointer (RFC 6901), such as `/items/0/name`; `nil` if the value is missing or the pointer is
    /// invalid.
    ///
    /// The empty pointer is the whole value. In a key, `~1` stands for a slash and `~0` for a tilde.
    public subscript(pointer pointer: String) -> JSONValue? {
        JSONPointer(pointer)?.tokens.reduce(self as JSONValue?) { value, token in
            guard case .array? = value else { return value?[token] }
            return JSONPointer.index(token).flatMap { value?[$0] }
        }
    }

    /// Whether this is `null`.
    public var isNull: Bool { self == .null }
    /// The boolean; `nil` for another kind of value.
    public var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
    /// The number; `nil` for another kind of value.
    public var number: JSONNumber? { if case .number(let number) = self { number } else { nil } }
    /// The number as an `Int`; `nil` for another kind of value, a fraction, or a number that does not fit.
    public var int: Int? { number?.int }
    /// The number as the nearest `Double`; `nil` for another kind of value, or a number that is too large or too small.
    public var double: Double? { number?.double }
    /// The string; `nil` for another kind of value.
    public var string: String? { if case .string(let string) = self { string } else { nil } }
    /// The elements; `nil` for another kind of value.
    public var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    /// The members; `nil` for another kind of value.
    public var object: Object? { if case .object(let members) = self { members } else { nil } }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByStringInterpolation,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// `null`.
    public init(nilLiteral: ()) { self = .null }
    /// A boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A whole number.
    public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
    /// A number with the fewest digits that stand for the literal; `null` if the literal is too large for a `Double`.
    public init(floatLiteral value: Double) { self = JSONNumber(value).map { .number($0) } ?? .null }
    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object; of a key that occurs twice, the first value counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { first, _ in first })
    }
}

// Comparison does not recurse, and hashing recurses four levels at most, so that deep values do not use more of the
// stack.
extension JSONValue: Hashable {
    /// Whether two values are equal: objects without regard to order, and numbers by their value.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        var pairs = [(left, right)]
        while let pair = pairs.popLast() {
            switch pair {
            case (.null, .null): continue
            case (.bool(let left), .bool(let right)): guard left == right else { return false }
            case (.number(let left), .number(let right)): guard left == right else { return false }
            case (.string(let left), .string(let right)): guard left == right else { return false }
            case (.array(let left), .array(let right)):
                guard left.count == right.count else { return false }
                pairs += zip(left, right)
            case (.object(let left), .object(let right)):
                guard left.count == right.count else { return false }
                for (key, value) in left {
                    guard let other = right[key] else { return false }
                    pairs.append((value, other))
                }
            default: return false
            }
        }
        return true
    }

    /// Hashes the value. Of an array or object inside four others, it hashes only the count.
    public func hash(into hasher: inout Hasher) { hash(into: &hasher, levels: 4) }

    /// - Parameter levels: The number of levels below this value that are hashed.
    private func hash(into hasher: inout Hasher, levels: Int) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let bool): hasher.combine(bool)
        case .number(let number): hasher.combine(number)
        case .string(let string): hasher.combine(string)
        case .array(let elements):
            hasher.combine(elements.count)
            guard levels > 0 else { return }
            for element in elements { element.hash(into: &hasher, levels: levels - 1) }
        case .object(let members):
            hasher.combine(members.count)
            guard levels > 0 else { return }
            // The members have no order, so their hashes are combined without regard to order.
            var combined = 0
            for (key, value) in members {
                var member = Hasher()
                member.combine(key)
                value.hash(into: &member, levels: levels - 1)
                combined ^= member.finalize()
            }
            hasher.combine(combined)
        }
    }
}
