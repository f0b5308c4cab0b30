extension HeaderFields {
    /// Returns the time until the server resets its quota, if these fields say that the quota is used up.
    ///
    /// Three forms are supported, and the first one present counts:
    ///
    /// - `RateLimit` (draft-ietf-httpapi-ratelimit-headers-11, section 4): an item whose `r` is 0 is used up for the
    ///   seconds in its `t`. Without `t`, the window `w` of the item with the same name in `RateLimit-Policy` counts.
    ///   The longest time counts.
    /// - `RateLimit-Remaining: 0` with the seconds of `RateLimit-Reset`, from earlier drafts.
    /// - `X-RateLimit-Remaining: 0` with `X-RateLimit-Reset`: seconds, or the time since 1970 if it is above
    ///   1,000,000,000.
    ///
    /// In the last two forms, the remaining count may be missing if the status is 429. The result is `nil` if requests
    /// are left, and if the fields are malformed, negative or missing.
    ///
    /// - Parameters:
    ///   - statusCode: The status of the response.
    ///   - now: The current time, the system's by default; a date is counted from it.
    public func rateLimitReset(statusCode: Int, now: Date = Date()) -> Duration? {
        if let field = self["RateLimit"] { return resetOfExhaustedItems(field) }
        for prefix in ["", "X-"] {
            guard let reset = self[values: prefix + "RateLimit-Reset"].first else { continue }
            let remaining = self[values: prefix + "RateLimit-Remaining"].first
            guard remaining.map({ Self.deltaSeconds($0) == 0 }) ?? (statusCode == 429),
                let seconds = Self.deltaSeconds(reset, limit: 1 << 40)
            else { return nil }
            guard prefix == "X-", seconds > 1_000_000_000 else { return .seconds(Swift.min(seconds, 1 << 31)) }
            return .seconds(from: now, to: Date(timeIntervalSince1970: TimeInterval(seconds)))
        }
        return nil
    }

    private func resetOfExhaustedItems(_ field: String) -> Duration? {
        guard let limits = StructuredList(field)?.items else { return nil }
        let items = self["RateLimit-Policy"].flatMap { StructuredList($0)?.items } ?? []
        let policies = Dictionary(items.map { ($0.value, $0) }) { first, _ in first }
        let waits = limits.compactMap { limit -> Int? in
            guard limit.count("r") == 0 else { return nil }
            if limit.parameters["t"] != nil { return limit.count("t") }
            return policies[limit.value]?.count("w")
        }
        return waits.max().map { .seconds(Swift.min($0, 1 << 31)) }
    }
}

extension StructuredList.Item {
    /// Returns the value of a parameter that is a non-negative integer.
    fileprivate func count(_ name: String) -> Int? {
        guard case .integer(let count) = parameters[name], count >= 0 else { return nil }
        return count
    }
}
