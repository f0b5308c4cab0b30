/// Something about a declaration that the compiler does not see.
struct Fact {
    /// How two values of a fact compare.
    enum Rule {
        /// Another value has this impact.
        case impact(Impact)
        /// A value where there was none is harmless, another value may break.
        case addition
        /// Another value may break. The compiler sees whether there is one.
        case replacement
        /// Values that need more credentials may break, others are harmless.
        case security([SecurityAlternative])
        /// A lower value may break. A higher one changes nothing for the caller.
        case maximum
        /// A higher value may break. A lower one changes nothing for the caller.
        case minimum
        /// Another value may break, but not its absence.
        case restriction
    }

    /// The words between the name of the declaration and the value: `is sent as`.
    let label: String
    /// The value as messages show it; empty for none.
    let value: String
    var rule = Rule.impact(.runTime)

    /// Returns the impact of a new value; `nil` if it changes nothing for the caller.
    func impact(of new: Fact) -> Impact? {
        guard value != new.value else { return nil }
        switch (rule, new.rule) {
        case (.security(let old), .security(let new)):
            // Without alternatives, no credentials are needed.
            let none = [SecurityAlternative(schemes: [])]
            let isEnough = (old.isEmpty ? none : old).allSatisfy { known in
                (new.isEmpty ? none : new).contains { Set($0.schemes).isSubset(of: known.schemes) }
            }
            return isEnough ? .harmless : .runTime
        case (.maximum, _): return isLimit(new, tighter: <) ? .runTime : nil
        case (.minimum, _): return isLimit(new, tighter: >) ? .runTime : nil
        case (.restriction, _): return new.value.isEmpty ? nil : .runTime
        case (.impact(let impact), _): return impact
        case (.replacement, _): return value.isEmpty || new.value.isEmpty ? nil : .runTime
        case (.addition, _): return value.isEmpty ? .harmless : .runTime
        case (.security, _): return .runTime
        }
    }

    /// Whether a new limit allows less than this one. Without a limit, any value is allowed.
    private func isLimit(_ new: Fact, tighter: (Double, Double) -> Bool) -> Bool {
        func number(_ text: String) -> Double? { text.split(separator: " ").first.flatMap { Double($0) } }
        guard let limit = number(new.value) else { return false }
        return number(value).map { tighter(limit, $0) } ?? true
    }

    /// Returns the sentence for a new value.
    func sentence(_ name: String, _ new: Fact) -> String {
        if new.value.isEmpty {
            let isForm = label == "is" || label.hasPrefix("is ")
            return "`\(name)` \(isForm ? "is no longer\(label.dropFirst(2))" : "no longer \(label)") \(value)"
        }
        return "`\(name)` \(label) \(new.value) now" + (value.isEmpty ? "" : ", not \(value)")
    }
}

extension Fact {
    /// The limits of a value that is sent, and the value that the server uses if it is absent.
    static func limits(of schema: Schema?) -> [Fact] {
        func value(_ key: String, _ unit: String = "") -> String {
            guard let text = schema?[key]?.text, text != "true", text != "false" else { return "" }
            return "\(text)\(unit)"
        }
        func code(_ text: String) -> String { text.isEmpty ? "" : "`\(text.replacing("`", with: "'"))`" }
        return [
            Fact(label: "has the server's default", value: code(schema?["default"].map(Documentation.literal) ?? "")),
            Fact(label: "is at least", value: value("minimum"), rule: .minimum),
            Fact(label: "is at most", value: value("maximum"), rule: .maximum),
            Fact(label: "is more than", value: value("exclusiveMinimum"), rule: .minimum),
            Fact(label: "is less than", value: value("exclusiveMaximum"), rule: .maximum),
            Fact(label: "has at least", value: value("minLength", " characters"), rule: .minimum),
            Fact(label: "has at most", value: value("maxLength", " characters"), rule: .maximum),
            Fact(label: "needs at least", value: value("minItems", " elements"), rule: .minimum),
            Fact(label: "needs at most", value: value("maxItems", " elements"), rule: .maximum),
            Fact(label: "is a multiple of", value: value("multipleOf"), rule: .restriction),
            Fact(label: "matches", value: code(value("pattern")), rule: .restriction),
        ]
    }
}
