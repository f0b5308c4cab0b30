/// The date of an `Expires` attribute, which servers write in many formats (RFC 6265bis, section 5.1.1).
///
/// The parts of a date may be in any order: a time, a day, a month by name and a year, with anything else between them.
/// The zone is always GMT, whatever the text says.
struct CookieDate {
    private static let months = HTTPDateReading.months

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
