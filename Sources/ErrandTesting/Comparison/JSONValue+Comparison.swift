package import Errand

extension JSONValue {
    /// The value of a JSON document, or `nil` if the data is not JSON.
    package init?(document: Data) {
        guard let value = try? FastJSONDecoder().decode(JSONValue.self, from: document) else { return nil }
        self = value
    }

    /// A text that is the same for equal values: sorted keys, one value in each line, and normalized numbers.
    package var comparableText: String { normalized.prettyPrinted }

    /// A fact for each value that is not an array or object with content: `$.books[0].title = "Malafrena"`.
    ///
    /// Two documents have the same facts if and only if they are equal.
    package func facts(of part: String, path: [JSONValue] = [], place: String = "$") -> [Fact] {
        switch self {
        case .array(let elements) where !elements.isEmpty:
            return elements.enumerated().flatMap { index, element in
                element.facts(of: part, path: path + [.number(JSONNumber(index))], place: "\(place)[\(index)]")
            }
        case .object(let members) where !members.isEmpty:
            return members.sorted { $0.key < $1.key }.flatMap { key, value in
                value.facts(of: part, path: path + [.string(key)], place: "\(place).\(key)")
            }
        default:
            let text = if case .string(let string) = self { "\"\(string)\"" } else { "\(normalized)" }
            return [Fact(part, value: .array([.array(path), self]), shownAs: "\(place) = \(text)")]
        }
    }

    /// The value with `1.0` and `10e-1` written as `1`.
    private var normalized: JSONValue {
        switch self {
        case .null, .bool, .string: self
        case .number(let number):
            // Not every number can be represented as a `Decimal`.
            .number(number.decimal.flatMap { JSONNumber("\($0)") }.flatMap { $0 == number ? $0 : nil } ?? number)
        case .array(let elements): .array(elements.map(\.normalized))
        case .object(let members): .object(members.mapValues(\.normalized))
        }
    }
}
