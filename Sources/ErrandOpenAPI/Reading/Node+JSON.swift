internal import ErrandJSON

extension Node {
    /// Creates a value that is not in the document. The members of objects are sorted by name.
    convenience init(json value: JSONValue, like origin: Node) {
        let content: Content =
            switch value {
            case .null: .null
            case .bool(let value): .bool(value)
            case .number(let number): .number(number.description)
            case .string(let text): .string(text)
            case .array(let elements): .array(elements.map { Node(json: $0, like: origin) })
            case .object(let members):
                .object(
                    members.sorted { $0.key < $1.key }.map {
                        Member(key: $0.key, offset: 0, value: Node(json: $0.value, like: origin))
                    })
            }
        self.init(content, like: origin)
    }

    /// The value as JSON.
    var json: String {
        switch content {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let text): text
        case .string(let text): text.jsonLiteral
        case .array(let elements): "[" + elements.map(\.json).joined(separator: ", ") + "]"
        case .object(let members):
            "{" + members.map { "\($0.key.jsonLiteral): \($0.value.json)" }.joined(separator: ", ") + "}"
        }
    }
}

extension String {
    /// The text as a string of JSON. Invisible characters are escaped.
    var jsonLiteral: String {
        let needsNoEscape = utf8.allSatisfy {
            0x20..<0x7F ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }
        if needsNoEscape { return "\"\(self)\"" }
        var quoted = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case _ where scalar.isInvisible || scalar.properties.isWhitespace && scalar != " ":
                for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
                    let digits = String(unit, radix: 16)
                    quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
