/// The shortest decimal number that reads as a given `Double`, and the closest to it of that length.
///
/// The method is Schubfach: R. Giulietti, "The Schubfach way to render doubles" (2021).
struct ShortestDecimal {
    var digits: UInt64
    var exponent: Int

    /// - Parameter value: Finite and greater than zero.
    init(_ value: Double, _ powers: PowersOfFive) {
        let fraction = value.significandBitPattern
        let biased = Int(value.exponentBitPattern)
        let significand = biased == 0 ? fraction : fraction | 1 &<< 52
        let binary = max(biased, 1) &- 1_075
        if binary <= 0, binary > -53, significand & ((1 &<< UInt64(-binary)) &- 1) == 0 {
            (digits, exponent) = (significand &>> UInt64(-binary), 0)
            return
        }
        // Below a power of two, the numbers are closer together.
        let isLowerCloser = fraction == 0 && biased > 1
        let decimal = (binary &* 1_262_611 &- (isLowerCloser ? 524_031 : 0)) &>> 22
        let shift = UInt64(truncatingIfNeeded: binary &+ ((-decimal &* 1_741_647) &>> 19) &+ 1)
        var power = powers[-decimal]
        if !PowersOfFive.exact.contains(-decimal) { power &+= 1 }
        // Four times the number and the bounds of the decimals that are read as the number, in units of ten to the
        // power of `decimal`.
        let lower = Self.product(power, (4 &* significand &- (isLowerCloser ? 1 : 2)) &<< shift)
        let middle = Self.product(power, (4 &* significand) &<< shift)
        let upper = Self.product(power, (4 &* significand &+ 2) &<< shift)
        let isOdd = significand & 1
        let (least, most) = (lower &+ isOdd, upper &- isOdd)
        let whole = middle / 4
        if whole >= 10 {
            let tens = whole / 10
            let isBelowIn = least <= 40 &* tens
            let isAboveIn = 40 &* tens &+ 40 <= most
            if isBelowIn != isAboveIn {
                (digits, exponent) = (tens &+ (isAboveIn ? 1 : 0), decimal &+ 1)
                return
            }
        }
        let isBelowIn = least <= 4 &* whole
        let isAboveIn = 4 &* whole &+ 4 <= most
        exponent = decimal
        guard isBelowIn == isAboveIn else {
            digits = whole &+ (isAboveIn ? 1 : 0)
            return
        }
        let half = 4 &* whole &+ 2
        digits = whole &+ (middle > half || middle == half && whole & 1 == 1 ? 1 : 0)
    }

    /// Returns the upper third of a product of 192 bits; its last bit is 1 if any bit below it is.
    @inline(__always)
    private static func product(_ power: UInt128, _ factor: UInt64) -> UInt64 {
        let low = UInt64(truncatingIfNeeded: power).multipliedFullWidth(by: factor).high
        let top = UInt64(truncatingIfNeeded: power &>> 64).multipliedFullWidth(by: factor)
        let (middle, carry) = top.low.addingReportingOverflow(low)
        return (top.high &+ (carry ? 1 : 0)) | (middle > 1 ? 1 : 0)
    }
}
