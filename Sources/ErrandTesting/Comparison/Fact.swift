import Errand

/// One fact about a request: its method, an item of its query, a value in its body. Requests match when all their facts are
/// equal.
struct Fact: Hashable, Sendable {
    /// The part of the request that it is about.
    let part: String
    /// What is compared. In JSON, a name and its value stay apart, and `1` is equal to `1.0`.
    let value: JSONValue
    /// What is shown.
    let text: String

    init(_ part: String, _ text: String) {
        self.init(part, value: .string(text), shownAs: text)
    }

    init(_ part: String, value: JSONValue, shownAs text: String) {
        self.part = part
        self.value = value
        self.text = text
    }

    static func == (one: Fact, other: Fact) -> Bool {
        one.part == other.part && one.value == other.value
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(part)
        hasher.combine(value)
    }
}

extension Sequence {
    /// The elements in the order of their names; elements of one name keep their order.
    func inOrder(of name: (Element) -> String) -> [Element] {
        enumerated().map { (name: name($0.element), offset: $0.offset, element: $0.element) }
            .sorted { ($0.name, $0.offset) < ($1.name, $1.offset) }.map(\.element)
    }
}
