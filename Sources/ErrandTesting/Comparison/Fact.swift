package import Errand

/// A fact about a request: its method, an item of its query, or a value in its body. Requests match if all their facts
/// are equal.
package struct Fact: Hashable, Sendable {
    /// The part of the request that the fact is about.
    let part: String
    /// The compared value. In JSON, a name and its value are separate, and `1` is equal to `1.0`.
    let value: JSONValue
    /// The text that is shown in a difference.
    package let text: String

    package init(_ part: String, _ text: String) {
        self.init(part, value: .string(text), shownAs: text)
    }

    package init(_ part: String, value: JSONValue, shownAs text: String) {
        self.part = part
        self.value = value
        self.text = text
    }

    package static func == (one: Fact, other: Fact) -> Bool {
        one.part == other.part && one.value == other.value
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(part)
        hasher.combine(value)
    }
}

extension Sequence {
    /// The elements sorted by name; elements with the same name keep their order.
    package func inOrder(of name: (Element) -> String) -> [Element] {
        enumerated().map { (name: name($0.element), offset: $0.offset, element: $0.element) }
            .sorted { ($0.name, $0.offset) < ($1.name, $1.offset) }.map(\.element)
    }
}
