/// A list of items with parameters, as structured fields write it (RFC 9651, section 3.1).
///
/// Read as far as fields of names, numbers and bytes need it: other values have to be well formed, and are not kept. Inner
/// lists and display strings are not read.
struct StructuredList {
    /// A value by itself.
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

    /// The list that a field says, its lines joined by commas; nil when any of it is malformed.
    init?(_ text: String) {
        var reading = StructuredReading(text)
        guard let items = reading.list() else { return nil }
        self.items = items
    }
}

/// A dictionary of items with parameters, as structured fields write it (RFC 9651, section 3.2): as much of it as of a list.
struct StructuredDictionary {
    /// The values; of a name that is repeated, the last.
    let values: [String: StructuredList.BareItem]

    /// The dictionary that a field says, its lines joined by commas; nil when any of it is malformed.
    init?(_ text: String) {
        var reading = StructuredReading(text)
        guard let values = reading.dictionary() else { return nil }
        self.values = values
    }
}

private struct StructuredReading {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) {
        rest = Array(text.utf8)[...]
        while rest.last == UInt8(ascii: " ") { rest.removeLast() }
    }

    mutating func list() -> [StructuredList.Item]? {
        var items: [StructuredList.Item] = []
        skipSpaces()
        if rest.isEmpty { return items }
        while true {
            guard let value = bareItem(), let parameters = parameters() else { return nil }
            items.append(StructuredList.Item(value: value, parameters: parameters))
            skipSpaces(andTabs: true)
            if rest.isEmpty { return items }
            guard skip(",") else { return nil }
            skipSpaces(andTabs: true)
        }
    }

    mutating func dictionary() -> [String: StructuredList.BareItem]? {
        var values: [String: StructuredList.BareItem] = [:]
        skipSpaces()
        if rest.isEmpty { return values }
        while true {
            guard let key = key() else { return nil }
            // A name alone is true.
            guard let value = skip("=") ? bareItem() : .other, parameters() != nil else { return nil }
            values[key] = value
            skipSpaces(andTabs: true)
            if rest.isEmpty { return values }
            guard skip(",") else { return nil }
            skipSpaces(andTabs: true)
        }
    }

    private mutating func parameters() -> [String: StructuredList.BareItem]? {
        var parameters: [String: StructuredList.BareItem] = [:]
        while skip(";") {
            skipSpaces()
            guard let key = key() else { return nil }
            guard skip("=") else {
                parameters[key] = .other
                continue
            }
            guard let value = bareItem() else { return nil }
            parameters[key] = value
        }
        return parameters
    }

    private mutating func key() -> String? {
        guard let first = rest.first, first == UInt8(ascii: "*") || first.isSmallLetter else { return nil }
        let key = take { $0.isSmallLetter || $0.isDigit || "_-.*".utf8.contains($0) }
        return String(decoding: key, as: UTF8.self)
    }

    private mutating func bareItem() -> StructuredList.BareItem? {
        guard let first = rest.first else { return nil }
        switch first {
        case UInt8(ascii: "\""): return string().map(StructuredList.BareItem.text)
        case UInt8(ascii: "-"), 0x30...0x39: return number()
        case UInt8(ascii: ":"): return bytes().map(StructuredList.BareItem.bytes)
        case UInt8(ascii: "?"):
            rest = rest.dropFirst()
            return skip("0") || skip("1") ? .other : nil
        case UInt8(ascii: "@"):
            rest = rest.dropFirst()
            guard case .integer? = number() else { return nil }
            return .other
        case UInt8(ascii: "*"), 0x41...0x5A, 0x61...0x7A:
            let token = take { $0.isTokenCharacter || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
            return .text(String(decoding: token, as: UTF8.self))
        default: return nil
        }
    }

    /// An integer of at most 15 digits, or a decimal of at most 12 and 3.
    private mutating func number() -> StructuredList.BareItem? {
        let isNegative = skip("-")
        let digits = take(while: \.isDigit)
        if skip(".") {
            let fraction = take(while: \.isDigit)
            return 1...12 ~= digits.count && 1...3 ~= fraction.count ? .other : nil
        }
        guard 1...15 ~= digits.count, let value = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
        return .integer(isNegative ? -value : value)
    }

    private mutating func string() -> String? {
        rest = rest.dropFirst()
        var characters: [UInt8] = []
        while let next = rest.popFirst() {
            switch next {
            case UInt8(ascii: "\""): return String(decoding: characters, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst(), "\"\\".utf8.contains(escaped) else { return nil }
                characters.append(escaped)
            case 0x20...0x7E: characters.append(next)
            default: return nil
            }
        }
        return nil
    }

    /// A byte sequence: Base64 between colons, with its padding or without.
    private mutating func bytes() -> Data? {
        rest = rest.dropFirst()
        var text = take { $0.isSmallLetter || $0.isDigit || 0x41...0x5A ~= $0 || "+/=".utf8.contains($0) }
        while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
        guard skip(":") else { return nil }
        return Data(base64Encoded: Data(text))
    }

    private mutating func take(while isWanted: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let taken = rest.prefix(while: isWanted)
        rest = rest.dropFirst(taken.count)
        return taken
    }

    private mutating func skip(_ character: Character) -> Bool {
        guard let first = rest.first, first == character.asciiValue else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func skipSpaces(andTabs: Bool = false) {
        rest = rest.drop { $0 == UInt8(ascii: " ") || (andTabs && $0 == UInt8(ascii: "\t")) }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { 0x30...0x39 ~= self }
    fileprivate var isSmallLetter: Bool { 0x61...0x7A ~= self }
}
