extension Duration {
    /// This duration, but at most a hundred years. Clocks trap when they add longer durations to an instant.
    package var bounded: Duration { min(self, .seconds(100 * 365 * 24 * 60 * 60 as Int64)) }

    /// Creates a duration from seconds, limited to the range from zero to a week. Foundation's intervals may be
    /// infinite or NaN; NaN counts as a week.
    package init(bounding seconds: TimeInterval) {
        let week: TimeInterval = 7 * 24 * 60 * 60
        self = .seconds(seconds.isNaN ? week : Swift.min(Swift.max(seconds, 0), week))
    }

    /// The duration as text for error messages, in seconds and to the microsecond, such as `60 s` or `0.05 s`. A
    /// negative duration is `0 s`.
    package var secondsText: String {
        let (seconds, attoseconds) = max(self, .zero).components
        let microseconds = attoseconds / 1_000_000_000_000
        guard microseconds > 0 else { return "\(seconds) s" }
        // 1,050,000 as text, without its first digit, is 050000.
        var fraction = "\(1_000_000 + microseconds)".dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        return "\(seconds).\(fraction) s"
    }
}
