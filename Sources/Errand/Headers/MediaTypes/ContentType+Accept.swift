extension ContentType {
    /// The weight of this type in an `Accept` field, from the `q` parameter (RFC 9110, section 12.4.2). It ranges from
    /// 0, which means not acceptable, to 1, in thousandths. 1 if the parameter is missing or invalid.
    public var quality: Double { self["q"].flatMap(Self.weight(_:)) ?? 1 }

    /// Returns this type with a weight, which becomes the last parameter.
    ///
    /// - Parameter quality: The weight from 0 to 1, rounded to thousandths. Values outside this range are clamped, and
    ///   NaN means 1. A weight of 1 is omitted.
    public func with(quality: Double) -> ContentType {
        var type = self
        type.parameters.removeAll { $0.name == "q" }
        let bounded = quality.isNaN ? 1 : min(max(quality, 0), 1)
        let thousandths = Int((bounded * 1000).rounded())
        guard thousandths < 1000, isValid else { return type }
        var digits = String(String(1000 + thousandths).dropFirst())
        while digits.last == "0" { digits.removeLast() }
        type.parameters.append(Parameter(name: "q", value: digits.isEmpty ? "0" : "0.\(digits)"))
        return type
    }

    /// Returns the value of an `Accept` field with these types and ranges, in order.
    ///
    /// ```swift
    /// headers[.accept] = ContentType.accept(.json, .html.with(quality: 0.8), .any.with(quality: 0.1))
    /// ```
    ///
    /// Types that are not ``isValid`` are omitted.
    public static func accept(_ types: ContentType...) -> String { accept(types) }

    /// Returns the value of an `Accept` field with these types and ranges, in order.
    ///
    /// Types that are not ``isValid`` are omitted.
    public static func accept(_ types: some Sequence<ContentType>) -> String {
        types.filter(\.isValid).map(\.description).joined(separator: ", ")
    }

    /// Parses `0` or `1`, optionally with a point and at most three digits, which must be zeros after a 1.
    private static func weight(_ text: String) -> Double? {
        let bytes = Array(text.utf8)
        guard let whole = bytes.first, whole == UInt8(ascii: "0") || whole == UInt8(ascii: "1"), bytes.count <= 5,
            bytes.count == 1 || bytes[1] == UInt8(ascii: ".")
        else { return nil }
        let digits = bytes.dropFirst(2)
        guard digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        let thousandths = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        let value = Double(whole - 0x30) + Double(thousandths) / [1, 10, 100, 1000][digits.count]
        return value <= 1 ? value : nil
    }
}
