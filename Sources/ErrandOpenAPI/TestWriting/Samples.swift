internal import Foundation

/// JSON values of types, for tests.
final class Samples {
    private struct Key: Hashable {
        let id: Int
        let depth: Int
    }

    private let declarations: [Declaration]
    private var known: [Key: String?] = [:]
    /// The number of comparisons of an example with its type that are left.
    private var steps = 0
    private var allowsUnknown = false
    /// Whether a number or a URL must have the text with which it is encoded.
    private var comparesDigits = true

    /// The maximum length of a sample: required members of required members can be very many.
    private static let maximumLength = 20_000
    private static let maximumSteps = 100_000
    /// Texts of formats.
    static let texts = [
        "date-time": "2026-01-15T09:30:00Z", "date": "2026-01-15", "time": "09:30:00Z", "duration": "P1D",
        "uuid": "5c0f4cf6-5c4b-4f0b-9c1a-2d6f0a7b3e11", "email": "user@example.com", "idn-email": "user@example.com",
        "uri": "https://example.com/", "url": "https://example.com/", "iri": "https://example.com/",
        "uri-reference": "/items/1", "uri-template": "https://example.com/{id}", "hostname": "example.com",
        "ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "byte": "AAEC", "decimal": "1.5", "json-pointer": "/items/0",
        "password": "password",
    ]

    init(_ types: TypeBuilder) {
        declarations = types.declarations
    }

    /// Returns a value of a type as JSON, with the members that it must have; `nil` if it would be too long.
    func json(_ type: SwiftType, depth: Int = 0) -> String? {
        switch type {
        case .string: "\"text\""
        case .bool: "true"
        case .int, .int64, .uint64: "1"
        case .double, .decimal: "1.5"
        case .date: "\"2026-11-26T03:40:42Z\""
        case .calendarDate: "\"2026-11-26\""
        case .uuid: "\"5C0F4CF6-5C4B-4F0B-9C1A-2D6F0A7B3E11\""
        case .url: "\"https://example.com/\""
        case .data: "\"AAEC\""
        case .json: "\"any\""
        case .upload: "null"
        case .array(let element): depth < 4 ? json(element, depth: depth + 1).map { "[\($0)]" } : "[]"
        case .dictionary(let value): depth < 4 ? json(value, depth: depth + 1).map { "{\"key\": \($0)}" } : "{}"
        case .optional(let value), .nullable(let value): depth < 30 ? json(value, depth: depth + 1) : "null"
        case .declared(let id): depth < 30 ? json(declaration: id, depth) : "null"
        }
    }

    /// Returns a value of a type as JSON, which has one member if it needs none.
    func filled(_ type: SwiftType) -> String? {
        let text = json(type)
        guard text == "{}", case .declared(let id) = type, case .structure(let structure) = declarations[id].content,
            let first = structure.properties.first, let value = first.constant.map(\.json) ?? json(first.type)
        else { return text }
        return "{\(first.jsonName.jsonLiteral): \(value)}"
    }

    private func json(declaration id: Int, _ depth: Int) -> String? {
        let key = Key(id: id, depth: depth)
        if let known = known[key] { return known }
        let text = json(declarations[id], depth).flatMap { $0.utf8.count <= Self.maximumLength ? $0 : nil }
        known[key] = .some(text)
        return text
    }

    /// Returns a value of a custom type: that of the configuration, the smallest one of the document, or one of its
    /// format; `nil` without one, and for a declaration without a custom type.
    func sample(_ declaration: Declaration) -> Node? {
        guard let custom = declaration.custom else { return nil }
        if let example = custom.type.example { return Node(json: example, like: declaration.node) }
        let examples = custom.examples.filter { decodes($0, .declared(declaration.id)) }
        if let example = examples.min(by: { ($0.size, $0.json) < ($1.size, $1.json) }) { return example }
        guard case .alias(.string) = declaration.content, let text = custom.format.flatMap({ Self.texts[$0] }) else {
            return nil
        }
        return Node(.string(text), like: declaration.node)
    }

