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

    private static func leadingBits(of words: [UInt64]) -> UInt128 {
        guard let top = words.lastIndex(where: { $0 != 0 }) else { return 0 }
        func word(_ offset: Int) -> UInt64 { top >= offset ? words[top - offset] : 0 }
        let bits = UInt128(word(0)) << 64 | UInt128(word(1))
        let shift = word(0).leadingZeroBitCount
        return shift == 0 ? bits : bits << shift | UInt128(word(2) >> (64 - shift))
    }
}
