/// The core schema of YAML 1.2 (section 10.3.2): what a text without quotes means.
///
/// `no`, `12:30` and `2026-11-26` are texts, and `090` is 90, unlike in YAML 1.1. Infinity and NaN stay texts, because
/// JSON does not have them.
enum YAMLScalar {
    static func content(of text: String) -> Node.Content {
        switch text {
        case "", "~", "null", "Null", "NULL": .null
        case "true", "True", "TRUE": .bool(true)
        case "false", "False", "FALSE": .bool(false)
        default: number(text).map { .number($0) } ?? .string(text)
        }
    }

    /// Returns a number in the syntax of JSON; `nil` for another text.
    private static func number(_ text: String) -> String? {
        guard let first = text.utf8.first, first < 0x3A, text.utf8.count <= 400 else { return nil }
        if text.hasPrefix("0x") { return Int(text.dropFirst(2), radix: 16).flatMap { unsigned(text, $0) } }
        if text.hasPrefix("0o") { return Int(text.dropFirst(2), radix: 8).flatMap { unsigned(text, $0) } }
        var rest = text[...]
        var sign = ""
        if let first = rest.first, first == "+" || first == "-" {
            sign = first == "-" ? "-" : ""
            rest = rest.dropFirst()
        }
        let whole = digits(&rest)
        var fraction = ""
        if rest.first == "." {
            rest = rest.dropFirst()
            fraction = digits(&rest)
        }
        guard !whole.isEmpty || !fraction.isEmpty else { return nil }
        var exponent = ""
        if let mark = rest.first, mark == "e" || mark == "E" {
            rest = rest.dropFirst()
            exponent = "\(mark)"
            if let first = rest.first, first == "+" || first == "-" {
                exponent.append(first)
                rest = rest.dropFirst()
            }
            let power = digits(&rest)
            guard !power.isEmpty else { return nil }
            exponent += power
        }
        guard rest.isEmpty else { return nil }
        let significant = whole.drop { $0 == "0" }
        return sign + (significant.isEmpty ? "0" : significant) + (fraction.isEmpty ? "" : "." + fraction) + exponent
    }

    /// Rejects a sign after the prefix of another base.
    private static func unsigned(_ text: String, _ value: Int) -> String? {
        text.contains { $0 == "-" || $0 == "+" } ? nil : "\(value)"
    }

    private static func digits(_ rest: inout Substring) -> String {
        let digits = rest.prefix { $0.isASCII && $0.isWholeNumber }
        rest = rest[digits.endIndex...]
        return String(digits)
    }
}
