extension Date {
    /// The range of the years 1 to 9999, for which ISO 8601 uses four digits, in seconds since 1970.
    private static let writable = -62_135_596_800.0..<253_402_300_800.0

    /// Returns the text of this date in a style, with finer fractions truncated; `nil` for a year outside 1 to 9999.
    func text(in style: URLQuery.DateStyle) -> String? {
        guard Self.writable.contains(timeIntervalSince1970) else { return nil }
        // Rounded to the microsecond first: a binary fraction just below a whole millisecond would otherwise lose it.
        let microseconds = Int64((timeIntervalSince1970 * 1_000_000).rounded())
        let seconds = microseconds.quotientAndRemainder(flooringBy: 1_000_000).quotient
        let milliseconds = microseconds.quotientAndRemainder(flooringBy: 1000).quotient
        switch style {
        case .secondsSince1970: return String(seconds)
        case .millisecondsSince1970: return String(milliseconds)
        case .iso8601: return Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
        case .iso8601WithMilliseconds:
            let whole = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
            // Adding a thousand keeps the leading zeros.
            return whole.dropLast() + "." + String(milliseconds - seconds * 1000 + 1000).dropFirst() + "Z"
        }
    }
}
