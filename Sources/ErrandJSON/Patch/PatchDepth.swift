/// Bounds the nesting of a document while a patch is applied. Copies to deeper places could otherwise nest it without
/// limit.
struct PatchDepth {
    /// An upper bound of the document's depth; `nil` before it is needed.
    private var bound: Int?
    /// The number of values that may still be visited to find an exact depth. It is limited, because copies can repeat
    /// a value exponentially often.
    private var visits = 1_000_000

    /// Checks an operation before it changes the document.
    ///
    /// - Throws: A fault if the document could be nested deeper than ``JSONValue/maximumDepth`` after the operation,
    ///   and deeper than before it.
    mutating func check(_ operation: JSONPatch.Operation, on document: JSONValue) throws(PatchFault) {
        var depth: Int
        switch operation {
        case .add(let path, let value), .replace(let path, let value):
            depth = Self.levels(path) + value.depth
        case .copy(let source, let target), .move(let source, let target):
            let difference = Self.levels(target) - Self.levels(source)
            guard difference > 0 else { return }
            depth = before(document) + difference
            if depth > JSONValue.maximumDepth, let exact = document[pointer: source]?.depth(visits: &visits) {
                depth = Self.levels(target) + exact
            }
        case .remove, .test:
            return
        }
        guard depth <= JSONValue.maximumDepth || depth <= before(document) else { throw .tooDeep }
        bound = bound.map { max($0, depth) }
    }

    private mutating func before(_ document: JSONValue) -> Int {
        let depth = bound ?? document.depth
        bound = depth
        return depth
    }

    private static func levels(_ path: String) -> Int { path.utf8.count { $0 == UInt8(ascii: "/") } }
}

extension JSONValue {
    /// The maximum number of arrays and objects inside each other; 0 for another value.
    fileprivate var depth: Int {
        var visits = Int.max
        return depth(visits: &visits) ?? 0
    }

    /// Returns the depth, or `nil` if it takes more than `visits` to find it.
    fileprivate func depth(visits: inout Int) -> Int? {
        var deepest = 0
        var open = [(value: self, depth: 1)]
        while let (value, depth) = open.popLast() {
            visits -= 1
            guard visits > 0 else { return nil }
            switch value {
            case .array(let elements): open += elements.map { ($0, depth + 1) }
            case .object(let members): open += members.values.map { ($0, depth + 1) }
            default: continue
            }
            deepest = max(deepest, depth)
        }
        return deepest
    }
}
