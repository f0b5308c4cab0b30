/// The decimal digits of a JSON number: `digits` times ten to the power of `exponent`.
struct JSONDecimal {
    var isNegative = false
    /// The first 19 significant digits.
    var digits: UInt64 = 0
    var exponent = 0
    /// Whether there are more digits that are not zero.
    var isTruncated = false

    /// Reads a number whose syntax has been checked.
    @inline(__always)
    init(_ text: UnsafeBufferPointer<UInt8>) {
        guard let bytes = text.baseAddress else { return }
        let end = text.count
        var at = 0
        if bytes[0] == UInt8(ascii: "-") {
            isNegative = true
            at = 1
        }
        let start = at
        var value: UInt64 = 0
        while at < end {
            let digit = bytes[at] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            value = value &* 10 &+ UInt64(digit)
            at &+= 1
        }
        var count = at - start
        if at < end, bytes[at] == UInt8(ascii: ".") {
            at &+= 1
            let fractionStart = at
            while at &+ 8 <= end, let eight = Self.eightDigits(bytes + at) {
                value = value &* 100_000_000 &+ eight
                at &+= 8
            }
            while at < end {
                let digit = bytes[at] &- UInt8(ascii: "0")
                guard digit < 10 else { break }
                value = value &* 10 &+ UInt64(digit)
                at &+= 1
            }
            exponent = fractionStart - at
            count += at - fractionStart
        }
        let endOfDigits = at
        if at < end { exponent = Self.saturatingSum(exponent, Self.exponent(bytes, from: at + 1, to: end)) }
        digits = value
        if count > 19 { readAgain(bytes, from: start, to: endOfDigits) }
    }

    /// Reads the first 19 significant digits of a number that may have more, and may have overflowed `digits`.
    @inline(never)
    private mutating func readAgain(_ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int) {
        digits = 0
        var significant = 0
        for at in start..<end where bytes[at] != UInt8(ascii: ".") {
            let digit = bytes[at] &- UInt8(ascii: "0")
            if significant < 19 {
                digits = digits &* 10 &+ UInt64(digit)
                if digits > 0 { significant += 1 }
            } else {
                exponent = Self.saturatingSum(exponent, 1)
                if digit > 0 { isTruncated = true }
            }
        }
    }

    /// Returns the value of eight digits, or `nil` if a byte is not a digit.
    @inline(__always)
    private static func eightDigits(_ bytes: UnsafePointer<UInt8>) -> UInt64? {
        let word = JSONBytes.eightBytes(bytes)
        // The upper half of each digit is 3, and stays 3 when 6 is added.
        let isDigits =
            (word & 0xF0F0_F0F0_F0F0_F0F0) | (((word &+ 0x0606_0606_0606_0606) & 0xF0F0_F0F0_F0F0_F0F0) &>> 4)
            == 0x3333_3333_3333_3333
        guard isDigits else { return nil }
        // Pairs of digits, then pairs of pairs, then both halves.
        var value = word &- 0x3030_3030_3030_3030
        value = (value &* 10) &+ (value &>> 8)
        let low = (value & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
        let high = ((value &>> 16) & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001
        return (low &+ high) &>> 32
    }

    /// Reads an exponent. Ignores the digits after it reaches 2^40, which is too much for every type.
    static func exponent(_ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
        var at = start
        let isNegative = bytes[at] == UInt8(ascii: "-")
        if isNegative || bytes[at] == UInt8(ascii: "+") { at += 1 }
        var value = 0
        while at < end, value < 1 << 40 {
            value = value * 10 + Int(bytes[at] - UInt8(ascii: "0"))
            at += 1
        }
        return isNegative ? -value : value
    }

    /// Adds two exponents, within a limit in which no further sum overflows.
    static func saturatingSum(_ left: Int, _ right: Int) -> Int {
        max(-(1 << 40), min(1 << 40, left + right))
    }
}

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
            // Both operands are exact, so that the processor rounds once.
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
        // Beyond these exponents, 19 digits are rounded to zero, or overflow.
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
        // The 53 bits of a `Double`, and one for rounding. `top` is 1 if the product has all 128 bits.
        let top = Int(high &>> 63)
        let shift = UInt64(top &+ 9)
        var mantissa = high &>> shift
        // The exponent field of the result. The factor is log2(10) times 65,536.
        var biasedExponent = (217_706 &* exponent) &>> 16 &+ 63 &+ top &- zeros &+ 1_023
        if biasedExponent <= 0 {
            // A subnormal number, or zero. If it is rounded up to the least normal number, its bits are right too.
            guard biasedExponent > -63 else { return 0 }
            mantissa &>>= UInt64(1 &- biasedExponent)
            mantissa = (mantissa &+ (mantissa & 1)) &>> 1
            return Double(bitPattern: mantissa)
        }
        // Halfway between two numbers: to even.
        if low <= 1, exponent >= -4, exponent <= 23, mantissa & 3 == 1, mantissa &<< shift == high { mantissa &= ~1 }
        mantissa = (mantissa &+ (mantissa & 1)) &>> 1
        if mantissa >= 1 &<< 53 {
            mantissa = 1 &<< 52
            biasedExponent &+= 1
        }
        guard biasedExponent < 0x7FF else { return .infinity }
        return Double(bitPattern: UInt64(biasedExponent) &<< 52 | mantissa & 0xF_FFFF_FFFF_FFFF)
    }

