extension FastJSONDecoder {
    /// The decoder of generated clients: dates of RFC 3339 with any offset and any fraction.
    public static var openAPI: FastJSONDecoder {
        var decoder = FastJSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            guard let date = RFC3339.date(try container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "expected a date and time such as 2026-11-26T03:40:42Z")
            }
            return date
        }
        return decoder
    }
}

extension FastJSONEncoder {
    /// The encoder of generated clients: dates of RFC 3339 in UTC, with milliseconds if they are not zero.
    public static var openAPI: FastJSONEncoder {
        var encoder = FastJSONEncoder()
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(RFC3339.text(date))
        }
        return encoder
    }
}

/// Dates and times of RFC 3339, section 5.6.
enum RFC3339 {
    /// The days from the first of March of the year 0 to the beginning of 1970.
    private static let daysTo1970 = 719_468

    /// Returns the date of a text; `nil` if it is not one. A leap second counts as the first second after it.
    static func date(_ text: String) -> Date? {
        var reader = DateReader(text)
        guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
            let day = reader.number(2), CalendarDate(year: year, month: month, day: day) != nil, reader.skip("Tt "),
            let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2), reader.skip(":"),
            let second = reader.number(2), hour < 24, minute < 60, second <= 60
        else { return nil }
        guard let fraction = reader.fraction(), let offset = reader.offset(), reader.isAtEnd else { return nil }
        // The year begins in March, so that the leap day is its last.
        let (shifted, place) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        let days = 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + (153 * place + 2) / 5 + day - 1
        let seconds = (days - daysTo1970) * 86_400 + hour * 3_600 + minute * 60 + second - offset
        return Date(timeIntervalSince1970: Double(seconds) + fraction)
    }

    /// Returns the text of a date in UTC, rounded to milliseconds.
    ///
    /// Foundation's format cuts off instead of rounding, so that .123 can become .122, and uses the Julian calendar for
    /// dates before 1582.
    static func text(_ date: Date) -> String {
        let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
        // Years without four digits have no text in RFC 3339.
        guard (-62_135_596_800_000..<253_402_300_800_000).contains(milliseconds) else {
            return date.formatted(.iso8601)
        }
        let (days, time) = division(of: Int(milliseconds), by: 86_400_000)
        // The parts of the day in a cycle of 400 years that begins in March, as in `date(_:)`.
        let (cycle, day) = division(of: days + daysTo1970, by: 146_097)
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * year + year / 4 - year / 100)
        let place = (5 * dayOfYear + 2) / 153
        let month = place < 10 ? place + 3 : place - 9
        let parts = [
            digits(400 * cycle + year + (month <= 2 ? 1 : 0), 4), "-", digits(month, 2), "-",
            digits(dayOfYear - (153 * place + 2) / 5 + 1, 2), "T", digits(time / 3_600_000, 2), ":",
            digits(time / 60_000 % 60, 2), ":", digits(time / 1_000 % 60, 2),
            time % 1_000 == 0 ? "" : "." + digits(time % 1_000, 3), "Z",
        ]
        return parts.joined()
    }

    /// Returns the quotient, rounded down, and the rest.
    private static func division(of number: Int, by divisor: Int) -> (quotient: Int, rest: Int) {
        let quotient = number / divisor - (number % divisor < 0 ? 1 : 0)
        return (quotient, number - quotient * divisor)
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
