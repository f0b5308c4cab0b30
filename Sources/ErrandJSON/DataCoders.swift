/// A decoder that converts the bytes of a body to a value; the counterpart of ``DataEncoder``.
///
/// ``FastJSONDecoder``, `JSONDecoder` and `PropertyListDecoder` are data decoders. Conform your own type for another
/// format:
///
/// ```swift
/// struct CSVDecoder: DataDecoder {
///     func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value { … }
/// }
/// ```
public protocol DataDecoder: Sendable {
    /// Decodes the value that these bytes represent.
    ///
    /// - Throws: A `DecodingError`, whose coding path is shown to the caller, or another error.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value

    /// Decodes the value that a text represents, such as a server-sent event or a WebSocket message. By default,
    /// decodes the text as data in UTF-8.
    ///
    /// - Throws: The same errors as for data.
    func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value
}

extension DataDecoder {
    /// Decodes the value that a text represents, as data in UTF-8.
    ///
    /// - Throws: The same errors as for data.
    public func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
        try decode(type, from: Data(text.utf8))
    }
}

extension DataDecoder {
    /// Decodes a value, and describes a failure.
    package func value<Value: Decodable>(_ type: Value.Type, from data: Data) throws(DecodingFailure) -> Value {
        do {
            guard let decoder = self as? FastJSONDecoder else { return try decode(type, from: data) }
            return try data.withUnsafeBytes { try decoder.decode(type, from: $0, places: .allErrors) }
        } catch {
            throw DecodingFailure(error, in: data, isJSON: self is JSONDecoder)
        }
    }

    /// Decodes the value that a text represents, and describes a failure.
    package func value<Value: Decodable>(_ type: Value.Type, from text: String) throws(DecodingFailure) -> Value {
        do {
            guard let decoder = self as? FastJSONDecoder else { return try decode(type, from: text) }
            var text = text
            return try text.withUTF8 {
                try decoder.decode(type, from: UnsafeRawBufferPointer($0), places: .allErrors)
            }
        } catch {
            throw DecodingFailure(error, in: Data(text.utf8), isJSON: self is JSONDecoder)
        }
    }

    /// Decodes a value from bytes that need not outlive the call, and describes a failure.
    package func value<Value: Decodable>(
        _ type: Value.Type, from bytes: UnsafeRawBufferPointer
    ) throws(DecodingFailure) -> Value {
        guard let decoder = self as? FastJSONDecoder else { return try value(type, from: Data(bytes)) }
        do {
            return try decoder.decode(type, from: bytes, places: .allErrors)
        } catch {
            throw DecodingFailure(error, in: Data(bytes), isJSON: false)
        }
    }
}

extension FastJSONDecoder: DataDecoder {}
extension JSONDecoder: DataDecoder {}
extension PropertyListDecoder: DataDecoder {}

/// An encoder that converts a value to the bytes of a request body; the counterpart of ``DataDecoder``.
///
/// ``FastJSONEncoder``, `JSONEncoder` and `PropertyListEncoder` are data encoders. Conform your own type for another
/// format:
///
/// ```swift
/// struct CSVEncoder: DataEncoder {
///     func encode<Value: Encodable>(_ value: Value) throws -> Data { … }
/// }
/// ```
public protocol DataEncoder: Sendable {
    /// The media type of the encoded bytes; `nil`, the default, if it is not declared. Errand's
    /// `RequestBody.json(_:)` fails with an encoder that declares a type other than JSON.
    var contentType: String? { get }

    /// Encodes a value as bytes.
    ///
    /// - Throws: An `EncodingError`, whose coding path is shown to the caller, or another error.
    func encode<Value: Encodable>(_ value: Value) throws -> Data
}

extension DataEncoder {
    /// `nil`: the media type is not declared.
    public var contentType: String? { nil }
}

extension FastJSONEncoder: DataEncoder {
    /// `application/json`.
    public var contentType: String? { "application/json" }
}

extension JSONEncoder: DataEncoder {
    /// `application/json`.
    public var contentType: String? { "application/json" }
}

extension PropertyListEncoder: DataEncoder {
    /// `application/x-plist`.
    public var contentType: String? { "application/x-plist" }
}
