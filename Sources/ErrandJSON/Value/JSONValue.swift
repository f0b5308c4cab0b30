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
/// ``FastJSONDecoder/maximumDepth`` is. Code can nest values deeper, but releasing them takes stack for each level.
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
    /// A number with the fewest digits that stand for the literal.
    public init(floatLiteral value: Double) { self = JSONNumber(value).map { .number($0) } ?? .null }
    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object; of a key that occurs twice, the first value counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { first, _ in first })
    }
}
