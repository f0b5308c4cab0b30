/// The decoder and encoder of an API that does not set its own: JSON without settings.
///
/// It has its own type, so that ``APIBase/decoder`` and ``APIBase/encoder`` can be set or overridden, and a service can
/// still detect whether the request has set one.
struct PlainJSONCoder: DataDecoder, DataEncoder {
    var contentType: ContentType? { .json }

    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try FastJSONDecoder().decode(type, from: data)
    }

    func encode<Value: Encodable>(_ value: Value) throws -> Data {
        try FastJSONEncoder().encode(value)
    }

    /// Returns `true` if a decoder or encoder has this type. Unlike `is`, it does not search for conformances.
    static func isType(of coder: any Sendable) -> Bool { type(of: coder) == PlainJSONCoder.self }
}
