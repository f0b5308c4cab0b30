/// The reason why an operation cannot be applied.
struct PatchFault: Error {
    let reason: String

    static var tooDeep: PatchFault {
        PatchFault(reason: "the document would be nested deeper than \(JSONValue.maximumDepth) arrays and objects")
    }
    static func tooLarge(_ limit: Int) -> PatchFault {
        PatchFault(reason: "the copied values are larger than \(limit) bytes")
    }
    static func invalidPath(_ path: String) -> PatchFault {
        PatchFault(reason: "\"\(path.onOneLogLine)\" is not a JSON Pointer")
    }
    static func missing(_ path: String) -> PatchFault {
        PatchFault(reason: "the document has no value at \"\(path.onOneLogLine)\"")
    }
}

extension JSONValue {
    /// Applies an operation after ``PatchDepth`` and ``PatchSize`` have checked it. After an error, this value may have
    /// changed in part; `JSONPatch.applied(to:)` discards it.
    mutating func apply(_ operation: JSONPatch.Operation) throws(PatchFault) {
        switch operation {
        case .add(let path, let value): try apply(.add(value), at: path)
        case .remove(let path): try apply(.remove, at: path)
        case .replace(let path, let value): try apply(.replace(value), at: path)
        case .copy(let source, let target): try apply(.add(try value(at: source)), at: target)
        case .move(let source, let target):
            // By bytes: a slash and a combining mark after it form one `Character`.
            if target.utf8.starts(with: "\(source)/".utf8) {
                throw PatchFault(reason: "\"\(source.onOneLogLine)\" cannot be moved into itself")
            }
            let value = try value(at: source)
            if source != target {
                try apply(.remove, at: source)
                try apply(.add(value), at: target)
            }
        case .test(let path, let value):
            guard try self.value(at: path) == value else {
                throw PatchFault(reason: "the value at \"\(path.onOneLogLine)\" is another one")
            }
        }
    }

    private func value(at path: String) throws(PatchFault) -> JSONValue {
        guard JSONPointer(path) != nil else { throw .invalidPath(path) }
        guard let value = self[pointer: path] else { throw .missing(path) }
        return value
    }

    private mutating func apply(_ change: Change, at path: String) throws(PatchFault) {
        guard let pointer = JSONPointer(path) else { throw .invalidPath(path) }
        guard !pointer.tokens.isEmpty else {
            switch change {
            case .add(let value), .replace(let value): self = value
            case .remove: throw PatchFault(reason: "the whole document cannot be removed")
            }
            return
        }
        guard applyInside(change, at: pointer.tokens) else { throw .missing(path) }
    }

    private enum Change {
        case add(JSONValue)
        case remove
        case replace(JSONValue)
    }

    /// Changes the value at the end of a path. Each array and object on the path is taken out of its container, and
    /// then put back. While it is out, the container holds no reference to it, so that the change does not copy it.
    ///
    /// - Parameter tokens: At least one.
    /// - Returns: Whether the path exists in this value.
    private mutating func applyInside(_ change: Change, at tokens: [String]) -> Bool {
        var parents: [(value: JSONValue, token: String)] = []
        var value = self
        self = .null
        defer {
            while let (parent, token) = parents.popLast() {
                let child = value
                value = parent
                value.put(child, at: token)
            }
            self = value
        }
        for token in tokens.dropLast() {
            guard let child = value.take(token) else { return false }
            parents.append((value, token))
            value = child
        }
        return tokens.last.map { value.applyToChild(change, at: $0) } ?? false
    }

    // These three set `self` to `null` while they change the contents, which are then referred to once and not copied.

    /// Takes a child out of an array or object, and leaves `null` in its place.
    private mutating func take(_ token: String) -> JSONValue? {
        switch self {
        case .object(var members):
            guard members[token] != nil else { return nil }
            self = .null
            defer { self = .object(members) }
            return members.updateValue(.null, forKey: token)
        case .array(var elements):
            guard let index = JSONPointer.index(token), index < elements.count else { return nil }
            self = .null
            defer { self = .array(elements) }
            let element = elements[index]
            elements[index] = .null
            return element
        default: return nil
        }
    }

    /// Puts back what was taken.
    private mutating func put(_ child: JSONValue, at token: String) {
        switch self {
        case .object(var members):
            self = .null
            members[token] = child
            self = .object(members)
        case .array(var elements):
            self = .null
            if let index = JSONPointer.index(token) { elements[index] = child }
            self = .array(elements)
        default: break
        }
    }

    /// Changes a child of an array or object. Returns whether the child exists or was added.
    private mutating func applyToChild(_ change: Change, at token: String) -> Bool {
        switch self {
        case .object(var members):
            self = .null
            defer { self = .object(members) }
            switch change {
            case .add(let value): members[token] = value
            case .remove: return members.removeValue(forKey: token) != nil
            case .replace(let value): return members.updateValue(value, forKey: token) != nil
            }
            return true
        case .array(var elements):
            // `-` is the place after the last element (RFC 6901).
            let index = token == "-" ? elements.count : JSONPointer.index(token)
            self = .null
            defer { self = .array(elements) }
            guard let index, index <= elements.count else { return false }
            if case .add(let value) = change {
                elements.insert(value, at: index)
                return true
            }
            guard index < elements.count else { return false }
            if case .replace(let value) = change { elements[index] = value } else { elements.remove(at: index) }
            return true
        default:
            return false
        }
    }
}
