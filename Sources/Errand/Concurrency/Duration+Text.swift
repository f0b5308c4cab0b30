extension Duration {
    /// The duration as error messages show it, in seconds and to the microsecond: `60 s`, `0.05 s`; `0 s` when it is
    /// negative.
    package var secondsText: String {
        let (seconds, attoseconds) = max(self, .zero).components
        let microseconds = attoseconds / 1_000_000_000_000
        guard microseconds > 0 else { return "\(seconds) s" }
        // 1,050,000 as text, with its first digit cut off, is 050000.
        var fraction = "\(1_000_000 + microseconds)".dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        return "\(seconds).\(fraction) s"
    }
}