    /// Returns the value of a JSON number as an integer, or `nil` if it has a fraction or does not fit.
    ///
    /// `1.0`, `10e-1` and `1e2` are integers.
    ///
    /// - Parameter hasFractionOrExponent: Whether the text has a point or an exponent.
    @inline(__always)
    static func integer<Value: FixedWidthInteger>(
        _ text: UnsafeBufferPointer<UInt8>, hasFractionOrExponent: Bool, as type: Value.Type
    ) -> Value? {
        guard let bytes = text.baseAddress else { return nil }
        let isNegative = bytes[0] == UInt8(ascii: "-")
        let first = isNegative ? 1 : 0
        // Eighteen digits always fit in 64 bits. One or two more are added with a check.
        let safeEnd = min(text.count, first + 18)
        guard !hasFractionOrExponent, text.count - safeEnd <= 2 else { return slowInteger(text, as: type) }
        var value: UInt64 = 0
        for at in first..<safeEnd { value = value &* 10 &+ UInt64(bytes[at] &- UInt8(ascii: "0")) }
        for at in safeEnd..<text.count {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(UInt64(bytes[at] &- UInt8(ascii: "0")))
            guard !overflow, !carry else { return slowInteger(text, as: type) }
            value = sum
        }
        guard isNegative else { return Value(exactly: value) }
        guard value <= Int64.min.magnitude else { return slowInteger(text, as: type) }
        return Value(exactly: 0 &- Int64(bitPattern: value))
    }

    /// Returns the value of a number with any number of digits, a fraction or an exponent as an integer.
    @inline(never)
    private static func slowInteger<Value: FixedWidthInteger>(
        _ text: UnsafeBufferPointer<UInt8>, as type: Value.Type
    ) -> Value? {
        var digits: [UInt8] = []
        var exponent = 0
        var isFraction = false
        var isNegative = false
        for (at, byte) in text.enumerated() {
            switch byte {
            case UInt8(ascii: "-"): isNegative = true
            case UInt8(ascii: "."): isFraction = true
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if isFraction { exponent -= 1 }
                digits.append(byte - UInt8(ascii: "0"))
            default:
                // The exponent is the rest.
                exponent = saturatingSum(
                    exponent, self.exponent(text.baseAddress.unsafelyUnwrapped, from: at + 1, to: text.count))
                return integer(digits, exponent, isNegative)
            }
        }
        return integer(digits, exponent, isNegative)
    }

    /// Returns the value of digits times ten to the power of an exponent.
    private static func integer<Value: FixedWidthInteger>(
        _ allDigits: [UInt8], _ givenExponent: Int, _ isNegative: Bool
    ) -> Value? {
        var digits = allDigits.drop { $0 == 0 }
        var exponent = givenExponent
        while exponent < 0, digits.last == 0 {
            digits.removeLast()
            exponent += 1
        }
        guard !digits.isEmpty else { return 0 }
        // A negative exponent leaves a fraction. No integer type of the standard library has more than 39 digits.
        guard exponent >= 0, exponent + digits.count <= 39 else { return nil }
        var value: Value = 0
        for digit in digits + Array(repeating: 0, count: exponent) {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let step = Value(digit)
            let (sum, carry) =
                isNegative ? product.subtractingReportingOverflow(step) : product.addingReportingOverflow(step)
            guard !overflow, !carry else { return nil }
            value = sum
        }
        return value
    }
}
