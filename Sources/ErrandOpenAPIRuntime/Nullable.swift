/// A value, or `null`, for a member that a request may send as `null`.
///
/// An optional property of this type has three states: absent (`nil`), `null` (`.null`), and a value.
///
/// ```swift
/// struct BookChanges: Encodable { var subtitle: Nullable<String>? }
///
/// BookChanges(subtitle: .null)                // {"subtitle": null} removes it
/// BookChanges(subtitle: "A Novel")            // {"subtitle": "A Novel"}
/// BookChanges()                               // {} keeps it
/// ```
public enum Nullable<Value> {
    /// The value `null`.
    case null
    /// A value.
    case value(Value)

    /// Creates a value, or `null` for `nil`.
    public init(_ value: Value?) {
        self = value.map { .value($0) } ?? .null
    }

    /// The value; `nil` for `null`.
    public var value: Value? { if case .value(let value) = self { value } else { nil } }
}

extension Nullable: Equatable where Value: Equatable {}
extension Nullable: Hashable where Value: Hashable {}
extension Nullable: Sendable where Value: Sendable {}

extension Nullable: Decodable where Value: Decodable {
    /// Decodes a value or `null`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = container.decodeNil() ? .null : .value(try container.decode(Value.self))
    }
}

extension Nullable: Encodable where Value: Encodable {
    /// Encodes the value or `null`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .value(let value): try container.encode(value)
        }
    }
}

extension Nullable: ExpressibleByUnicodeScalarLiteral, ExpressibleByExtendedGraphemeClusterLiteral,
    ExpressibleByStringLiteral
where Value: ExpressibleByStringLiteral {
    /// A text.
    public init(stringLiteral value: Value.StringLiteralType) { self = .value(Value(stringLiteral: value)) }
}

extension Nullable: ExpressibleByIntegerLiteral where Value: ExpressibleByIntegerLiteral {
    /// A whole number.
    public init(integerLiteral value: Value.IntegerLiteralType) { self = .value(Value(integerLiteral: value)) }
}

extension Nullable: ExpressibleByBooleanLiteral where Value: ExpressibleByBooleanLiteral {
    /// A Boolean.
    public init(booleanLiteral value: Value.BooleanLiteralType) { self = .value(Value(booleanLiteral: value)) }
}

// The compiler chooses this overload for the coding that it synthesizes.
extension KeyedDecodingContainer {
    /// Decodes an absent member as `nil`, and `null` as ``Nullable/null``.
    public func decodeIfPresent<Value: Decodable>(
        _ type: Nullable<Value>.Type, forKey key: Key
    ) throws -> Nullable<Value>? {
        guard contains(key) else { return nil }
        return try decodeNil(forKey: key) ? .null : .value(try decode(Value.self, forKey: key))
    }
}