    private func json(_ declaration: Declaration, _ depth: Int) -> String? {
        if let sample = sample(declaration) { return sample.json }
        switch declaration.content {
        case .pending: return "null"
        case .alias(let type): return json(type, depth: depth + 1)
        case .enumeration(let list): return list.values.first.map { $0.node.json } ?? "null"
        case .structure(let structure):
            var members: [String] = []
            for property in structure.properties where property.isRequired {
                // A `JSONValue` is not optional when it can be null.
                guard !property.isNullable || declaration.isSent || property.type == .json else { continue }
                var value: String? = "null"
                if !property.isNullable {
                    value = property.constant.map(\.json) ?? json(property.type, depth: depth + 1)
                }
                guard let value else { return nil }
                members.append("\(property.jsonName.jsonLiteral): \(value)")
            }
            return "{\(members.joined(separator: ", "))}"
        case .errors(let documents): return documents.first.flatMap { json($0.type, depth: depth + 1) }
        case .union(let union):
            // A text or a number is decided by its kind, and needs no other fact.
            let simple = union.cases.first { if case .declared = $0.type { false } else { true } }
            guard let item = simple ?? union.cases.first else { return "null" }
            return json(item.type, depth: depth + 1)
        }
    }

    /// A value of the document as lines of JSON, which are not longer than those of code if its parts are not.
    static func lines(of node: Node, width: Int = 96) -> [String] {
        let text = node.json
        guard text.count > width else { return [text] }
        let parts: [(head: String, value: Node)]
        let signs: (String, String)
        switch node.content {
        case .null, .bool, .number, .string: return [text]
        case .array(let elements): (parts, signs) = (elements.map { ("", $0) }, ("[", "]"))
        case .object(let members): (parts, signs) = (members.map { ($0.key.jsonLiteral + ": ", $0.value) }, ("{", "}"))
        }
        var lines = [signs.0]
        for (index, part) in parts.enumerated() {
            var inner = Self.lines(of: part.value, width: max(20, width - 2 - part.head.count))
            inner[0] = part.head + inner[0]
            if index < parts.count - 1 { inner[inner.count - 1] += "," }
            lines += inner.map { "  \($0)" }
        }
        return lines + [signs.1]
    }

    /// Whether an example decodes as a type, and encodes to an equal document.
    ///
    /// - Parameter allowsUnknown: Whether members that the type does not have are ignored.
    func fits(_ node: Node, _ type: SwiftType, allowsUnknown: Bool = false) -> Bool {
        steps = Self.maximumSteps
        self.allowsUnknown = allowsUnknown
        return fits(node, type, depth: 0)
    }

    /// Whether an example decodes as a type, which may ignore members and round numbers.
    func decodes(_ node: Node, _ type: SwiftType) -> Bool {
        comparesDigits = false
        defer { comparesDigits = true }
        return fits(node, type, allowsUnknown: true)
    }

    private func fits(_ node: Node, _ type: SwiftType, depth: Int) -> Bool {
        steps -= 1
        guard depth < 60, steps > 0 else { return false }
        switch (type, node.content) {
        case (.string, .string), (.bool, .bool), (.json, _): return true
        case (.data, .string(let text)): return text.utf8.count % 4 == 0 && !text.contains { $0.isWhitespace }
        case (.int, .number(let text)), (.int64, .number(let text)): return Int64(text) != nil
        case (.uint64, .number(let text)): return UInt64(text) != nil
        case (.double, .number(let text)):
            return !comparesDigits || text.utf8.count < 15 || Double(text).map { "\($0)" } == text
        case (.decimal, .number(let text)): return !comparesDigits || text.utf8.count < 15
        case (.date, .string(let text)): return Self.isDate(text)
        case (.uuid, .string(let text)): return UUID(uuidString: text) != nil
        case (.url, .string(let text)):
            return URL(string: text).map { !comparesDigits || $0.absoluteString == text } ?? false
        case (.calendarDate, .string(let text)): return text.utf8.count == 10 && Self.isDate("\(text)T00:00:00Z")
        case (.array(let element), .array(let elements)):
            return elements.allSatisfy { fits($0, element, depth: depth + 1) }
        case (.dictionary(let value), .object(let members)):
            return members.allSatisfy { fits($0.value, value, depth: depth + 1) }
        case (.optional, .null), (.nullable, .null): return true
        case (.optional(let value), _), (.nullable(let value), _): return fits(node, value, depth: depth + 1)
        case (.declared(let id), _): return fits(node, declarations[id], depth)
        default: return false
        }
    }

