/// The encoder of a body's values. While a started request is built, it can have a maximum size, so that a longer body
/// is encoded later, outside the caller's actor.
struct BodyEncoder: Sendable {
    /// The encoder of the API, for values without their own.
    let encoder: any DataEncoder
    /// The maximum size in bytes; `nil` for none.
    private(set) var maximumSize: Int?

    /// Returns this encoder with a maximum size.
    func limited(to size: Int) -> BodyEncoder {
        var encoder = self
        encoder.maximumSize = size
        return encoder
    }

    /// Encodes a value. The maximum size applies only to a ``/ErrandJSON/FastJSONEncoder``, which can stop at it.
    ///
    /// - Parameter own: The value's own encoder; `nil` for that of the API.
    /// - Throws: ``LongBody`` for a document above the maximum size; otherwise the errors of the encoder.
    func encode(_ value: some Encodable, with own: (any DataEncoder)?) throws -> Data {
        let encoder = own ?? encoder
        guard let maximumSize, let fast = encoder as? FastJSONEncoder else { return try encoder.encode(value) }
        guard let data = try fast.encode(value, atMost: maximumSize) else { throw LongBody() }
        return data
    }

    /// Compresses data with gzip.
    ///
    /// - Throws: ``LongBody`` for data above the maximum size.
    func compress(_ data: Data) throws -> Data {
        if let maximumSize, data.count > maximumSize { throw LongBody() }
        return try data.gzipped()
    }
}

/// The error of a body that is longer than the maximum size of its ``BodyEncoder``. ``RequestBody`` catches it, and
/// encodes the body when the request is sent.
struct LongBody: Error {}

/// A sentence that says where and why a value could not be encoded. It contains the keys of the place, but not the
/// value.
struct EncodingFailure: CustomStringConvertible {
    let description: String

    /// - Returns: `nil` for an error that is not an `EncodingError`, because its text could contain the value.
    init?(_ error: any Error) {
        guard case EncodingError.invalidValue(let value, let context) = error else { return nil }
        let reason =
            Self.isNotFinite(value)
            ? "it is not a finite number" : "the encoder does not accept this value of type \(type(of: value))"
        description = "\(context.codingPath.writtenOut) cannot be encoded: \(reason)"
    }

    private static func isNotFinite(_ value: Any) -> Bool {
        switch value {
        case let value as Double: !value.isFinite
        case let value as Float: !value.isFinite
        default: false
        }
    }
}
