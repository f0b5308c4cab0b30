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
    /// The media type of the encoded bytes; `nil`, the default, if it is not declared. `.json(_:)` fails with an
    /// encoder that declares a type other than JSON.
    var contentType: ContentType? { get }

    /// Encodes a value as bytes.
    ///
    /// - Throws: An `EncodingError`, whose coding path is shown to the caller, or another error.
    func encode<Value: Encodable>(_ value: Value) throws -> Data
}

extension DataEncoder {
    /// Not declared.
    public var contentType: ContentType? { nil }
}

extension FastJSONEncoder: DataEncoder {
    /// `application/json`.
    public var contentType: ContentType? { .json }
}

extension JSONEncoder: DataEncoder {
    /// `application/json`.
    public var contentType: ContentType? { .json }
}

extension PropertyListEncoder: DataEncoder {
    /// `application/x-plist`.
    public var contentType: ContentType? { .propertyList }
}
