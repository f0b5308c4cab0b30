/// The decoder and encoder of an API that names none: JSON without settings.
///
/// A type of its own, so that ``APIBase/decoder`` and ``APIBase/encoder`` can be set or overridden, and a service still knows
/// whether the request named one.
struct PlainJSONCoder: DataDecoder, DataEncoder {
    var contentType: ContentType? { .json }

    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try FastJSONDecoder().decode(type, from: data)
    }

    func encode<Value: Encodable>(_ value: Value) throws -> Data {
        try FastJSONEncoder().encode(value)
    }

    /// Whether a decoder or encoder is this one. Unlike `is`, it does not search for conformances.
    static func isType(of coder: any Sendable) -> Bool { type(of: coder) == PlainJSONCoder.self }
}
