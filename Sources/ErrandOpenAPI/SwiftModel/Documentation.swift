/// The documentation of generated code, line by line and not yet wrapped. An empty line ends a paragraph.
enum Documentation {
    /// What a schema says about its values.
    static func lines(of schema: Schema) -> [String] {
        // A title of one word is the name again.
        let title = schema.title.flatMap { $0.contains(" ") ? $0 : nil }
        return (schema.description ?? title).map(paragraphs) ?? []
    }

    /// What a schema says about a property, with its default and its limits.
    static func lines(ofProperty schema: Schema, _ use: TypeUse) -> [String] {
        var lines = lines(of: schema)
        var facts: [String] = []
        if schema.isDeprecated { facts.append("Deprecated.") }
        if schema.isReadOnly { facts.append("Only the server sets it.") }
        if schema.isWriteOnly { facts.append("The server does not return it.") }
        if let constant = use.constant {
            facts.append("Always `\(literal(constant))`.")
        } else if let known = use.known {
            facts.append("A known value is `\(literal(known))`.")
        }
        if let value = schema.defaultValue, !value.isNull {
            facts.append("The server's default is `\(literal(value))`.")
        }
        facts += limits(schema)
        guard !facts.isEmpty else { return lines }
        if !lines.isEmpty { lines.append("") }
        lines.append(facts.joined(separator: " "))
        return lines
    }

    /// The limits that the server checks.
    private static func limits(_ schema: Schema) -> [String] {
        func text(_ key: String) -> String? { schema[key]?.text }
        var limits: [String] = []
        let names = [
            ("minimum", "At least %."), ("maximum", "At most %."), ("minLength", "At least % characters."),
            ("maxLength", "At most % characters."), ("minItems", "At least % elements."),
            ("maxItems", "At most % elements."), ("multipleOf", "A multiple of %."),
        ]
        for (key, phrase) in names {
            if let value = text(key) { limits.append(phrase.replacing("%", with: value)) }
        }
        if let value = text("exclusiveMinimum"), value != "true", value != "false" {
            limits.append("More than \(value).")
        }
        if let value = text("exclusiveMaximum"), value != "true", value != "false" {
            limits.append("Less than \(value).")
        }
        let isShown: (Character) -> Bool = { $0 != "`" && !$0.isNewline }
        if let pattern = text("pattern"), pattern.count <= 80, pattern.allSatisfy(isShown) {
            limits.append("Matches `\(pattern)`.")
        }
        return limits
    }

    /// A value of the document as JSON, shortened.
    static func literal(_ node: Node) -> String {
        let text: String =
            switch node.content {
            case .null: "null"
            case .bool(let value): "\(value)"
            case .number(let text): text
            case .string(let text): text.isEmpty ? "\"\"" : text
            case .array(let elements): "[" + elements.prefix(5).map(literal).joined(separator: ", ") + "]"
            case .object(let members):
                "{" + members.prefix(5).map { "\($0.key): \(literal($0.value))" }.joined(separator: ", ") + "}"
            }
        let plain = text.visibleLine.replacing("`", with: "'")
        return plain.count > 60 ? plain.prefix(57) + "…" : plain
    }

    /// Splits a text into paragraphs, list items and lines of code. Line breaks within a paragraph become spaces.
    static func paragraphs(_ text: String) -> [String] {
        var result: [String] = []
        var isCode = false
        var continues = false
        for line in withoutHTML(text).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let trimmed = line[..<(line.lastIndex { !$0.isWhitespace }.map(line.index(after:)) ?? line.startIndex)]
            let hasControls = trimmed.utf8.contains { $0 < 0x20 }
            let plain =
                hasControls
                ? trimmed.filter { !$0.unicodeScalars.contains { $0.value < 0x20 } } : String(trimmed)
            if plain.isEmpty, result.last?.isEmpty ?? true { continue }
            let isFence = plain.hasPrefix("```")
            if continues, !isCode, isText(plain), !result.isEmpty {
                result[result.count - 1] += " \(plain.drop { $0 == " " })"
            } else {
                result.append(plain)
            }
            if isFence { isCode.toggle() }
            continues = !plain.isEmpty && !isCode && !isFence && !plain.hasPrefix("#") && !plain.hasPrefix("|")
        }
        while result.last?.isEmpty == true { result.removeLast() }
        return result
    }

    /// Whether a line continues the paragraph before it.
    private static func isText(_ line: String) -> Bool {
        guard let first = line.first, !line.hasPrefix("    ") else { return false }
        return first.isLetter || "`([\"'“_$".contains(first)
            || first.isNumber && !line.prefix(4).contains(where: { ".)".contains($0) })
    }

    /// Removes the tags of HTML that descriptions have, and keeps code as code.
    private static func withoutHTML(_ text: String) -> String {
        guard text.contains("<") else { return text }
        let tags = [
            ("<p>", ""), ("</p>", "\n\n"), ("<br>", "\n"), ("<br/>", "\n"), ("<br />", "\n"), ("<code>", "`"),
            ("</code>", "`"),
            ("<em>", "*"), ("</em>", "*"), ("<strong>", "**"), ("</strong>", "**"), ("<b>", "**"), ("</b>", "**"),
            ("</a>", ""),
            ("<ul>", "\n"), ("</ul>", "\n"), ("<li>", "\n- "), ("</li>", "\n"),
        ]
        var rest = text[...]
        var plain = ""
        // After the last `>`, no tag of a link ends.
        let last = text.lastIndex(of: ">") ?? text.startIndex
        while let start = rest.firstIndex(of: "<") {
            plain += rest[..<start]
            rest = rest[start...]
            if let (tag, replacement) = tags.first(where: { rest.hasPrefix($0.0) }) {
                plain += replacement
                rest = rest.dropFirst(tag.count)
            } else if start < last, rest.hasPrefix("<a "), let end = rest.firstIndex(of: ">") {
                rest = rest[rest.index(after: end)...]
            } else {
                plain += "<"
                rest = rest.dropFirst()
            }
        }
        return plain + rest
    }
}
