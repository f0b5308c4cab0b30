extension JSONValue: Codable {
    /// Decodes any value. From ``FastJSONDecoder``, numbers keep their digits; from another decoder, those that it can represent.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? TapeDecoder {
            self = decoder.document.jsonValue(at: decoder.index)
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
        } else if let elements = try? container.decode([JSONValue].self) {
            self = .array(elements)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// Encodes the value. To ``FastJSONEncoder``, numbers keep their digits.
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
    /// Decodes a number. From ``FastJSONDecoder`` it keeps its digits; from another decoder, it is an integer, a `Decimal` or a
    /// `Double`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if decoder is TapeDecoder {
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

    /// Encodes the number. To ``FastJSONEncoder`` with all its digits; to another encoder as an integer, a `Decimal` or a `Double`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if encoder is TreeEncoder {
            try container.encode(self)
        } else if let integer = integer(Int64.self) {
            try container.encode(integer)
        } else if let integer = integer(UInt64.self) {
            try container.encode(integer)
        } else if let decimal {
            try container.encode(decimal)
        } else {
            try container.encode(Double(description) ?? .nan)
        }
    }
}

extension JSONDocument {
    /// Returns a value without a schema. It needs no recursion deeper than the document's limit.
    func jsonValue(at index: Int) -> JSONValue {
        let token = tape[index]
        switch token.kind {
        case .null: return .null
        case .false: return .bool(false)
        case .true: return .bool(true)
        case .number: return .number(JSONNumber(unchecked: String(decoding: tape.text(of: index), as: UTF8.self)))
        case .string, .text, .offset: return .string(tape.string(at: index))
        case .array:
            var elements: [JSONValue] = []
            elements.reserveCapacity(token.length)
            var element = tape.firstChild(of: index)
            while element < token.high {
                elements.append(jsonValue(at: element))
                element = tape.next(after: element)
            }
            return .array(elements)
        case .object:
            var members: [String: JSONValue] = [:]
            members.reserveCapacity(token.length)
            var key = tape.firstChild(of: index)
            while key < token.high {
                let value = tape.next(after: key)
                let name = tape.string(at: key)
                if members[name] == nil { members[name] = jsonValue(at: value) }
                key = tape.next(after: value)
            }
            return .object(members)
        }
    }
}
