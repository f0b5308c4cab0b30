extension JSONPatch {
    /// Creates the operations that change one document into another. Arrays are compared element by element, without
    /// looking for elements that have moved.
    public init(from old: JSONValue, to new: JSONValue) {
        operations = []
        // The remaining steps; the next step is the last element.
        var open = [Step.compare(old, new, [])]
        while let step = open.popLast() {
            switch step {
            case .add(let operation): operations.append(operation)
            case .compare(let old, let new, let path): open += Self.steps(from: old, to: new, at: path).reversed()
            }
        }
    }

    private enum Step {
        case compare(JSONValue, JSONValue, [String])
        case add(Operation)
    }

    private static func steps(from old: JSONValue, to new: JSONValue, at path: [String]) -> [Step] {
        func text(_ token: String) -> String { JSONPointer(path + [token]).text }
        var steps: [Step] = []
        switch (old, new) {
        case (.object(let old), .object(let new)):
            for key in old.keys.sorted() where new[key] == nil { steps.append(.add(.remove(text(key)))) }
            for (key, value) in new.sorted(by: { $0.key < $1.key }) {
                steps.append(old[key].map { .compare($0, value, path + [key]) } ?? .add(.add(text(key), value)))
            }
        case (.array(let old), .array(let new)):
            for (index, pair) in zip(old, new).enumerated() {
                steps.append(.compare(pair.0, pair.1, path + ["\(index)"]))
            }
            // Elements are removed from the end, so that the indices of the others do not change.
            for index in stride(from: old.count - 1, through: new.count, by: -1) {
                steps.append(.add(.remove(text("\(index)"))))
            }
            for value in new.dropFirst(old.count) { steps.append(.add(.add(text("-"), value))) }
        default:
            if old != new { steps.append(.add(.replace(JSONPointer(path).text, new))) }
        }
        return steps
    }
}
