/// Writes numbers as Swift's `description` does, without the `.0` of whole ones.
enum JSONNumberText {
    /// The maximum number of bytes of a number.
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
        memmove(start + 2 - point, start, length)
        for index in 0..<(2 - point) { start[index] = UInt8(ascii: "0") }
        start[1] = UInt8(ascii: ".")
        return count + length + 2 - point
    }

    /// Puts the point after the first digit, and the exponent, of two digits or more, after the last.
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
            target[0] = UInt8(truncatingIfNeeded: value) &+ 48
            return 1
        }
        var length = 1
        var bound: UInt64 = 10
        while value >= bound, length < 20 {
            length &+= 1
            bound = bound.multipliedReportingOverflow(by: 10).partialValue
            if length == 20 { break }
        }
        var rest = value
        for at in stride(from: length - 1, through: 0, by: -1) {
            let tenth = rest / 10
            target[at] = UInt8(truncatingIfNeeded: rest &- tenth &* 10) &+ 48
            rest = tenth
        }
        return length
    }
}
