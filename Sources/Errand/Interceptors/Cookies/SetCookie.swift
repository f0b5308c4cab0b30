/// A parsed `Set-Cookie` header field, with its known attributes (RFC 6265bis, section 5.6).
struct SetCookie {
    /// The maximum number of bytes of name and value together.
    static let maximumSize = 4096
    /// The maximum number of bytes of an attribute's value; a longer attribute is ignored.
    static let maximumAttributeSize = 1024

    let name: String
    let value: String
    private(set) var expires: Date?
    private(set) var maxAge: Int?
    /// The domain in lowercase, without a leading dot; empty if it is missing.
    private(set) var domain = ""
    /// The path; `nil` if it is missing, or if the last `Path` attribute does not begin with a slash.
    private(set) var path: String?
    private(set) var isSecure = false
    private(set) var isHTTPOnly = false
    private(set) var sameSite: CookieJar.Cookie.SameSite?

    init(_ field: String) throws(CookieFault) {
        guard !field.utf8.contains(where: \.isControlInCookie) else { throw .controlCharacter }
        let parts = field.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let pair = (parts.first ?? field.utf8[...]).split(
            separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2 else { throw .missingName }
        name = pair[0].trimmedText
        value = pair[1].trimmedText
        guard !name.isEmpty else { throw .missingName }
        guard name.utf8.count + value.utf8.count <= Self.maximumSize else { throw .tooLong }
        for part in parts.dropFirst() { readAttribute(part) }
    }

    /// Reads an attribute. It replaces an earlier one with the same name, unless its value is invalid.
    private mutating func readAttribute(_ attribute: Substring.UTF8View) {
        let pair = attribute.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        let text = pair.count == 2 ? pair[1].trimmedText : ""
        guard text.utf8.count <= Self.maximumAttributeSize else { return }
        switch pair[0].trimmedText.asciiLowercased {
        case "expires": expires = CookieDate.date(text) ?? expires
        case "max-age": maxAge = Self.maxAge(text) ?? maxAge
        case "domain": domain = (text.hasPrefix(".") ? String(text.dropFirst()) : text).lowercased()
        case "path": path = text.hasPrefix("/") ? text : nil
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        case "samesite": sameSite = .init(rawValue: text.asciiLowercased)
        default: break
        }
    }

    /// Parses a whole number, which may be negative. A number out of range is limited to the range of `Int`.
    private static func maxAge(_ text: String) -> Int? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit) else { return nil }
        return Int(text) ?? (text.hasPrefix("-") ? .min : .max)
    }
}

extension Substring.UTF8View {
    /// The text without spaces and tabs at both ends.
    fileprivate var trimmedText: String { String(Substring(trimmingBlanks)) }
}

extension UInt8 {
    /// Whether this byte makes the field invalid: a control character other than the tab.
    fileprivate var isControlInCookie: Bool { (self < 0x20 && self != 0x09) || self == 0x7F }
}
