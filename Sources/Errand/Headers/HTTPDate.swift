/// A moment as HTTP writes it (RFC 9110, section 5.6.7): whole seconds, in Universal Time.
///
/// ```swift
/// HTTPDate("Sun, 06 Nov 1994 08:49:37 GMT")?.date
/// HTTPDate(Date()).description
/// ```
///
/// All three formats are read: IMF-fixdate, that of RFC 850, and that of C's `asctime`. Written is IMF-fixdate alone.
public struct HTTPDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Seconds since the beginning of 1970, within the years that four digits can write.
    private let seconds: Int

    /// The moment.
    public var date: Date { Date(timeIntervalSince1970: TimeInterval(seconds)) }

    /// A moment without its fraction of a second.
    ///
    /// Before the year 0 it is the first second of that year, and after 9999 the last; no number at all counts as 1970.
    public init(_ date: Date) {
        let interval = date.timeIntervalSince1970
        let first = TimeInterval(Self.range.lowerBound)
        let last = TimeInterval(Self.range.upperBound)
        seconds = interval.isNaN ? 0 : Int(min(max(interval, first), last).rounded(.down))
    }

    /// Reads a date in any of the three formats, in letters of either case; `nil` for anything else.
    ///
    /// The name of the day must be valid, but is not compared with the date. The zone must be GMT or UTC.
    ///
    /// - Parameters:
    ///   - text: The value of a header field.
    ///   - now: The current time, the system's by default. RFC 850 writes years with two digits: the date is the latest one
    ///     with these digits that is at most 50 years in the future.
    public init?(_ text: String, now: Date = Date()) {
        var reading = HTTPDateReading(text)
        guard let fields = reading.fields(), let seconds = fields.seconds(now: HTTPDate(now)) else { return nil }
        self.seconds = seconds
    }

    /// IMF-fixdate: `Sun, 06 Nov 1994 08:49:37 GMT`.
    public var description: String {
        let (days, second) = seconds.quotientAndRemainder(flooringBy: 86_400)
        let (year, month, day) = CivilDay.date(of: days)
        let weekday = (days + 4).quotientAndRemainder(flooringBy: 7).remainder
        let name = HTTPDateReading.days[weekday].prefix(3).capitalized
        let time = [second / 3_600, second / 60 % 60, second % 60].map { $0.padded(to: 2) }.joined(separator: ":")
        let monthName = HTTPDateReading.months[month - 1].capitalized
        return "\(name), \(day.padded(to: 2)) \(monthName) \(year.padded(to: 4)) \(time) GMT"
    }

    /// Earlier.
    public static func < (one: HTTPDate, other: HTTPDate) -> Bool { one.seconds < other.seconds }

    /// The date and the second of the day.
    var fields: HTTPDateReading.Fields {
        let (days, second) = seconds.quotientAndRemainder(flooringBy: 86_400)
        let (year, month, day) = CivilDay.date(of: days)
        return HTTPDateReading.Fields(year: year, month: month, day: day, second: second)
    }

    /// The years 0 to 9999.
    static let range =
        CivilDay.number(year: 0, month: 1, day: 1) * 86_400...CivilDay.number(year: 10_000, month: 1, day: 1) * 86_400
        - 1
}

extension Int {
    /// The number with zeros in front.
    fileprivate func padded(to width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }
}
