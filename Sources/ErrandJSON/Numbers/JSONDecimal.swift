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
            let point = at
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
            exponent = point - at
            count += at - point
        }
        let endOfDigits = at
        if at < end { exponent = Self.saturatingSum(exponent, Self.exponent(bytes, from: at + 1, to: end)) }
        digits = value
        if count > 19 { readAgain(bytes, from: start, to: endOfDigits, count: count) }
    }

    /// Reads the first 19 significant digits of a number that may have more.
    @inline(never)
    private mutating func readAgain(_ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int, count: Int) {
        digits = 0
        isTruncated = false
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

    static func saturatingSum(_ left: Int, _ right: Int) -> Int {
        max(-(1 << 40), min(1 << 40, left + right))
    }
}
