/// An encoder that turns a value into the bytes of a request body; the counterpart of ``DataDecoder``.
///
/// ``FastJSONEncoder``, `JSONEncoder` and `PropertyListEncoder` are data encoders. Conform your own type for another format:
///
/// ```swift
/// struct CSVEncoder: DataEncoder {
///     func encode<Value: Encodable>(_ value: Value) throws -> Data { … }
/// }
/// ```
public protocol DataEncoder: Sendable {
    /// The media type of what this encoder writes; `nil`, the default, does not say. `.json(_:)` fails with an encoder whose type is
    /// not JSON.
    var contentType: ContentType? { get }

    /// Returns the value as bytes.
    ///
    /// - Throws: An `EncodingError`, whose coding path is shown to the caller, or another error.
    func encode<Value: Encodable>(_ value: Value) throws -> Data
}

extension DataEncoder {
    /// Does not say.
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
