/// A number in decimal digits without an exponent: the fewest digits that are read back as the same number.
///
/// `1e+20` is `100000000000000000000`: not every server reads exponents, and a `+` is a space to some. A whole number has
/// no fraction: 2.0 is `2`.
struct PlainDecimal {
    let text: String

    /// The digits; nil for a number that is not finite.
    init?(_ value: some BinaryFloatingPoint & LosslessStringConvertible) {
        guard value.isFinite else { return nil }
        // The description has the fewest digits, and for very large and small numbers an exponent.
        let parts = value.description.split(separator: "e", maxSplits: 1)
        guard let mantissa = parts.first, let exponent = parts.count == 1 ? 0 : Int(parts[1]) else { return nil }
        let halves = mantissa.drop { $0 == "-" }.split(separator: ".", maxSplits: 1)
        guard let whole = halves.first else { return nil }
        var fraction = halves.count == 2 ? String(halves[1]) : ""
        while fraction.last == "0" { fraction.removeLast() }
        let sign = mantissa.hasPrefix("-") ? "-" : ""
        text = sign + Self.shifted(whole: String(whole), fraction: fraction, by: exponent)
    }

    /// `whole.fraction` with the point moved to the right; to the left when `places` is negative.
    private static func shifted(whole: String, fraction: String, by places: Int) -> String {
        let digits = whole + fraction
        let point = whole.count + places
        if point <= 0 { return "0." + String(repeating: "0", count: -point) + digits }
        if point >= digits.count { return digits + String(repeating: "0", count: point - digits.count) }
        return digits.prefix(point) + "." + digits.dropFirst(point)
    }
}
