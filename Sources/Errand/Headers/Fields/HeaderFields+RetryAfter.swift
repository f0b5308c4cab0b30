extension HeaderFields {
    /// Returns the time to wait before the next request, from `Retry-After` (RFC 9110, section 10.2.3).
    ///
    /// The field has a number of seconds, or a date in any format of ``HTTPDate``. A date in the past gives zero, and
    /// times above 2^31 seconds are reduced to 2^31. The result is `nil` if the field is missing or invalid, for
    /// example with a negative number or a fraction.
    ///
    /// - Parameter now: The current time, the system's by default; a date is counted from it.
    public func retryAfter(now: Date = Date()) -> Duration? {
        guard let value = self[values: "Retry-After"].first else { return nil }
        if let seconds = Self.deltaSeconds(value) { return .seconds(seconds) }
        return HTTPDate(value, now: now).map { .seconds(from: now, to: $0.date) }
    }

    /// Parses a number of seconds (RFC 9111, section 1.2.2), which consists only of digits. Numbers above the limit are
    /// reduced to it.
    static func deltaSeconds(_ text: String, limit: Int = 1 << 31) -> Int? {
        let digits = text.utf8.drop { $0 == 0x20 || $0 == 0x09 }.prefix { 0x30...0x39 ~= $0 }
        guard !digits.isEmpty, text.utf8[digits.endIndex...].allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else {
            return nil
        }
        return Int(String(Substring(digits))).map { Swift.min($0, limit) } ?? limit
    }
}

extension Duration {
    /// Returns the time between two dates, at least zero and at most 2^31 seconds.
    static func seconds(from now: Date, to then: Date) -> Duration {
        let interval = then.timeIntervalSince(now)
        guard interval > 0 else { return .zero }
        return .seconds(Swift.min(interval, TimeInterval(1 << 31)))
    }
}
