/// A decoder that turns the bytes of a body into a value; the counterpart of ``DataEncoder``.
///
/// ``FastJSONDecoder``, `JSONDecoder` and `PropertyListDecoder` are data decoders. Conform your own type for another format:
///
/// ```swift
/// struct CSVDecoder: DataDecoder {
///     func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value { … }
/// }
/// ```
public protocol DataDecoder: Sendable {
    /// Returns the value that these bytes represent.
    ///
    /// - Throws: A `DecodingError`, whose coding path is shown to the caller, or another error.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value

    /// Returns the value that a text represents, which an event or a message of a WebSocket has. By default, the text is decoded as
    /// data in UTF-8.
    ///
    /// - Throws: As for data.
    func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value
}

extension DataDecoder {
    /// Returns the value that a text represents, decoded as data in UTF-8.
    ///
    /// - Throws: As for data.
    public func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
        try decode(type, from: Data(text.utf8))
    }
}

extension FastJSONDecoder: DataDecoder {}
extension JSONDecoder: DataDecoder {}
extension PropertyListDecoder: DataDecoder {}
