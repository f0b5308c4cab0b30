/// Writes Swift in the layout of swift-format: four spaces, at most 120 columns.
struct CodeWriter {
    static let width = 120

    private(set) var text = ""
    private var level = 0

    var margin: String { String(repeating: "    ", count: level) }

    /// Appends one line. A line separator in the text does not end it, and no character in it is invisible, so that
    /// text of a document cannot leave its comment.
    mutating func line(_ line: String = "") {
        text += line.isEmpty ? "\n" : "\(margin)\(line.visibleLine)\n"
    }

    /// Writes a line that ends with a brace, and a block.
    mutating func block(_ head: String, _ body: (inout CodeWriter) -> Void) {
        line("\(head) {")
        level += 1
        body(&self)
        level -= 1
        line("}")
    }

    /// Writes another block after the brace of the last one: `} else {`.
    mutating func continueBlock(_ head: String, _ body: (inout CodeWriter) -> Void) {
        let end = "\(margin)}\n"
        if text.hasSuffix(end) { text.removeLast(end.count) }
        block("} \(head)", body)
    }

    mutating func indented(_ body: (inout CodeWriter) -> Void) {
        level += 1
        body(&self)
        level -= 1
    }

    /// Writes a block that may have one line: `var a: Int { 1 }`.
    mutating func short(_ head: String, _ body: String) {
        let line = "\(head) { \(body) }"
        guard margin.count + line.count > Self.width else { return self.line(line) }
        block(head) { $0.line(body) }
    }

    /// Writes a call or a declaration with a list, which is filled into lines if it is too long for one.
    mutating func list(_ head: String, _ items: [String], _ tail: String) {
        let line = head + items.joined(separator: ", ") + tail
        guard margin.count + line.count > Self.width else { return self.line(line) }
        self.line(head)
        level += 1
        fill(items, separator: ",")
        level -= 1
        self.line(tail)
    }

    /// Writes a `guard` with conditions, which are filled into lines if they are too long for one.
    mutating func guarded(_ conditions: [String], otherwise: String) {
        let line = "guard \(conditions.joined(separator: ", ")) else { \(otherwise) }"
        guard margin.count + line.count > Self.width else { return self.line(line) }
        self.line("guard")
        indented { $0.fill(conditions, separator: ",") }
        self.line("else { \(otherwise) }")
    }

    /// Writes the elements of a literal: one on the same line, several on a line each.
    mutating func elements(_ head: String, _ items: [String], _ tail: String) {
        if items.count == 1, margin.count + head.count + items[0].count + tail.count <= Self.width {
            return line(head + items[0] + tail)
        }
        line(head)
        for item in items { line("    \(item),") }
        line(tail)
    }

    /// Writes items into as few lines as possible.
    private mutating func fill(_ items: [String], separator: String) {
        var current = ""
        for (index, item) in items.enumerated() {
            let piece = index == items.count - 1 ? item : item + separator
            if current.isEmpty {
                current = piece
            } else if margin.count + current.count + 1 + piece.count > Self.width {
                line(current)
                current = piece
            } else {
                current += " " + piece
            }
        }
        if !current.isEmpty { line(current) }
    }

    /// Writes a list that begins again with the same word when a line is full: `case a, b`.
    mutating func repeated(_ head: String, _ items: [String]) {
        var current = ""
        for item in items {
            if current.isEmpty {
                current = "\(head) \(item)"
            } else if margin.count + current.count + 2 + item.count > Self.width {
                line(current)
                current = "\(head) \(item)"
            } else {
                current += ", \(item)"
            }
        }
        if !current.isEmpty { line(current) }
    }

    /// Writes a comment of one sentence.
    mutating func documentation(_ sentence: String) { documentation([sentence]) }

    /// Writes a comment, whose long lines are wrapped.
    mutating func documentation(_ lines: [String]) {
        for text in lines {
            for part in wrapped(text.visibleLine, width: max(40, Self.width - margin.count - 4), "") { comment(part) }
        }
    }

    private mutating func comment(_ text: String) { line(text.isEmpty ? "///" : "/// \(text)") }

    /// Documents the parameters of an initializer.
    mutating func parameters(_ parameters: [(name: String, lines: [String])]) {
        let documented = parameters.filter { !$0.lines.isEmpty }
        guard !documented.isEmpty else { return }
        let isOnly = documented.count == 1
        if !isOnly { comment("- Parameters:") }
        for (name, lines) in documented {
            var text = isOnly ? "- Parameter \(name): " : "  - \(name): "
            var isFirst = true
            for line in lines where !line.isEmpty {
                if !isFirst { text += text.last.map { ".!?:".contains($0) } ?? true ? " " : ". " }
                text += line
                isFirst = false
            }
            let width = max(40, Self.width - margin.count - 4)
            for part in wrapped(text.visibleLine, width: width, isOnly ? "  " : "    ") { comment(part) }
        }
    }

    /// Breaks a text at spaces. The lines after the first are indented.
    private func wrapped(_ text: String, width: Int, _ indent: String) -> [String] {
        guard text.count > width else { return [text] }
        let start = text.prefix { $0 == " " }
        var lines: [String] = []
        var current = String(start)
        for word in text.split(separator: " ") {
            if current.count + word.count + 1 > width, current.contains(where: { $0 != " " }) {
                lines.append(current)
                current = indent
            }
            current += current.last.map { $0 == " " } ?? true ? String(word) : " \(word)"
        }
        return lines + [current]
    }
}

extension String {
    /// This text as a raw literal of Swift.
    ///
    /// The bytes are compared, as the compiler does: `#` with a combining mark is another `Character`.
    var rawLiteral: String {
        var count = 0
        var longest = 0
        var isAfterMark = false
        for byte in utf8 {
            count = byte == UInt8(ascii: "#") && isAfterMark ? count + 1 : 0
            longest = max(longest, count)
            isAfterMark = count > 0 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
        }
        let signs = String(repeating: "#", count: longest + 1)
        return "\(signs)\"\(self)\"\(signs)"
    }

    /// This text as a literal of Swift.
    var swiftLiteral: String {
        var literal = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            case _ where scalar.properties.isWhitespace && scalar != " ",
                _ where scalar.isInvisible:
                literal += "\\u{\(String(scalar.value, radix: 16))}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }
}

extension Node {
    /// This value as a literal of a `JSONValue`.
    var swiftLiteral: String {
        switch content {
        case .null: "nil"
        case .bool(let value): "\(value)"
        // An integer literal of a `JSONValue` is an `Int`.
        case .number(let text): Int(text) == nil && text.allSatisfy { $0.isNumber || $0 == "-" } ? text + ".0" : text
        case .string(let text): text.swiftLiteral
        case .array(let elements): "[" + elements.map(\.swiftLiteral).joined(separator: ", ") + "]"
        case .object(let members):
            members.isEmpty
                ? "[:]"
                : "[" + members.map { "\($0.key.swiftLiteral): \($0.value.swiftLiteral)" }.joined(separator: ", ") + "]"
        }
    }
}

extension PathTemplate {
    /// The template as a literal, with an interpolation for each place.
    func literal(_ names: [String: String]) -> String {
        let texts = pieces.map { piece in
            switch piece {
            case .text(let text): String(text.swiftLiteral.dropFirst().dropLast())
            case .name(let name): names[name].map { "\\(\($0))" } ?? ""
            }
        }
        return "\"\(texts.joined())\""
    }
}
