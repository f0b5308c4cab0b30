extension JSONDecimal {
    /// Powers of ten that a `Double` represents exactly.
    private static let exactPowers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20,
        1e21, 1e22,
    ]

    /// Returns the nearest number, with ties to even, or `nil` if 19 digits are too few to determine it.
    ///
    /// An overflow is infinite and an underflow is zero. The method is that of Lemire, "Number parsing at a gigabyte
    /// per second" (2021), with the proof by Mushtak and Lemire, "Fast number parsing without fallback" (2022).
    @inline(__always)
    func nearestDouble(_ powers: PowersOfFive) -> Double? {
        if digits < 1 &<< 53, !isTruncated {
            // Both factors are exact, so that the processor rounds once.
            if exponent == 0 { return signed(Double(digits)) }
            if exponent < 0, exponent >= -22 { return signed(Double(digits) / Self.exactPowers[-exponent]) }
            if exponent > 0, exponent <= 22 { return signed(Double(digits) * Self.exactPowers[exponent]) }
        }
        let nearest = Self.double(digits, exponent, powers)
        guard isTruncated else { return signed(nearest) }
        return nearest == Self.double(digits + 1, exponent, powers) ? signed(nearest) : nil
    }

    @inline(__always)
    private func signed(_ value: Double) -> Double { isNegative ? -value : value }

    private static func double(_ digits: UInt64, _ exponent: Int, _ powers: PowersOfFive) -> Double {
        if digits == 0 || exponent < -342 { return 0 }
        if exponent > 308 { return .infinity }
        let zeros = digits.leadingZeroBitCount
        let significand = digits &<< UInt64(zeros)
        let power = powers[exponent]
        var highFactor = UInt64(truncatingIfNeeded: power &>> 64)
        var lowFactor = UInt64(truncatingIfNeeded: power)
        // For exponents from -27 to -1, the method needs the power rounded up.
        if exponent < 0, exponent >= -27 {
            lowFactor &+= 1
            if lowFactor == 0 { highFactor &+= 1 }
        }
        var (high, low) = significand.multipliedFullWidth(by: highFactor)
        // The upper 55 bits are needed. A carry can change them only if the lower 9 bits are all 1.
        if high & 0x1FF == 0x1FF {
            let (sum, overflow) = low.addingReportingOverflow(significand.multipliedFullWidth(by: lowFactor).high)
            low = sum
            if overflow { high &+= 1 }
        }
        let top = Int(high &>> 63)
        let shift = UInt64(top &+ 9)
        var mantissa = high &>> shift
        // The binary exponent of ten to the power, from log2(10) times 65,536.
        var biased = (217_706 &* exponent) &>> 16 &+ 63 &+ top &- zeros &+ 1_023
        if biased <= 0 {
            guard biased > -63 else { return 0 }
            mantissa &>>= UInt64(1 &- biased)
            mantissa = (mantissa &+ (mantissa & 1)) &>> 1
            return Double(bitPattern: mantissa)
        }
        // Halfway between two numbers: to even.
        if low <= 1, exponent >= -4, exponent <= 23, mantissa & 3 == 1, mantissa &<< shift == high { mantissa &= ~1 }
        mantissa = (mantissa &+ (mantissa & 1)) &>> 1
        if mantissa >= 1 &<< 53 {
            mantissa = 1 &<< 52
            biased &+= 1
        }
        guard biased < 0x7FF else { return .infinity }
        return Double(bitPattern: UInt64(biased) &<< 52 | mantissa & 0xF_FFFF_FFFF_FFFF)
    }
}
