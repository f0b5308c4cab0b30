/// A number in decimal digits without an exponent, with the fewest digits that parse back to the same number.
///
/// `1e+20` becomes `100000000000000000000`, because some servers do not parse exponents, and some read a `+` as a
/// space. A whole number has no fraction: 2.0 becomes `2`.
struct PlainDecimal {
    let text: String

    /// Creates the digits; `nil` for a number that is not finite.
    init?(_ value: some BinaryFloatingPoint & LosslessStringConvertible) {
        guard value.isFinite else { return nil }
        // The description has the fewest digits, but an exponent for very large and very small numbers.
        let parts = value.description.split(separator: "e", maxSplits: 1)
        guard let mantissa = parts.first, let exponent = parts.count == 1 ? 0 : Int(parts[1]) else { return nil }
        let halves = mantissa.drop { $0 == "-" }.split(separator: ".", maxSplits: 1)
        guard let whole = halves.first else { return nil }
        var fraction = halves.count == 2 ? String(halves[1]) : ""
        while fraction.last == "0" { fraction.removeLast() }
        let sign = mantissa.hasPrefix("-") ? "-" : ""
        text = sign + Self.shifted(whole: String(whole), fraction: fraction, by: exponent)
    }

    /// Moves the decimal point of `whole.fraction` to the right, or to the left if `places` is negative.
    private static func shifted(whole: String, fraction: String, by places: Int) -> String {
        let digits = whole + fraction
        let point = whole.count + places
        if point <= 0 { return "0." + String(repeating: "0", count: -point) + digits }
        if point >= digits.count { return digits + String(repeating: "0", count: point - digits.count) }
        return digits.prefix(point) + "." + digits.dropFirst(point)
    }
}
