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
        guard !field.utf8.contains(where: \.isControlExceptTab) else { throw .controlCharacter }
        let parts = field.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let pair = parts[0].split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2 else { throw .missingName }
        name = pair[0].trimmedText
        value = pair[1].trimmedText
        guard !name.isEmpty else { throw .missingName }
        guard name.utf8.count + value.utf8.count <= Self.maximumSize else { throw .tooLong }
        for part in parts.dropFirst() { readAttribute(part) }
    }

    /// Reads an attribute, which replaces an earlier one with the same name. An invalid `Expires` or `Max-Age` is
    /// ignored; an invalid `Path` or `SameSite` removes the earlier one.
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

/// The date of an `Expires` attribute, which servers write in many formats (RFC 6265bis, section 5.1.1).
///
/// The parts of a date may be in any order: a time, a day, a month by name and a year, with anything else between them.
/// The zone is always GMT, whatever the text says.
struct CookieDate {
    private static let months = HTTPDateReading.months

    /// The second of the day; -1 for a time out of range.
    private var second: Int?
    private var day: Int?
    private var month: Int?
    private var year: Int?

    /// Reads a date. Returns `nil` if a part is missing or out of range.
    static func date(_ text: String) -> Date? {
        var reading = CookieDate()
        for token in text.utf8.split(whereSeparator: \.isDelimiter) { reading.read(token) }
        return reading.date
    }

    /// Reads a token as the first missing part that it can be.
    private mutating func read(_ token: Substring.UTF8View) {
        if second == nil, let time = Self.time(token) {
            second = time
        } else if day == nil, let number = Self.number(token, digits: 1...2) {
            day = number.value
        } else if month == nil, let index = Self.month(token) {
            month = index
        } else if year == nil, let number = Self.number(token, digits: 2...4) {
            year = Self.fullYear(number.value)
        }
    }

    private var date: Date? {
        guard let second, let day, let month, let year, year >= 1601, second >= 0,
            (1...CivilDay.count(inMonth: month, of: year)).contains(day)
        else { return nil }
        let days = CivilDay.number(year: year, month: month, day: day)
        return Date(timeIntervalSince1970: TimeInterval(days * 86_400 + second))
    }

    private static func fullYear(_ year: Int) -> Int {
        switch year {
        case 0...69: year + 2000
        case 70...99: year + 1900
        default: year
        }
    }

    /// The second of the day of `8:49:37`, followed by anything that does not begin with a digit. A time out of range
    /// is -1, which makes the date invalid.
    private static func time(_ token: Substring.UTF8View) -> Int? {
        let parts = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let hour = number(parts[0], digits: 1...2), hour.isWhole,
            let minute = number(parts[1], digits: 1...2), minute.isWhole, let second = number(parts[2], digits: 1...2)
        else { return nil }
        guard hour.value < 24, minute.value < 60, second.value < 60 else { return -1 }
        return (hour.value * 60 + minute.value) * 60 + second.value
    }

    private static func month(_ token: Substring.UTF8View) -> Int? {
        let name = String(decoding: token.prefix(3).map(\.loweredASCII), as: UTF8.self)
        return months.firstIndex(of: name).map { $0 + 1 }
    }

    /// The number that a token begins with, if it has this many digits, and whether that is all of the token.
    private static func number(_ token: Substring.UTF8View, digits: ClosedRange<Int>) -> (value: Int, isWhole: Bool)? {
        // With one more digit, a number that is too long is not mistaken for a valid one.
        let number = token.prefix(digits.upperBound + 1).prefix(while: \.isDigit)
        guard digits.contains(number.count) else { return nil }
        return (number.reduce(0) { $0 * 10 + Int($1 - 0x30) }, number.count == token.count)
    }
}

extension UInt8 {
    /// Whether this byte separates the parts of a date.
    fileprivate var isDelimiter: Bool {
        switch self {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }
}
