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
    /// Returns the value as bytes.
    ///
    /// - Throws: An `EncodingError`, whose coding path is shown to the caller, or another error.
    func encode<Value: Encodable>(_ value: Value) throws -> Data
}

extension FastJSONEncoder: DataEncoder {}
extension JSONEncoder: DataEncoder {}
extension PropertyListEncoder: DataEncoder {}
