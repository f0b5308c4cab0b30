// Read as bytes, since every answer's is.

extension ContentType {
    /// - Parameter leniently: Whether spaces around the slash pass, and broken parameters are left out.
    static func parsed(_ text: String, leniently isLenient: Bool) -> ContentType? {
        text.withBytes { bytes in
            // Most are written as they are kept, and without parameters.
            if let slash = slash(inKept: bytes) { return ContentType(essence: text, slash: slash, parameters: []) }
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
            return ContentType(essence: essence, slash: trimmedType.count, parameters: parameters ?? [])
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

    /// The parameters that follow the essence, each after a semicolon. Returns `nil` if one is malformed. An empty parameter
    /// is skipped (RFC 9110, section 5.6.6).
    private static func parameters(in bytes: Slice<UnsafeBufferPointer<UInt8>>) -> [Parameter]? {
        var parameters: [Parameter] = []
        var reader = ByteReader(bytes.trimmingBlanks)
        while reader.skip(";") {
            reader.skipBlanks()
            let name = reader.take(while: \.isTokenCharacter)
            if name.isEmpty { continue }
            guard reader.skip("="), let value = value(from: &reader) else { return nil }
            parameters.append(Parameter(name: name.lowercasedText, value: String(decoding: value, as: UTF8.self)))
            reader.skipBlanks()
        }
        return reader.isAtEnd ? parameters : nil
    }

    /// Reads a token or a quoted string. Returns `nil` if there is neither.
    private static func value(from reader: inout ByteReader<Slice<UnsafeBufferPointer<UInt8>>>) -> [UInt8]? {
        guard reader.skip("\"") else {
            let token = reader.take(while: \.isTokenCharacter)
            return token.isEmpty ? nil : Array(token)
        }
        var value: [UInt8] = []
        while !reader.skip("\"") {
            _ = reader.skip("\\")
            guard let byte = reader.take(), !byte.isControl else { return nil }
            value.append(byte)
        }
        return value
    }
}

extension Slice where Base == UnsafeBufferPointer<UInt8> {
    fileprivate var isToken: Bool {
        for byte in self where !byte.isTokenCharacter { return false }
        return !isEmpty
    }

    /// These bytes as text, with ASCII capitals in lowercase.
    fileprivate var lowercasedText: String { String(decoding: map(\.loweredASCII), as: UTF8.self) }
}

extension UInt8 {
    /// Whether this is a control character that no header field may contain: any but the tab.
    fileprivate var isControl: Bool { self < 0x20 && self != 0x09 || self == 0x7F }
}
