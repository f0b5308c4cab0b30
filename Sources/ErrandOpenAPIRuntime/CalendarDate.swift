/// A date without a time: `2026-11-26` (RFC 3339, `full-date`).
///
/// It belongs to no time zone. ``date(in:)`` returns the moment at which it begins in one.
public struct CalendarDate: Hashable, Sendable {
    /// The year, 0 to 9999.
    public let year: Int
    /// The month, 1 to 12.
    public let month: Int
    /// The day of the month, from 1.
    public let day: Int

    /// Creates a date. Returns `nil` for one that the calendar does not have, such as February 30.
    public init?(year: Int, month: Int, day: Int) {
        guard 0...9999 ~= year, 1...12 ~= month, day >= 1, day <= CivilDay.count(inMonth: month, of: year) else {
            return nil
        }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Creates the date of a moment in a time zone.
    public init?(_ date: Date, in zone: TimeZone) {
        let parts = Self.calendar(zone).dateComponents([.year, .month, .day], from: date)
        self.init(year: parts.year ?? -1, month: parts.month ?? 0, day: parts.day ?? 0)
    }

    /// The moment at which this date begins in a time zone.
    public func date(in zone: TimeZone) -> Date? {
        Self.calendar(zone).date(from: DateComponents(year: year, month: month, day: day))
    }

    private static func calendar(_ zone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar
    }
}

extension CalendarDate: LosslessStringConvertible {
    /// Creates a date from a text such as `2026-11-26`; `nil` for another text.
    public init?(_ description: String) {
        var reader = DateReader(description)
        guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
            let day = reader.number(2), reader.isAtEnd
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// The date as a text: `2026-11-26`.
    public var description: String { "\(year.padded(4))-\(month.padded(2))-\(day.padded(2))" }
}

extension Int {
    /// The last digits of a number of at most four.
    func padded(_ count: Int) -> Substring { "\(10_000 + self)".suffix(count) }
}

extension CalendarDate: Comparable {
    /// Whether a date is earlier than another.
    public static func < (left: CalendarDate, right: CalendarDate) -> Bool { left.description < right.description }
}

extension CalendarDate: Codable, QueryValueConvertible, PathSegmentConvertible {
    /// Decodes a text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let date = CalendarDate(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "expected a date such as 2026-11-26")
        }
        self = date
    }

    /// Encodes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// The text.
    public var queryValue: QueryValue { .text(description) }
}

/// Reads the numbers of a date from its text.
struct DateReader {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = text[...].utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// Reads exactly `count` digits.
    mutating func number(_ count: Int) -> Int? {
        var number = 0
        for _ in 0..<count {
            guard let byte = rest.popFirst(), 0x30...0x39 ~= byte else { return nil }
            number = number * 10 + Int(byte - 0x30)
        }
        return number
    }

    /// Skips one of some characters, and returns whether it was there.
    mutating func skip(_ characters: String) -> Bool {
        guard let byte = rest.first, characters.utf8.contains(byte) else { return false }
        rest.removeFirst()
        return true
    }

    /// Reads a decimal point and the digits after it. Returns 0 if there is no point, and `nil` if there is no digit.
    mutating func fraction() -> Double? {
        guard skip(".") else { return 0 }
        var (value, scale, count) = (0.0, 0.1, 0)
        while let byte = rest.first, 0x30...0x39 ~= byte {
            value += Double(byte - 0x30) * scale
            scale /= 10
            count += 1
            rest.removeFirst()
        }
        return count > 0 ? value : nil
    }

    /// Reads `Z`, or an offset such as `+02:00`, in seconds.
    mutating func offset() -> Int? {
        if skip("Zz") { return 0 }
        let isNegative = rest.first == UInt8(ascii: "-")
        guard skip("+-"), let hours = number(2) else { return nil }
        _ = skip(":")
        guard let minutes = number(2), hours < 24, minutes < 60 else { return nil }
        return (isNegative ? -1 : 1) * (hours * 3_600 + minutes * 60)
    }
}
