/// The type and subtype of a body (RFC 9110, section 8.3.1), without its parameters; either may be `*` in a range.
struct MediaType: Hashable, Sendable, CustomStringConvertible {
    let type: String
    let subtype: String

    /// Reads `type/subtype`, in any case, with or without parameters and white space; nil when it is neither.
    ///
    /// Read as bytes, since every answer's is.
    init?(_ field: String) {
        let essence = field.utf8.prefix { $0 != UInt8(ascii: ";") }
        guard let slash = essence.firstIndex(of: UInt8(ascii: "/")),
            let type = Self.token(essence[..<slash]), let subtype = Self.token(essence[slash...].dropFirst())
        else { return nil }
        self.type = type
        self.subtype = subtype
    }

    /// Whether this, as a range, takes in `other`: `application/*` takes in `application/json`.
    func includes(_ other: MediaType) -> Bool {
        (type == "*" || type == other.type) && (subtype == "*" || subtype == other.subtype)
    }

    var description: String { "\(type)/\(subtype)" }

    private static func token(_ bytes: Substring.UTF8View) -> String? {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let front = bytes.drop(while: isSpace)
        guard let last = front.lastIndex(where: { !isSpace($0) }) else { return nil }
        let token = front[...last]
        guard token.allSatisfy(\.isTokenCharacter) else { return nil }
        return String(decoding: token.map(\.loweredASCII), as: UTF8.self)
    }
}
