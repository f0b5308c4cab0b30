extension JSONDecimal {
    /// Returns the value of a JSON number as an integer, or `nil` if it has a fraction or does not fit.
    ///
    /// `1.0`, `10e-1` and `1e2` are integers.
    @inline(__always)
    static func integer<Value: FixedWidthInteger>(
        _ text: UnsafeBufferPointer<UInt8>, hasFraction: Bool, as type: Value.Type
    ) -> Value? {
        guard let bytes = text.baseAddress else { return nil }
        let isNegative = bytes[0] == UInt8(ascii: "-")
        let first = isNegative ? 1 : 0
        // Eighteen digits fit in 64 bits, as most of the numbers with one or two more do.
        let safe = min(text.count, first + 18)
        guard !hasFraction, text.count - safe <= 2 else { return long(text, as: type) }
        var value: UInt64 = 0
        for at in first..<safe { value = value &* 10 &+ UInt64(bytes[at] &- UInt8(ascii: "0")) }
        for at in safe..<text.count {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(UInt64(bytes[at] &- UInt8(ascii: "0")))
            guard !overflow, !carry else { return long(text, as: type) }
            value = sum
        }
        guard isNegative else { return Value(exactly: value) }
        guard value <= Int64.min.magnitude else { return long(text, as: type) }
        return Value(exactly: 0 &- Int64(bitPattern: value))
    }

    @inline(never)
    private static func long<Value: FixedWidthInteger>(
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
        // No integer type has more than 39 digits.
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
