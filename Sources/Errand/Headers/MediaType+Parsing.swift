// Read as bytes, since every answer's is.

extension MediaType {
    /// - Parameter leniently: Whether spaces around the slash pass, and broken parameters are left out.
    static func parsed(_ text: String, leniently isLenient: Bool) -> MediaType? {
        text.withBytes { bytes in
            // Most are written as they are kept, and without parameters.
            if let slash = slash(inKept: bytes) { return MediaType(essence: text, slash: slash, parameters: []) }
            let end = bytes.firstIndex(of: UInt8(ascii: ";")) ?? bytes.count
            let front = bytes[..<end].trimmingBlanks
            guard let slash = front.firstIndex(of: UInt8(ascii: "/")) else { return nil }
            let (type, subtype) = (front[..<slash], front[(slash + 1)...])
            let (trimmedType, trimmedSubtype) = (type.trimmingBlanks, subtype.trimmingBlanks)
            guard trimmedType.isToken, trimmedSubtype.isToken else { return nil }
            let isTight = trimmedType.count == type.count && trimmedSubtype.count == subtype.count
            guard isTight || isLenient else { return nil }
            let parameters = parameters(in: bytes[end...])
            guard parameters != nil || isLenient else { return nil }
            let essence = "\(trimmedType.lowercasedText)/\(trimmedSubtype.lowercasedText)"
            return MediaType(essence: essence, slash: trimmedType.count, parameters: parameters ?? [])
        }
    }

    /// Where the slash is in a type and subtype in small letters with nothing around them; nil for anything else.
    private static func slash(inKept bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var slash = 0
        for index in 0..<bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "/"), slash == 0 {
                slash = index
            } else if !byte.isTokenCharacter || byte != byte.loweredASCII {
                return nil
            }
        }
        return slash > 0 && slash + 1 < bytes.count ? slash : nil
    }

    /// The parameters behind an essence, each behind its semicolon; nil when one is broken. Between two semicolons there
    /// may be none (RFC 9110, section 5.6.6).
    private static func parameters(in bytes: Slice<UnsafeBufferPointer<UInt8>>) -> [Parameter]? {
        var parameters: [Parameter] = []
        var rest = bytes.trimmingBlanks
        while rest.first == UInt8(ascii: ";") {
            rest = rest.dropFirst().trimmingBlanks
            let name = rest.prefix { $0.isTokenCharacter }
            if name.isEmpty { continue }
            rest = rest[name.endIndex...]
            guard rest.first == UInt8(ascii: "=") else { return nil }
            rest = rest.dropFirst()
            guard let value = value(atStartOf: &rest) else { return nil }
            parameters.append(Parameter(name: name.lowercasedText, value: String(decoding: value, as: UTF8.self)))
            rest = rest.trimmingBlanks
        }
        return rest.isEmpty ? parameters : nil
    }

    /// A token or a quoted string, which is taken off `rest`; nil when there is neither.
    private static func value(atStartOf rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8]? {
        guard rest.first == UInt8(ascii: "\"") else {
            let token = rest.prefix { $0.isTokenCharacter }
            rest = rest[token.endIndex...]
            return token.isEmpty ? nil : Array(token)
        }
        var value: [UInt8] = []
        var index = rest.startIndex + 1
        while index < rest.endIndex, rest[index] != UInt8(ascii: "\"") {
            if rest[index] == UInt8(ascii: "\\") { index += 1 }
            guard index < rest.endIndex, !rest[index].isControl else { return nil }
            value.append(rest[index])
            index += 1
        }
        guard index < rest.endIndex else { return nil }
        rest = rest[(index + 1)...]
        return value
    }
}

extension Slice where Base == UnsafeBufferPointer<UInt8> {
    /// Without the spaces and tabs at both ends.
    fileprivate var trimmingBlanks: Self {
        var (start, end) = (startIndex, endIndex)
        while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
        while start < end, self[end - 1] == 0x20 || self[end - 1] == 0x09 { end -= 1 }
        return self[start..<end]
    }

    fileprivate var isToken: Bool {
        for byte in self where !byte.isTokenCharacter { return false }
        return !isEmpty
    }

    /// Token characters, with the capitals made small.
    fileprivate var lowercasedText: String { String(decoding: map(\.loweredASCII), as: UTF8.self) }
}

extension UInt8 {
    /// Whether this has no place in a header field: a control character other than the tab.
    fileprivate var isControl: Bool { self < 0x20 && self != 0x09 || self == 0x7F }
}