    private func fits(_ node: Node, _ declaration: Declaration, _ depth: Int) -> Bool {
        switch declaration.content {
        case .pending: return false
        case .alias(let type): return fits(node, type, depth: depth + 1)
        case .enumeration(let list):
            switch list.kind {
            case .string: return node.string != nil
            case .integer: return node.text.flatMap { Int($0) } != nil && node.string == nil
            case .mixed: return true
            }
        // An example of an error is compared with the type of its status.
        case .errors: return false
        case .union(let union) where union.isCombined: return fits(node, combined: union, depth)
        case .union(let union):
            steps -= union.cases.count
            let guess = union.decision.guess(for: node)
            return union.cases.contains { item in
                guard guess ?? item.branch == item.branch else { return false }
                return fits(item.tag.map { node.without($0.property) } ?? node, item.type, depth: depth + 1)
            }
        case .structure(let structure):
            guard node.isObject else { return false }
            steps -= structure.properties.count
            let known = Set(structure.properties.map(\.jsonName))
            let others = node.members.filter { !known.contains($0.key) }
            guard
                others.allSatisfy({ member in
                    structure.additional.map { fits(member.value, $0, depth: depth + 1) } ?? allowsUnknown
                })
            else { return false }
            return structure.properties.allSatisfy { property in
                guard let value = node[property.jsonName] else {
                    return !property.isAlwaysPresent(in: declaration)
                        || property.isNullable && !declaration.isSent && property.type != .json
                }
                if value.isNull { return property.isNullable || !property.isRequired }
                return fits(value, property.type, depth: depth + 1)
            }
        }
    }

    /// Whether a value fits branches that together have all of its members.
    private func fits(_ node: Node, combined union: Declaration.UnionModel, _ depth: Int) -> Bool {
        var known: Set<String> = []
        for item in union.cases {
            guard case .declared(let id) = item.type, case .structure(let structure) = declarations[id].content
            else { return false }
            let names = Set(structure.properties.map(\.jsonName))
            let others = structure.additional == nil ? node.members.map(\.key).filter { !names.contains($0) } : []
            guard fits(node.without(others), item.type, depth: depth + 1) else { continue }
            known.formUnion(node.members.map(\.key).filter { !others.contains($0) })
        }
        return !known.isEmpty && (allowsUnknown || node.members.allSatisfy { known.contains($0.key) })
    }

    /// Whether a text is a date, which the tests compare in milliseconds.
    static func isDate(_ text: String) -> Bool {
        let text = Array(text.utf8)
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        // In a pattern, `0` stands for a digit. This is faster than a regular expression.
        func matches(_ pattern: String, at start: Int) -> Bool {
            text.count >= start + pattern.utf8.count
                && zip(pattern.utf8, text[start...]).allSatisfy { wanted, byte in
                    wanted == digits.lowerBound ? digits.contains(byte) : wanted == byte
                }
        }
        func number(_ range: Range<Int>) -> Int { text[range].reduce(0) { $0 * 10 + Int($1 - digits.lowerBound) } }
        guard matches("0000-00-00T00:00:00", at: 0) else { return false }
        var end = 19
        if matches(".0", at: end) {
            end += 2
            while matches("0", at: end) { end += 1 }
        }
        let isUTC = matches("Z", at: end) && text.count == end + 1
        let hasOffset = (matches("+00:00", at: end) || matches("-00:00", at: end)) && text.count == end + 6
        guard isUTC || hasOffset && number(end + 1..<end + 3) <= 14 && number(end + 4..<end + 6) < 60 else {
            return false
        }
        let days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        let (month, day) = (number(5..<7), number(8..<10))
        guard number(0..<4) >= 1, 1...12 ~= month, 1...days[month - 1] ~= day else { return false }
        return number(11..<13) < 24 && number(14..<16) < 60 && number(17..<19) < 60
    }
}

extension Node {
    /// This object without some members.
    fileprivate func without(_ names: String...) -> Node { without(names) }

    fileprivate func without(_ names: [String]) -> Node {
        guard isObject, !names.isEmpty else { return self }
        let names = Set(names)
        return Node(.object(members.filter { !names.contains($0.key) }), like: self)
    }
}
