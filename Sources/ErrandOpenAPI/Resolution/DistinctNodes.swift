/// Distinct values of a document.
struct DistinctNodes {
    private var texts: Set<String> = []

    /// Adds a value, and returns whether it is a new one.
    mutating func insert(_ node: Node) -> Bool { texts.insert(Self.text(of: node)).inserted }

    /// A text that equal values have: JSON with sorted members.
    private static func text(of node: Node) -> String {
        switch node.content {
        case .array(let elements): "[\(elements.map(text).joined(separator: ","))]"
        case .object(let members):
            "{\(members.map { "\($0.key.jsonLiteral):\(text(of: $0.value))" }.sorted().joined(separator: ","))}"
        case .null, .bool, .number, .string: node.json
        }
    }
}
