/// The parser for the text of an ``HTTPDate``.
struct HTTPDateReading {
    static let days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
    static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// The parsed fields. Each is within its bounds, except the day, whose bounds depend on the month.
    struct Fields {
        var year: Int
        var month: Int
        var day: Int
        var second: Int
        var hasShortYear = false
    }

    private var reader: ByteReader<ArraySlice<UInt8>>

    init(_ text: String) {
        reader = ByteReader(text.utf8.map(\.loweredASCII)[...].trimmingBlanks)
    }

    /// Parses the text. Returns `nil` if it is in none of the three formats.
    mutating func fields() -> Fields? {
        let name = letters()
        let isShort = Self.days.contains { $0.prefix(3) == name }
        guard isShort || Self.days.contains(name) else { return nil }
        guard reader.skip(",") else { return isShort && reader.skip(" ") ? asctime() : nil }
        guard reader.skip(" ") else { return nil }
        return dayFirst(separator: isShort ? " " : "-", yearDigits: isShort ? 4 : 2)
    }

    /// Parses `06 Nov 1994 08:49:37 GMT` or `06-Nov-94 08:49:37 GMT`.
    private mutating func dayFirst(separator: Unicode.Scalar, yearDigits: Int) -> Fields? {
        guard let day = reader.number(digits: 2), reader.skip(separator), let month = month(), reader.skip(separator),
            let year = reader.number(digits: yearDigits), reader.skip(" "), let second = time(), reader.skip(" "),
            ["gmt", "utc"].contains(letters()), reader.isAtEnd
        else { return nil }
        return Fields(year: year, month: month, day: day, second: second, hasShortYear: yearDigits == 2)
    }

    /// Parses `Nov  6 08:49:37 1994`.
    private mutating func asctime() -> Fields? {
        guard let month = month(), reader.skip(" "), let day = reader.number(digits: reader.skip(" ") ? 1 : 2),
            reader.skip(" "),
            let second = time(), reader.skip(" "), let year = reader.number(digits: 4), reader.isAtEnd
        else { return nil }
        return Fields(year: year, month: month, day: day, second: second)
    }

    private mutating func month() -> Int? {
        Self.months.firstIndex(of: letters()).map { $0 + 1 }
    }

    /// Parses a time and returns the second of the day. A leap second becomes the first second of the next minute.
    private mutating func time() -> Int? {
        guard let hour = reader.number(digits: 2), hour < 24, reader.skip(":"), let minute = reader.number(digits: 2),
            minute < 60,
            reader.skip(":"), let second = reader.number(digits: 2), second <= 60
        else { return nil }
        return (hour * 60 + minute) * 60 + second
    }

    private mutating func letters() -> String {
        String(decoding: reader.take(while: \.isLowercaseLetter), as: UTF8.self)
    }
}

extension HTTPDateReading.Fields {
    /// Returns the seconds since the start of 1970; `nil` if the month does not have this day.
    func seconds(now: HTTPDate) -> Int? {
        guard hasShortYear else { return seconds(in: year) }
        // The latest year with these digits in which the date is at most 50 years in the future (RFC 9110, section
        // 5.6.7).
        let now = now.fields
        let isLaterInYear = (month, day, second) > (now.month, now.day, now.second)
        let latest = now.year + (isLaterInYear ? 49 : 50)
        return seconds(in: latest - (latest - year).quotientAndRemainder(flooringBy: 100).remainder)
    }

    private func seconds(in year: Int) -> Int? {
        guard day >= 1, day <= CivilDay.count(inMonth: month, of: year) else { return nil }
        let seconds = CivilDay.number(year: year, month: month, day: day) * 86_400 + second
        return min(max(seconds, HTTPDate.range.lowerBound), HTTPDate.range.upperBound)
    }
}
