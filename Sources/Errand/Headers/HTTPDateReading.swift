/// Takes the text of an ``HTTPDate`` apart.
struct HTTPDateReading {
    static let days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
    static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// What a text says, each within its bounds but for the day, which depends on the month.
    struct Fields {
        var year: Int
        var month: Int
        var day: Int
        var second: Int
        var hasShortYear = false
    }

    private var rest: ArraySlice<UInt8>

    init(_ text: String) {
        // The longest date has 33 characters.
        rest = Array(text.utf8.prefix(64).map(\.loweredASCII))[...]
        while rest.first == UInt8(ascii: " ") || rest.first == UInt8(ascii: "\t") { rest.removeFirst() }
        while rest.last == UInt8(ascii: " ") || rest.last == UInt8(ascii: "\t") { rest.removeLast() }
    }

    /// All that the text says; nil when it is in none of the three formats.
    mutating func fields() -> Fields? {
        let name = letters()
        let isShort = Self.days.contains { $0.prefix(3) == name }
        guard isShort || Self.days.contains(name) else { return nil }
        guard skip(",") else { return isShort && skip(" ") ? asctime() : nil }
        guard skip(" ") else { return nil }
        return dayFirst(separator: isShort ? " " : "-", yearDigits: isShort ? 4 : 2)
    }

    /// `06 Nov 1994 08:49:37 GMT`, or `06-Nov-94 08:49:37 GMT`.
    private mutating func dayFirst(separator: Character, yearDigits: Int) -> Fields? {
        guard let day = number(digits: 2), skip(separator), let month = month(), skip(separator),
            let year = number(digits: yearDigits), skip(" "), let second = time(), skip(" "),
            ["gmt", "utc"].contains(letters()), rest.isEmpty
        else { return nil }
        return Fields(year: year, month: month, day: day, second: second, hasShortYear: yearDigits == 2)
    }

    /// `Nov  6 08:49:37 1994`.
    private mutating func asctime() -> Fields? {
        guard let month = month(), skip(" "), let day = number(digits: skip(" ") ? 1 : 2), skip(" "),
            let second = time(), skip(" "), let year = number(digits: 4), rest.isEmpty
        else { return nil }
        return Fields(year: year, month: month, day: day, second: second)
    }

    private mutating func month() -> Int? {
        Self.months.firstIndex(of: letters()).map { $0 + 1 }
    }

    /// The second of the day. A leap second is the first of the next minute.
    private mutating func time() -> Int? {
        guard let hour = number(digits: 2), hour < 24, skip(":"), let minute = number(digits: 2), minute < 60,
            skip(":"), let second = number(digits: 2), second <= 60
        else { return nil }
        return (hour * 60 + minute) * 60 + second
    }

    private mutating func letters() -> String {
        let letters = rest.prefix { 0x61...0x7A ~= $0 }
        rest = rest.dropFirst(letters.count)
        return String(decoding: letters, as: UTF8.self)
    }

    private mutating func number(digits: Int) -> Int? {
        let bytes = rest.prefix(digits)
        guard bytes.count == digits, bytes.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        rest = rest.dropFirst(digits)
        return bytes.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private mutating func skip(_ character: Character) -> Bool {
        guard let first = rest.first, first == character.asciiValue else { return false }
        rest = rest.dropFirst()
        return true
    }
}

extension HTTPDateReading.Fields {
    /// Seconds since the beginning of 1970; nil for a day that the month does not have.
    func seconds(now: HTTPDate) -> Int? {
        guard hasShortYear else { return seconds(in: year) }
        // The latest year with these digits that is not more than 50 years ahead.
        let latest = now.year + 50
        return seconds(in: latest - (latest - year).quotientAndRemainder(flooringBy: 100).remainder)
    }

    private func seconds(in year: Int) -> Int? {
        guard day >= 1, day <= CivilDay.count(inMonth: month, of: year) else { return nil }
        let seconds = CivilDay.number(year: year, month: month, day: day) * 86_400 + second
        return min(max(seconds, HTTPDate.range.lowerBound), HTTPDate.range.upperBound)
    }
}
