/// A date in the format of HTTP (RFC 9110, section 5.6.7), in whole seconds and UTC.
///
/// ```swift
/// HTTPDate("Sun, 06 Nov 1994 08:49:37 GMT")?.date
/// HTTPDate(Date()).description
/// ```
///
/// Parsing supports all three formats: IMF-fixdate, RFC 850 and C's `asctime`. The description is always an
/// IMF-fixdate.
public struct HTTPDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The seconds since the start of 1970, within the years 0 to 9999.
    private let seconds: Int

    /// The date.
    public var date: Date { Date(timeIntervalSince1970: TimeInterval(seconds)) }

    /// Creates an HTTP date, without fractions of a second.
    ///
    /// Dates before the year 0 become the first second of that year, and dates after 9999 the last second of 9999. NaN
    /// becomes the start of 1970.
    public init(_ date: Date) {
        let interval = date.timeIntervalSince1970
        let first = TimeInterval(Self.range.lowerBound)
        let last = TimeInterval(Self.range.upperBound)
        seconds = interval.isNaN ? 0 : Int(min(max(interval, first), last).rounded(.down))
    }

    /// Parses a date in any of the three formats, without regard to case. Returns `nil` for any other text.
    ///
    /// The day name must be valid, but is not compared with the date. The zone, which only `asctime` omits, must be GMT
    /// or UTC.
    ///
    /// - Parameters:
    ///   - text: The value of a header field.
    ///   - now: The current time, the system's by default. RFC 850 years have two digits: the result is the latest date
    ///     with these digits that is at most 50 years in the future.
    public init?(_ text: String, now: Date = Date()) {
        var reading = HTTPDateReading(text)
        guard let fields = reading.fields(), let seconds = fields.seconds(now: HTTPDate(now)) else { return nil }
        self.seconds = seconds
    }

    /// The date as an IMF-fixdate: `Sun, 06 Nov 1994 08:49:37 GMT`.
    public var description: String {
        let (days, second) = seconds.quotientAndRemainder(flooringBy: 86_400)
        let (year, month, day) = CivilDay.date(of: days)
        // 1 January 1970 was a Thursday, the weekday 4.
        let weekday = (days + 4).quotientAndRemainder(flooringBy: 7).remainder
        let name = HTTPDateReading.days[weekday].prefix(3).capitalized
        let time = [second / 3_600, second / 60 % 60, second % 60].map { $0.padded(to: 2) }.joined(separator: ":")
        let monthName = HTTPDateReading.months[month - 1].capitalized
        return "\(name), \(day.padded(to: 2)) \(monthName) \(year.padded(to: 4)) \(time) GMT"
    }

    /// Returns whether the first date is earlier.
    public static func < (one: HTTPDate, other: HTTPDate) -> Bool { one.seconds < other.seconds }

    var fields: HTTPDateReading.Fields {
        let (days, second) = seconds.quotientAndRemainder(flooringBy: 86_400)
        let (year, month, day) = CivilDay.date(of: days)
        return HTTPDateReading.Fields(year: year, month: month, day: day, second: second)
    }

    /// The seconds of the years 0 to 9999.
    static let range = start(ofYear: 0)...(start(ofYear: 10_000) - 1)

    private static func start(ofYear year: Int) -> Int { CivilDay.number(year: year, month: 1, day: 1) * 86_400 }
}

extension Int {
    /// Returns the number with leading zeros.
    fileprivate func padded(to width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }
}

/// The parser for the text of an ``HTTPDate``.
struct HTTPDateReading {
    static let days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
    static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// The parsed fields. The day may be one that the month does not have.
    struct Fields {
        var year: Int
        var month: Int
        var day: Int
        /// The second of the day.
        var second: Int
        /// Whether the year consists of its last two digits only.
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
        // An IMF-fixdate has a short name of the day; RFC 850 has the full name.
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
        // A day below 10 has a second space before it.
        guard let month = month(), reader.skip(" "),
            let day = reader.number(digits: reader.skip(" ") ? 1 : 2), reader.skip(" "),
            let second = time(), reader.skip(" "), let year = reader.number(digits: 4), reader.isAtEnd
        else { return nil }
        return Fields(year: year, month: month, day: day, second: second)
    }

    private mutating func month() -> Int? {
        Self.months.firstIndex(of: letters()).map { $0 + 1 }
    }

    /// Parses a time and returns the second of the day. A leap second becomes the first second of the next minute.
    private mutating func time() -> Int? {
        guard let hour = reader.number(digits: 2), hour < 24, reader.skip(":"),
            let minute = reader.number(digits: 2), minute < 60, reader.skip(":"),
            let second = reader.number(digits: 2), second <= 60
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
        // A leap second at the end of 9999, and a two-digit year close to the year 0 or 9999, may be out of range.
        return min(max(seconds, HTTPDate.range.lowerBound), HTTPDate.range.upperBound)
    }
}

/// Day numbers of the proleptic Gregorian calendar; 1 January 1970 is day 0.
///
/// Computed here because Foundation's calendars depend on time zones and locales, and use locks. The formulas are those
/// of Howard Hinnant's "chrono-Compatible Low-Level Date Algorithms".
package enum CivilDay {
    /// The number of days in an era of 400 years, after which the calendar repeats.
    private static let daysInEra = 146_097
    /// The number of days from 1 March of the year 0, where the computation starts, to 1 January 1970.
    private static let epoch = 719_468

    /// Returns the number of an existing day.
    package static func number(year: Int, month: Int, day: Int) -> Int {
        // A year that begins in March has its leap day at the end.
        let year = month > 2 ? year : year - 1
        let (era, yearOfEra) = year.quotientAndRemainder(flooringBy: 400)
        // Counted from March, (153 * month + 2) / 5 is the number of days before a month.
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * daysInEra + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - epoch
    }

    /// Returns the date of a day number.
    package static func date(of number: Int) -> (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = (number + epoch).quotientAndRemainder(flooringBy: daysInEra)
        // Subtracts the earlier leap days, without which each year has 365 days. There is a leap day every 4 years, but
        // not every 100 years, and again every 400 years.
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        return (era * 400 + yearOfEra + (month > 2 ? 0 : 1), month, day)
    }

    /// Returns the number of days in a month.
    package static func count(inMonth month: Int, of year: Int) -> Int {
        let next = month == 12 ? (year + 1, 1) : (year, month + 1)
        return number(year: next.0, month: next.1, day: 1) - number(year: year, month: month, day: 1)
    }
}

extension BinaryInteger {
    /// Returns the quotient by a positive divisor, rounded towards negative infinity, and the remainder, which is never
    /// negative.
    package func quotientAndRemainder(flooringBy divisor: Self) -> (quotient: Self, remainder: Self) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
