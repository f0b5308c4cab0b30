/// Writes numbers as Swift's `description` does, without the `.0` of whole ones.
enum JSONNumberText {
    /// More bytes than any number needs.
    static let capacity = 40

    /// Writes a finite number and returns the number of its bytes.
    static func write(_ value: Double, to target: UnsafeMutablePointer<UInt8>, _ powers: PowersOfFive) -> Int {
        var count = 0
        if value.sign == .minus {
            target[0] = UInt8(ascii: "-")
            count = 1
        }
        guard value != 0 else {
            target[count] = UInt8(ascii: "0")
            return count + 1
        }
        let shortest = ShortestDecimal(value.magnitude, powers)
        var (digits, exponent) = (shortest.digits, shortest.exponent)
        while digits % 10 == 0 {
            digits /= 10
            exponent += 1
        }
        let start = target + count
        let length = write(digits, to: start)
        // The number of digits before the point. If it is negative, zeros follow the point.
        let point = length + exponent
        if point < -3 || value.magnitude > 0x1p53 {
            return count + makeScientific(start, length, exponent: point - 1)
        }
        if exponent >= 0 {
            for index in 0..<exponent { start[length + index] = UInt8(ascii: "0") }
            return count + point
        }
        if point > 0 {
            memmove(start + point + 1, start + point, length - point)
            start[point] = UInt8(ascii: ".")
            return count + length + 1
        }
        // The digits come after `0.` and the zeros.
        memmove(start + 2 - point, start, length)
        for index in 0..<(2 - point) { start[index] = UInt8(ascii: "0") }
        start[1] = UInt8(ascii: ".")
        return count + length + 2 - point
    }

    /// Puts the point after the first digit, and the exponent, of two digits or more, after the last. Returns the
    /// number of bytes.
    private static func makeScientific(_ start: UnsafeMutablePointer<UInt8>, _ length: Int, exponent: Int) -> Int {
        var count = length
        if length > 1 {
            memmove(start + 2, start + 1, length - 1)
            start[1] = UInt8(ascii: ".")
            count += 1
        }
        start[count] = UInt8(ascii: "e")
        start[count + 1] = exponent < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+")
        count += 2
        if exponent.magnitude < 10 {
            start[count] = UInt8(ascii: "0")
            count += 1
        }
        return count + write(UInt64(exponent.magnitude), to: start + count)
    }

    /// Writes a whole number and returns the number of its digits.
    @inline(__always)
    static func write(_ value: UInt64, to target: UnsafeMutablePointer<UInt8>) -> Int {
        if value < 10 {
            target[0] = UInt8(truncatingIfNeeded: value) &+ UInt8(ascii: "0")
            return 1
        }
        var length = 1
        var bound: UInt64 = 10
        // Twenty digits are the most, and ten to the power of 20 would overflow.
        while value >= bound, length < 20 {
            length &+= 1
            bound = bound &* 10
        }
        var rest = value
        for at in stride(from: length - 1, through: 0, by: -1) {
            let tenth = rest / 10
            target[at] = UInt8(truncatingIfNeeded: rest &- tenth &* 10) &+ UInt8(ascii: "0")
            rest = tenth
        }
        return length
    }
}

/// The shortest decimal number that reads as a given `Double`, and the closest to it of that length.
///
/// The method is Schubfach: R. Giulietti, "The Schubfach way to render doubles" (2021).
struct ShortestDecimal {
    /// The number is `digits` times ten to the power of `exponent`. The digits can end with zeros.
    var digits: UInt64
    var exponent: Int

