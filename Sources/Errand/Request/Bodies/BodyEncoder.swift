/// The encoder of a body's values, and the size up to which it encodes them.
struct BodyEncoder: Sendable {
    /// The encoder of the API, for values without their own.
    let encoder: any DataEncoder
    /// The maximum size in bytes; `nil` for none.
    private(set) var maximumSize: Int?

    init(encoder: any DataEncoder) {
        self.encoder = encoder
    }

    func limited(to size: Int) -> BodyEncoder {
        var encoder = self
        encoder.maximumSize = size
        return encoder
    }

    /// Encodes a value. Only a ``/ErrandJSON/FastJSONEncoder`` can stop at the maximum size.
    ///
    /// - Parameter own: The value's own encoder; `nil` for that of the API.
    /// - Throws: ``LongBody`` for a longer document; otherwise the errors of the encoder.
    func encode(_ value: some Encodable, with own: (any DataEncoder)?) throws -> Data {
        let encoder = own ?? encoder
        guard let maximumSize, let fast = encoder as? FastJSONEncoder else { return try encoder.encode(value) }
        guard let data = try fast.encode(value, atMost: maximumSize) else { throw LongBody() }
        return data
    }

    /// Compresses data, unless it is longer than the maximum size.
    func compress(_ data: Data) throws -> Data {
        if let maximumSize, data.count > maximumSize { throw LongBody() }
        return try data.gzipped()
    }
}

/// The body is longer than the maximum size of its ``BodyEncoder``.
struct LongBody: Error {}
