extension HeaderFields {
    /// Returns the time until the server resets its quota, if these fields say that the quota is used up.
    ///
    /// Three forms are supported, and the first one present counts:
    ///
    /// - `RateLimit` (draft-ietf-httpapi-ratelimit-headers-11, section 4): an item whose `r` is 0 is used up for the
    ///   seconds in its `t`. Without `t`, the window `w` of the item with the same name in `RateLimit-Policy` counts.
    ///   The longest time counts, at most 2^31 seconds.
    /// - `RateLimit-Remaining: 0` with `RateLimit-Reset`, from earlier drafts.
    /// - `X-RateLimit-Remaining: 0` with `X-RateLimit-Reset`.
    ///
    /// In the last two forms, the remaining count may be missing if the status is 429. The reset is a number, which may
    /// have a fraction. Servers send seconds, or the time since 1970 in seconds (above 10^9) or in milliseconds (above
    /// 10^11). A time in the past gives zero.
    ///
    /// The result is `nil` if requests are left, and if the fields are malformed, negative or missing. It is also `nil`
    /// for a reset of the last two forms that is more than 366 days away, because it is not a plausible time.
    ///
    /// - Parameters:
    ///   - statusCode: The status of the response.
    ///   - now: The current time, the system's by default; a date is counted from it.
    public func rateLimitReset(statusCode: Int, now: Date = Date()) -> Duration? {
        if let field = self["RateLimit"] { return resetOfExhaustedItems(field) }
        for prefix in ["", "X-"] {
            guard let reset = self[values: prefix + "RateLimit-Reset"].first else { continue }
            let remaining = self[values: prefix + "RateLimit-Remaining"].first
            guard remaining.map({ Self.deltaSeconds($0) == 0 }) ?? (statusCode == 429) else { return nil }
            return Self.reset(reset, now: now)
        }
        return nil
    }

    /// Returns the time until a reset of the older forms.
    private static func reset(_ text: String, now: Date) -> Duration? {
        guard let number = decimal(text) else { return nil }
        let wait =
            switch number {
            // As times since 1970, 10^9 seconds are in the year 2001, and 10^11 milliseconds in the year 1973. No reset
            // is that early.
            case ...1e9: Duration.seconds(number)
            case ...1e11: Duration.seconds(from: now, to: Date(timeIntervalSince1970: number))
            default: Duration.seconds(from: now, to: Date(timeIntervalSince1970: number / 1000))
            }
        return wait <= longestReset ? wait : nil
    }

    /// 366 days, the length of a leap year.
    private static let longestReset = Duration.seconds(366 * 24 * 60 * 60)

    /// Parses a number of digits, optionally with a point and more digits.
    private static func decimal(_ text: String) -> Double? {
        let bytes = Array(text.utf8)[...].trimmingBlanks
        let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isDigit) }) else { return nil }
        return Double(String(decoding: bytes, as: UTF8.self))
    }

    /// Returns the longest time until the reset of an item that is used up; `nil` without such an item.
    private func resetOfExhaustedItems(_ field: String) -> Duration? {
        guard let limits = StructuredList(field)?.items else { return nil }
        let policyItems = self["RateLimit-Policy"].flatMap { StructuredList($0)?.items } ?? []
        let policies = Dictionary(policyItems.map { ($0.value, $0) }) { first, _ in first }
        let waits = limits.compactMap { limit -> Int? in
            guard limit.count("r") == 0 else { return nil }
            if limit.parameters["t"] != nil { return limit.count("t") }
            return policies[limit.value]?.count("w")
        }
        return waits.max().map { .seconds(Swift.min($0, Self.maximumSeconds)) }
    }
}

extension StructuredList.Item {
    /// Returns the value of a parameter that is a non-negative integer.
    fileprivate func count(_ name: String) -> Int? {
        guard case .integer(let count) = parameters[name], count >= 0 else { return nil }
        return count
    }
}

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

    /// Parses a number of seconds (RFC 9111, section 1.2.2): only digits, with optional spaces and tabs around them.
    /// Numbers above ``maximumSeconds`` are reduced to it.
    static func deltaSeconds(_ text: String) -> Int? {
        let digits = text.utf8.drop { $0.isBlank }.prefix { $0.isDigit }
        guard !digits.isEmpty, text.utf8[digits.endIndex...].allSatisfy({ $0.isBlank }) else { return nil }
        // Digits that do not fit into `Int` exceed the maximum.
        return Swift.min(Int(String(Substring(digits))) ?? .max, maximumSeconds)
    }

    /// The greatest number of seconds: 2^31 (RFC 9111, section 1.2.2), or one less where `Int` has 32 bits.
    static let maximumSeconds = Int(clamping: 1 << 31 as Int64)
}

extension Duration {
    /// Returns the time between two dates, at least zero and at most 2^31 seconds.
    static func seconds(from now: Date, to then: Date) -> Duration {
        let interval = then.timeIntervalSince(now)
        guard interval > 0 else { return .zero }
        return .seconds(Swift.min(interval, TimeInterval(HeaderFields.maximumSeconds)))
    }
}
