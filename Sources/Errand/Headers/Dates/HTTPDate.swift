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
    /// The day name must be valid, but is not compared with the date. The zone must be GMT or UTC.
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
        let weekday = (days + 4).quotientAndRemainder(flooringBy: 7).remainder
        let name = HTTPDateReading.days[weekday].prefix(3).capitalized
        let time = [second / 3_600, second / 60 % 60, second % 60].map { $0.padded(to: 2) }.joined(separator: ":")
        let monthName = HTTPDateReading.months[month - 1].capitalized
        return "\(name), \(day.padded(to: 2)) \(monthName) \(year.padded(to: 4)) \(time) GMT"
    }

    /// Returns whether the first date is earlier.
    public static func < (one: HTTPDate, other: HTTPDate) -> Bool { one.seconds < other.seconds }

    /// The year, month and day, and the second of the day.
    var fields: HTTPDateReading.Fields {
        let (days, second) = seconds.quotientAndRemainder(flooringBy: 86_400)
        let (year, month, day) = CivilDay.date(of: days)
        return HTTPDateReading.Fields(year: year, month: month, day: day, second: second)
    }

    /// The seconds of the years 0 to 9999.
    static let range =
        CivilDay.number(year: 0, month: 1, day: 1) * 86_400...CivilDay.number(year: 10_000, month: 1, day: 1) * 86_400
        - 1
}

extension Int {
    /// Returns the number with leading zeros.
    fileprivate func padded(to width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }
}
