/// Bounds the nesting of a document while a patch is applied. Copies to deeper places could otherwise nest it without
/// limit.
struct PatchDepth {
    /// An upper bound of the document's depth; `nil` before it is needed.
    private var bound: Int?
    /// The number of values that may still be visited to find an exact depth. It is limited, because copies can repeat
    /// a value exponentially often.
    private var visits = 1_000_000

    /// Checks an operation before it changes the document, and raises the bound, if it is known, to the depth after it.
    ///
    /// - Throws: A fault if the document could be nested deeper than ``JSONValue/maximumDepth`` after the operation,
    ///   and deeper than before it.
    mutating func check(_ operation: JSONPatch.Operation, on document: JSONValue) throws(PatchFault) {
        var depth: Int
        switch operation {
        case .add(let path, let value), .replace(let path, let value):
            depth = Self.levels(path) + value.depth
        case .copy(let source, let target), .move(let source, let target):
            // The bound must be known before the first copy, which can make the document too large to visit all of it.
            let before = depthBound(of: document)
            let difference = Self.levels(target) - Self.levels(source)
            guard difference > 0 else { return }
            depth = before + difference
            if depth > JSONValue.maximumDepth, let exact = document[pointer: source]?.depth(visits: &visits) {
                depth = Self.levels(target) + exact
            }
        case .remove, .test:
            return
        }
        guard depth <= JSONValue.maximumDepth || depth <= depthBound(of: document) else { throw .tooDeep }
        bound = bound.map { max($0, depth) }
    }

    /// Returns an upper bound of the document's depth before the operation.
    private mutating func depthBound(of document: JSONValue) -> Int {
        let depth = bound ?? document.depth
        bound = depth
        return depth
    }

    /// Returns the number of keys and indices in a path.
    private static func levels(_ path: String) -> Int { path.utf8.count { $0 == UInt8(ascii: "/") } }
}

extension JSONValue {
    /// The maximum number of arrays and objects inside each other; 0 for another value.
    fileprivate var depth: Int {
        var visits = Int.max
        return depth(visits: &visits) ?? 0
    }

    /// Returns the depth, or `nil` if `visits`, which each visited value reduces by one, reaches 0.
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

/// Bounds the size of the values that a patch copies. A copy can contain earlier copies, so a short patch could
/// otherwise double a document with each step.
///
/// Only copies count: everything else in a patched document is in the document before it or in the patch.
struct PatchSize {
    /// The maximum; `nil` for none.
    let limit: Int?
    /// The number of bytes that further copies may have.
    private var left: Int

    init(limit: Int?) {
        self.limit = limit.map { max($0, 0) }
        left = self.limit ?? 0
    }

    /// Counts the value that an operation copies, and visits no more of it than the limit allows.
    ///
    /// - Throws: A fault if all copies together exceed the limit.
    mutating func check(_ operation: JSONPatch.Operation, on document: JSONValue) throws(PatchFault) {
        guard let limit, case .copy(let source, _) = operation, let value = document[pointer: source] else { return }
        var open = [value]
        while let value = open.popLast() {
            left -= value.ownSize
            guard left >= 0 else { throw .tooLarge(limit) }
            switch value {
            case .array(let elements): open += elements
            case .object(let members): open += members.values
            default: break
            }
        }
    }
}

extension JSONValue {
    /// The size in bytes as compact JSON without escapes. Elements and the values of members are not counted, but their
    /// commas, colons and keys are.
    fileprivate var ownSize: Int {
        switch self {
        case .null, .bool: 4
        case .number(let number): number.description.utf8.count
        case .string(let string): string.utf8.count + 2
        case .array(let elements): elements.count + 2
        case .object(let members): members.keys.reduce(2) { $0 + $1.utf8.count + 4 }
        }
    }
}
