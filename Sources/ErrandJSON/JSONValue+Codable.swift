extension JSONValue: Codable {
    /// Decodes any value. From ``FastJSONDecoder``, numbers keep their digits; from another decoder, those that it can
    /// represent.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? TapeDecoder {
            self = try decoder.document.jsonValue(at: decoder.index)
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if let string = try? container.decode(String.self) {
            self = .string(string)
        } else if let number = try? container.decode(JSONNumber.self) {
            self = .number(number)
        } else if (try? decoder.unkeyedContainer()) != nil {
            self = .array(try container.decode([JSONValue].self))
        } else if (try? decoder.container(keyedBy: JSONCodingKey.self)) != nil {
            self = .object(try container.decode([String: JSONValue].self))
        } else {
            // Throws why the value is not a number, for example because it is too large.
            self = .number(try container.decode(JSONNumber.self))
        }
    }

    /// Encodes the value. In ``FastJSONEncoder``, numbers keep their digits.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let bool): try container.encode(bool)
        case .number(let number): try container.encode(number)
        case .string(let string): try container.encode(string)
        case .array(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }
}

extension JSONNumber: Codable {
    /// Decodes a number. From ``FastJSONDecoder`` it keeps its digits; from another decoder, it is an integer, a
    /// `Decimal` or a `Double`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if decoder is TapeDecoder {
            // The container reads the digits itself, and does not call this initializer.
            self = try container.decode(JSONNumber.self)
        } else if let integer = try? container.decode(Int64.self) {
            self.init(integer)
        } else if let integer = try? container.decode(UInt64.self) {
            self.init(integer)
        } else if let decimal = try? container.decode(Decimal.self), let number = JSONNumber(decimal) {
            self = number
        } else if let number = JSONNumber(try container.decode(Double.self)) {
            self = number
        } else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "the number is not finite")
        }
    }

    /// Encodes the number. In ``FastJSONEncoder``, it keeps all its digits; in another encoder, it becomes an integer,
    /// a `Decimal` or a `Double`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if encoder is TreeEncoder {
            // The container writes the digits itself, and does not call this method.
            try container.encode(self)
        } else if let integer = integer(Int64.self) {
            try container.encode(integer)
        } else if let integer = integer(UInt64.self) {
            try container.encode(integer)
        } else if let decimal {
            try container.encode(decimal)
        } else {
            // An encoder refuses NaN, and so a number that does not fit in a `Double`.
            try container.encode(double ?? .nan)
        }
    }
}

extension JSONValue {
    /// Decodes this value as a type.
    ///
    /// - Throws: `EncodingError` for a value that is nested too deeply; `DecodingError` with the coding path of the
    ///   value that cannot be decoded. Its ``Swift/DecodingError/jsonLocation`` is `nil`, since this value is not part
    ///   of a document.
    public func decoded<Value: Decodable>(
        as type: Value.Type, decoder: FastJSONDecoder = FastJSONDecoder()
    ) throws -> Value {
        try FastJSONEncoder().encode(self).withUnsafeBytes { try decoder.decode(type, from: $0, places: .none) }
    }

    /// Creates the JSON value that an encoder writes for a value.
    ///
    /// - Throws: As ``FastJSONEncoder/encode(_:)``; `DecodingError` for a value that is nested more than 512 deep.
    public init(encoding value: some Encodable, encoder: FastJSONEncoder = FastJSONEncoder()) throws {
        self = try FastJSONDecoder().decode(JSONValue.self, from: encoder.encode(value))
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as compact JSON with sorted keys; a remark in place of a value that is nested more than 512 deep.
    public var description: String { formatted([.sortedKeys, .withoutEscapingSlashes]) }

    /// The value as JSON with sorted keys and line breaks.
    public var prettyPrinted: String { formatted([.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]) }

    private func formatted(_ formatting: JSONEncoder.OutputFormatting) -> String {
        (try? FastJSONEncoder(formatting: formatting).encode(self)).map { String(decoding: $0, as: UTF8.self) }
            ?? "a value that is nested too deeply"
    }
}
