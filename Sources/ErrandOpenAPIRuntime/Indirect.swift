/// Stores a value outside of its struct, so that a struct can contain a value of the same type.
///
/// ```swift
/// struct Folder: Codable {
///     var name: String
///     private var storedParent: Indirect<Folder?>
/// }
/// ```
public struct Indirect<Value> {
    // One element, which an array stores outside.
    private var storage: [Value]

    /// Creates storage for a value.
    public init(_ value: Value) {
        storage = [value]
    }

    /// The value.
    public var value: Value {
        get { storage[0] }
        set { storage[0] = newValue }
    }
}

extension Indirect: Equatable where Value: Equatable {}
extension Indirect: Hashable where Value: Hashable {}
extension Indirect: Sendable where Value: Sendable {}

extension Indirect: Decodable where Value: Decodable {
    /// Decodes the value.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(Value.self))
    }
}

extension Indirect: Encodable where Value: Encodable {
    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

// The compiler chooses these overloads for the coding that it synthesizes.
extension KeyedDecodingContainer {
    /// Decodes an absent member, and `null`, as `nil`.
    public func decode<Value: Decodable>(_ type: Indirect<Value?>.Type, forKey key: Key) throws -> Indirect<Value?> {
        Indirect(try decodeIfPresent(Value.self, forKey: key))
    }

    /// Decodes an absent member as `nil`, and `null` as ``Nullable/null``.
    public func decode<Value: Decodable>(
        _ type: Indirect<Nullable<Value>?>.Type, forKey key: Key
    ) throws -> Indirect<Nullable<Value>?> {
        Indirect(try decodeIfPresent(Nullable<Value>.self, forKey: key))
    }
}

extension KeyedEncodingContainer {
    /// Omits the member if the value is `nil`.
    public mutating func encode<Value: Encodable>(_ value: Indirect<Value?>, forKey key: Key) throws {
        try encodeIfPresent(value.value, forKey: key)
    }
}
