/// What turns the bytes of a body into a value.
///
/// `JSONDecoder` and `PropertyListDecoder` are data decoders; conform your own for another format.
///
/// ```swift
/// struct CSVDecoder: DataDecoder {
///     func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value { … }
/// }
/// ```
public protocol DataDecoder: Sendable {
    /// The value that these bytes are.
    ///
    /// - Throws: A `DecodingError`, whose coding path will be shown to the caller, or an error of its own.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONDecoder: DataDecoder {}
extension PropertyListDecoder: DataDecoder {}
