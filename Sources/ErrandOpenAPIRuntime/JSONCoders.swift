extension FastJSONDecoder {
    /// The decoder of generated clients: dates of RFC 3339 with any offset and any fraction.
    public static var openAPI: FastJSONDecoder {
        var decoder = FastJSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            guard let date = RFC3339.date(try container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(
                    in: container,
                    debugDescription: "expected a date and time with an offset, such as 2026-11-26T03:40:42Z")
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
    /// Returns the date of a text; `nil` if it is not one. A leap second counts as the first second after it.
    static func date(_ text: String) -> Date? {
        var reader = DateReader(text)
        guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
            let day = reader.number(2), CalendarDate(year: year, month: month, day: day) != nil, reader.skip("Tt "),
            let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2), reader.skip(":"),
            let second = reader.number(2), hour < 24, minute < 60, second <= 60
        else { return nil }
        guard let fraction = reader.fraction(), let offset = reader.offset(), reader.isAtEnd else { return nil }
        let days = CivilDay.number(year: year, month: month, day: day)
        let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second - offset
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
        let (days, time) = Int(milliseconds).quotientAndRemainder(flooringBy: 86_400_000)
        let day = CivilDay.date(of: days)
        let (hour, minute, second) = (time / 3_600_000, time / 60_000 % 60, time / 1_000 % 60)
        let fraction = time % 1_000 == 0 ? "" : ".\((time % 1_000).padded(3))"
        return "\(day.year.padded(4))-\(day.month.padded(2))-\(day.day.padded(2))"
            + "T\(hour.padded(2)):\(minute.padded(2)):\(second.padded(2))\(fraction)Z"
    }
}
