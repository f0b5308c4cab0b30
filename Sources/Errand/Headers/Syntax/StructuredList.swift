/// A list of items with parameters in a structured header field (RFC 9651, section 3.1).
///
/// Integers, strings, tokens and byte sequences keep their values. Decimals, Booleans and dates must be well formed and
/// become ``BareItem/other``, because no field that Errand reads needs them. Inner lists and display strings are not
/// supported, and count as malformed.
struct StructuredList {
    /// A value without its parameters.
    enum BareItem: Hashable {
        case integer(Int)
        /// A string or a token.
        case text(String)
        case bytes(Data)
        case other
    }

    struct Item: Hashable {
        var value: BareItem
        var parameters: [String: BareItem]
    }

    let items: [Item]

    /// Parses the value of a field, with the values of repeated fields joined by commas. Returns `nil` if any part of
    /// it is malformed.
    init?(_ text: String) {
        var parser = StructuredFieldParser(text)
        guard let items = parser.list() else { return nil }
        self.items = items
    }
}

/// A dictionary of items in a structured header field (RFC 9651, section 3.2). ``StructuredList`` describes the
/// supported items.
struct StructuredDictionary {
    /// The values by name, without their parameters. If a name is repeated, the last value counts.
    let values: [String: StructuredList.BareItem]

    /// Parses the value of a field, with the values of repeated fields joined by commas. Returns `nil` if any part of
    /// it is malformed.
    init?(_ text: String) {
        var parser = StructuredFieldParser(text)
        guard let values = parser.dictionary() else { return nil }
        self.values = values
    }
}

/// The parser for the values of structured header fields (RFC 9651, section 4.2).
struct StructuredFieldParser {
    private var reader: ByteReader<ArraySlice<UInt8>>

    init(_ text: String) {
        reader = ByteReader(Array(text.utf8)[...].trimming { $0 == UInt8(ascii: " ") })
    }

    mutating func list() -> [StructuredList.Item]? {
        var items: [StructuredList.Item] = []
        if reader.isAtEnd { return items }
        while true {
            guard let value = bareItem(), let parameters = parameters() else { return nil }
            items.append(StructuredList.Item(value: value, parameters: parameters))
            reader.skipBlanks()
            if reader.isAtEnd { return items }
            guard reader.skip(",") else { return nil }
            reader.skipBlanks()
        }
    }

    mutating func dictionary() -> [String: StructuredList.BareItem]? {
        var values: [String: StructuredList.BareItem] = [:]
        if reader.isAtEnd { return values }
        while true {
            guard let key = key() else { return nil }
            // A name without a value means the Boolean true.
            guard let value = reader.skip("=") ? bareItem() : .other, parameters() != nil else { return nil }
            values[key] = value
            reader.skipBlanks()
            if reader.isAtEnd { return values }
            guard reader.skip(",") else { return nil }
            reader.skipBlanks()
        }
    }

    private mutating func parameters() -> [String: StructuredList.BareItem]? {
        var parameters: [String: StructuredList.BareItem] = [:]
        while reader.skip(";") {
            reader.skipSpaces()
            guard let key = key() else { return nil }
            guard reader.skip("=") else {
                parameters[key] = .other
                continue
            }
            guard let value = bareItem() else { return nil }
            parameters[key] = value
        }
        return parameters
    }

    private mutating func key() -> String? {
        guard let first = reader.next, first == UInt8(ascii: "*") || first.isLowercaseLetter else { return nil }
        let key = reader.take { $0.isLowercaseLetter || $0.isDigit || "_-.*".utf8.contains($0) }
        return String(decoding: key, as: UTF8.self)
    }

    private mutating func bareItem() -> StructuredList.BareItem? {
        guard let first = reader.next else { return nil }
        switch first {
        case UInt8(ascii: "\""): return string().map(StructuredList.BareItem.text)
        case UInt8(ascii: "-"), 0x30...0x39: return number()
        case UInt8(ascii: ":"): return bytes().map(StructuredList.BareItem.bytes)
        case UInt8(ascii: "?"):
            // A Boolean.
            reader.take()
            return reader.skip("0") || reader.skip("1") ? .other : nil
        case UInt8(ascii: "@"):
            // A date, in seconds since 1970.
            reader.take()
            guard case .integer? = number() else { return nil }
            return .other
        case UInt8(ascii: "*"), 0x41...0x5A, 0x61...0x7A:
            let token = reader.take { $0.isTokenCharacter || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
            return .text(String(decoding: token, as: UTF8.self))
        default: return nil
        }
    }

    /// Parses an integer of at most 15 digits, or a decimal with at most 12 digits before and 3 after the point.
    private mutating func number() -> StructuredList.BareItem? {
        let isNegative = reader.skip("-")
        let digits = reader.take(while: \.isDigit)
        if reader.skip(".") {
            let fraction = reader.take(while: \.isDigit)
            return 1...12 ~= digits.count && 1...3 ~= fraction.count ? .other : nil
        }
        guard 1...15 ~= digits.count, let value = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
        return .integer(isNegative ? -value : value)
    }

    /// Parses a string, whose opening quotation mark is next.
    private mutating func string() -> String? {
        reader.take()
        var characters: [UInt8] = []
        while let next = reader.take() {
            switch next {
            case UInt8(ascii: "\""): return String(decoding: characters, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = reader.take(), "\"\\".utf8.contains(escaped) else { return nil }
                characters.append(escaped)
            case 0x20...0x7E: characters.append(next)
            default: return nil
            }
        }
        return nil
    }

    /// Parses a byte sequence, whose first colon is next: Base64 between colons, with or without padding.
    private mutating func bytes() -> Data? {
        reader.take()
        var text = reader.take { $0.isLowercaseLetter || $0.isDigit || 0x41...0x5A ~= $0 || "+/=".utf8.contains($0) }
        while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
        guard reader.skip(":") else { return nil }
        return Data(base64Encoded: Data(text))
    }
}