    /// - Parameter value: Finite and greater than zero.
    init(_ value: Double, _ powers: PowersOfFive) {
        let fraction = value.significandBitPattern
        let biasedExponent = Int(value.exponentBitPattern)
        let significand = biasedExponent == 0 ? fraction : fraction | 1 &<< 52
        // The value is `significand` times two to the power of `binary`.
        let binary = max(biasedExponent, 1) &- 1_075
        // A whole number below 2^53 has at most 16 digits, which are exact.
        if binary <= 0, binary > -53, significand & ((1 &<< UInt64(-binary)) &- 1) == 0 {
            (digits, exponent) = (significand &>> UInt64(-binary), 0)
            return
        }
        // Below a power of two, the numbers are closer together.
        let isLowerCloser = fraction == 0 && biasedExponent > 1
        // The exponent of the last digit: log10(2) times 2^22 is 1,262,611, and log10(4/3) times 2^22 is 524,031.
        let decimal = (binary &* 1_262_611 &- (isLowerCloser ? 524_031 : 0)) &>> 22
        // The factor is log2(10) times 2^19.
        let shift = UInt64(truncatingIfNeeded: binary &+ ((-decimal &* 1_741_647) &>> 19) &+ 1)
        var power = powers[-decimal]
        // The method needs the power rounded up.
        if !PowersOfFive.exact.contains(-decimal) { power &+= 1 }
        // Four times the number and the bounds of the decimals that are read as the number, in units of ten to the
        // power of `decimal`.
        let lower = Self.product(power, (4 &* significand &- (isLowerCloser ? 1 : 2)) &<< shift)
        let middle = Self.product(power, (4 &* significand) &<< shift)
        let upper = Self.product(power, (4 &* significand &+ 2) &<< shift)
        // A decimal at a bound itself is read as the number only if the significand is even.
        let lastBit = significand & 1
        let (least, most) = (lower &+ lastBit, upper &- lastBit)
        let whole = middle / 4
        // One digit less suffices if exactly one of the two nearest decimals of that length is within the bounds.
        if whole >= 10 {
            let tens = whole / 10
            let fitsBelow = least <= 40 &* tens
            let fitsAbove = 40 &* tens &+ 40 <= most
            if fitsBelow != fitsAbove {
                (digits, exponent) = (tens &+ (fitsAbove ? 1 : 0), decimal &+ 1)
                return
            }
        }
        let fitsBelow = least <= 4 &* whole
        let fitsAbove = 4 &* whole &+ 4 <= most
        exponent = decimal
        guard fitsBelow == fitsAbove else {
            digits = whole &+ (fitsAbove ? 1 : 0)
            return
        }
        // The nearer of both, or the even one if the number is halfway between them.
        let half = 4 &* whole &+ 2
        digits = whole &+ (middle > half || middle == half && whole & 1 == 1 ? 1 : 0)
    }

    /// Returns the upper third of a product of 192 bits; its last bit is also 1 if the middle third is greater than 1,
    /// which the error of a rounded power alone cannot cause.
    @inline(__always)
    private static func product(_ power: UInt128, _ factor: UInt64) -> UInt64 {
        let low = UInt64(truncatingIfNeeded: power).multipliedFullWidth(by: factor).high
        let top = UInt64(truncatingIfNeeded: power &>> 64).multipliedFullWidth(by: factor)
        let (middle, carry) = top.low.addingReportingOverflow(low)
        return (top.high &+ (carry ? 1 : 0)) | (middle > 1 ? 1 : 0)
    }
}

/// The powers of five from -342 to 324, each as the first 128 bits of its binary digits, rounded down.
///
/// Reading and writing of floating-point numbers both multiply by one of them. They are computed once, in well under a
/// millisecond, in place of a table of 1,300 numbers in the source.
struct PowersOfFive: Sendable {
    static let shared = PowersOfFive()
    static let exponents = -342...324
    /// The exponents whose powers have 128 bits or fewer, so that nothing is rounded.
    static let exact = 0...55

    private let bits: [UInt128]

    private init() {
        var bits = [UInt128](repeating: 0, count: Self.exponents.count)
        // An integer of many words, the lowest first: the exact power.
        var power: [UInt64] = [1]
        for exponent in 0...Self.exponents.upperBound {
            bits[exponent - Self.exponents.lowerBound] = Self.leadingBits(of: power)
            var carry: UInt64 = 0
            for index in power.indices {
                let (high, low) = power[index].multipliedFullWidth(by: 5)
                let (sum, overflow) = low.addingReportingOverflow(carry)
                power[index] = sum
                carry = high + (overflow ? 1 : 0)
            }
            if carry > 0 { power.append(carry) }
        }
        // 2 to the power of 1,087 divided by each power. Repeated division by 5 gives the same whole part as one
        // division by the power.
        var quotient = [UInt64](repeating: 0, count: 17)
        quotient[16] = 1 << 63
        for exponent in stride(from: -1, through: Self.exponents.lowerBound, by: -1) {
            var remainder: UInt64 = 0
            for index in quotient.indices.reversed() {
                (quotient[index], remainder) = UInt64(5).dividingFullWidth((remainder, quotient[index]))
            }
            bits[exponent - Self.exponents.lowerBound] = Self.leadingBits(of: quotient)
        }
        self.bits = bits
    }

    /// Returns the power of five, shifted to 128 bits of which the first is 1.
    @inline(__always)
    subscript(exponent: Int) -> UInt128 { bits[exponent &- Self.exponents.lowerBound] }

    /// Returns the first 128 bits of an integer, of which the first is 1.
    private static func leadingBits(of words: [UInt64]) -> UInt128 {
        guard let top = words.lastIndex(where: { $0 != 0 }) else { return 0 }
        func word(_ offset: Int) -> UInt64 { top >= offset ? words[top - offset] : 0 }
        let bits = UInt128(word(0)) << 64 | UInt128(word(1))
        let shift = word(0).leadingZeroBitCount
        return shift == 0 ? bits : bits << shift | UInt128(word(2) >> (64 - shift))
    }
}
