/// A JSON number, exactly as a document has it.
///
/// ```swift
/// let number = JSONNumber("12345678901234567890.10")
/// number?.decimal   // 12345678901234567890.1
/// number?.int       // nil
/// ```
///
/// Two numbers are equal if their values are: `1`, `1.0` and `10e-1`.
public struct JSONNumber: Sendable, LosslessStringConvertible {
    /// The number in the syntax of JSON.
    public let description: String

    /// Creates a number from JSON's syntax; `nil` for another text, such as `+1`, `.5` or `0x1`, and for more than
    /// 4,096 characters.
    public init?(_ description: String) {
        var text = description
        // The first byte excludes other values and white space before the number. The length of the token excludes
        // white space after it.
        let isNumber = text.withUTF8 { bytes in
            guard let first = bytes.first, first == UInt8(ascii: "-") || 0x30...0x39 ~= first,
                let tokenizer = try? JSONTokenizer.tokens(of: bytes, depth: 1)
            else { return false }
            defer { tokenizer.release() }
            return JSONToken(word: tokenizer.words[0]).length == bytes.count
        }
        guard isNumber else { return nil }
        self.init(unchecked: description)
    }

    /// Creates a number from a text that is known to be one.
    init(unchecked description: String) {
        self.description = description
    }

    /// Creates a number from an integer.
    public init(_ value: some BinaryInteger) {
        description = "\(value)"
    }

    /// Creates a number from a floating-point number; `nil` for infinity and NaN.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        description = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: JSONNumberText.capacity) { buffer in
            guard let start = buffer.baseAddress else { return "0" }
            let count = JSONNumberText.write(value, to: start, .shared)
            return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
        }
    }

    /// Creates a number from a decimal number; `nil` for NaN.
    public init?(_ value: Decimal) {
        self.init("\(value)")
    }

    /// The number as an `Int`; `nil` if it has a fraction or does not fit.
    public var int: Int? { integer(Int.self) }
    /// The nearest `Double`; `nil` if the number is too large, or so small that 0 would be nearest.
    public var double: Double? {
        guard let value = Double(description), value.isFinite else { return nil }
        return value == 0 && !isZero ? nil : value
    }

    /// The number as a `Decimal`, of which the first 38 digits are kept; `nil` if it is too large or too small.
    public var decimal: Decimal? {
        guard let value = Decimal(string: description), value.isFinite else { return nil }
        return value == 0 && !isZero ? nil : value
    }

    /// The number as any integer type; `nil` if it has a fraction or does not fit.
    public func integer<Value: FixedWidthInteger>(_ type: Value.Type) -> Value? {
        var text = description
        // A byte above the digits is the E of an exponent, and 0x2E is a point.
        return text.withUTF8 { bytes in
            let hasFractionOrExponent = bytes.contains { $0 > 0x39 || $0 == 0x2E }
            return JSONDecimal.integer(bytes, hasFractionOrExponent: hasFractionOrExponent, as: type)
        }
    }

    private var isZero: Bool { !description.prefix { $0 != "e" && $0 != "E" }.contains { "1"..."9" ~= $0 } }

    /// The sign, the digits without zeros at either end, and the power of ten of the last digit.
    private var canonical: (isNegative: Bool, digits: [UInt8], exponent: Int) {
        let parts = description.split(whereSeparator: { $0 == "e" || $0 == "E" })
        let significand = parts[0].utf8
        var digits = Array(significand.filter { 0x30...0x39 ~= $0 }.drop { $0 == 0x30 })
        let fraction = significand.firstIndex(of: UInt8(ascii: ".")).map { significand[$0...].count - 1 } ?? 0
        // Exponents beyond 2^40 are not distinguished.
        let written = parts.count > 1 ? Int(parts[1]) ?? (parts[1].hasPrefix("-") ? .min : .max) : 0
        var exponent = max(-(1 << 40), min(1 << 40, written)) - fraction
        while digits.last == 0x30 {
            digits.removeLast()
            exponent += 1
        }
        guard !digits.isEmpty else { return (false, [], 0) }
        return (description.hasPrefix("-"), digits, exponent)
    }
}

extension JSONNumber: Hashable {
    /// Whether two numbers have the same value.
    public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        left.description == right.description || left.canonical == right.canonical
    }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) {
        let (isNegative, digits, exponent) = canonical
        hasher.combine(isNegative)
        hasher.combine(digits)
        hasher.combine(exponent)
    }
}
