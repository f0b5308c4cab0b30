/// What a schema and those that it refers to say about a value without parts: format, limits and examples.
struct ScalarRules {
    private(set) var format: String?
    /// The values that the document gives, in the order in which they are preferred.
    private(set) var candidates: [Node] = []
    private(set) var minimumItems = 0
    private var minimum: Double?
    private var maximum: Double?
    private var isMinimumExclusive = false
    private var isMaximumExclusive = false
    private var multiple: Double?
    private var minimumLength: Int?
    private var maximumLength: Int?

    init(_ schema: Node?, _ reader: DocumentReader) {
        var pending = schema.map { [$0] } ?? []
        var seen: Set<ObjectIdentifier> = []
        var defaults: [Node] = []
        while !pending.isEmpty {
            let node = pending.removeFirst()
            guard seen.insert(ObjectIdentifier(node)).inserted, seen.count < 50 else { continue }
            read(node)
            candidates += [node["example"]].compactMap(\.self) + (node["examples"]?.elements ?? [])
            if let value = node["default"] { defaults.append(value) }
            if let target = References.reference(of: node).flatMap(reader.references.resolve) { pending.append(target) }
            pending += node["allOf"]?.elements ?? []
        }
        candidates = (candidates + defaults).filter { !$0.isNull }
    }

    private mutating func read(_ node: Node) {
        func number(_ key: String) -> Double? {
            guard case .number(let text)? = node[key]?.content else { return nil }
            return Double(text).flatMap { $0.isFinite ? $0 : nil }
        }
        format = format ?? node["format"]?.string
        isMinimumExclusive = isMinimumExclusive || node["exclusiveMinimum"]?.bool == true
        isMaximumExclusive = isMaximumExclusive || node["exclusiveMaximum"]?.bool == true
        if let limit = number("exclusiveMinimum") { (minimum, isMinimumExclusive) = (limit, true) }
        if let limit = number("exclusiveMaximum") { (maximum, isMaximumExclusive) = (limit, true) }
        minimum = minimum ?? number("minimum")
        maximum = maximum ?? number("maximum")
        multiple = multiple ?? number("multipleOf").flatMap { $0 > 0 ? $0 : nil }
        minimumLength = minimumLength ?? number("minLength").map { Int(max(0, min($0, 1_000))) }
        maximumLength = maximumLength ?? number("maxLength").map { Int(max(0, min($0, 1_000_000))) }
        minimumItems = max(minimumItems, Int(max(0, min(number("minItems") ?? 0, 10))))
    }

    /// A whole number within the limits: 1, or else the one that is nearest to it.
    var integer: String {
        var value = 1.0
        if let minimum { value = max(value, minimum.rounded(.up) + (isMinimumExclusive && minimum >= 1 ? 1 : 0)) }
        if let multiple, multiple >= 1 { value = (value / multiple).rounded(.up) * multiple }
        if let maximum, value > maximum || isMaximumExclusive && value == maximum {
            value = isMaximumExclusive ? maximum.rounded(.up) - 1 : maximum.rounded(.down)
            if let multiple, multiple >= 1 { value = (value / multiple).rounded(.down) * multiple }
        }
        guard abs(value) < 9e15 else { return value > 0 ? "9007199254740991" : "-9007199254740991" }
        return "\(Int64(value))"
    }

    /// A number within the limits: 1.5, or else one at them.
    var number: String {
        let value = 1.5
        let isLarge = minimum.map { isMinimumExclusive ? value > $0 : value >= $0 } ?? true
        let isSmall = maximum.map { isMaximumExclusive ? value < $0 : value <= $0 } ?? true
        if isLarge, isSmall, multiple == nil { return "1.5" }
        if let minimum, let maximum { return Self.text(minimum / 2 + maximum / 2) }
        if let multiple, isLarge, isSmall || multiple < 1.5 { return Self.text(multiple) }
        return Self.text(minimum.map { $0 + 1 } ?? maximum.map { $0 - 1 } ?? value)
    }

    private static func text(_ value: Double) -> String {
        guard value.isFinite else { return "1.5" }
        return value == value.rounded() && abs(value) < 9e15 ? "\(Int64(value))" : "\(value)"
    }

    /// A text of the format and within the limits.
    ///
    /// - Parameter name: The text for an unknown format, such as the name of a member.
    func text(named name: String = "text") -> String {
        var text = format.flatMap { Samples.texts[$0] } ?? name
        if let minimumLength {
            while text.count < minimumLength { text += text.isEmpty ? "text" : text }
            if text.count > max(minimumLength, 4), format == nil { text = String(text.prefix(max(minimumLength, 4))) }
        }
        if let maximumLength { text = String(text.prefix(maximumLength)) }
        return text
    }
}
