/// A list of changes to a JSON document (RFC 6902).
///
/// ```swift
/// let patch: JSONPatch = [.test("/version", 7), .replace("/title", "Malafrena"), .remove("/draft")]
/// body = .jsonPatch(patch)
/// ```
///
/// Paths are JSON Pointers (RFC 6901), such as `/items/0/name`. At the end of a path into an array, `-` stands for the place after the
/// last element.
public struct JSONPatch: Hashable, Sendable {
    /// One change.
    public enum Operation: Hashable, Sendable {
        /// Adds a value: a member, which replaces one with the same key, or an element before the one at the index.
        case add(_ path: String, JSONValue)
        /// Removes the value, which must exist.
        case remove(_ path: String)
        /// Replaces the value, which must exist.
        case replace(_ path: String, JSONValue)
        /// Removes the value at one path and adds it at another.
        case move(from: String, to: String)
        /// Adds a copy of the value at one path at another.
        case copy(from: String, to: String)
        /// Fails unless the value is equal to this one.
        case test(_ path: String, JSONValue)
    }

    /// The reason why a patch cannot be applied. It has paths of the patch, and no values.
    public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// The index of the operation that failed.
        public let operation: Int
        /// One sentence without values.
        public let reason: String

        /// `operation 2: there is no value at "/title"`.
        public var description: String { "operation \(operation): \(reason)" }
    }

    /// The changes in order.
    public var operations: [Operation]

    /// Creates a patch with changes in order.
    public init(_ operations: [Operation]) {
        self.operations = operations
    }

    /// Returns a document with all changes.
    ///
    /// - Throws: ``Failure`` if an operation cannot be done. No change is made then.
    public func applied(to document: JSONValue) throws(Failure) -> JSONValue {
        var document = document
        for (index, operation) in operations.enumerated() {
            do throws(PatchFault) {
                try document.apply(operation)
            } catch {
                throw Failure(operation: index, reason: error.reason)
            }
        }
        return document
    }
}

extension JSONPatch: ExpressibleByArrayLiteral {
    /// Creates a patch with changes in order.
    public init(arrayLiteral operations: Operation...) {
        self.init(operations)
    }
}

extension JSONPatch {
    /// Creates the changes that make one document of another. Arrays are compared element by element, without looking for elements
    /// that have moved.
    public init(from old: JSONValue, to new: JSONValue) {
        operations = []
        addChanges(from: old, to: new, at: JSONPointer([]))
    }

    private mutating func addChanges(from old: JSONValue, to new: JSONValue, at path: JSONPointer) {
        func child(_ token: String) -> JSONPointer { JSONPointer(path.tokens + [token]) }
        switch (old, new) {
        case (.object(let old), .object(let new)):
            for key in old.keys.sorted() where new[key] == nil { operations.append(.remove(child(key).text)) }
            for (key, value) in new.sorted(by: { $0.key < $1.key }) {
                if let before = old[key] {
                    addChanges(from: before, to: value, at: child(key))
                } else {
                    operations.append(.add(child(key).text, value))
                }
            }
        case (.array(let old), .array(let new)):
            for (index, pair) in zip(old, new).enumerated() {
                addChanges(from: pair.0, to: pair.1, at: child("\(index)"))
            }
            // From the end, so that the other indices stay.
            for index in stride(from: old.count - 1, through: new.count, by: -1) {
                operations.append(.remove(child("\(index)").text))
            }
            for value in new.dropFirst(old.count) { operations.append(.add(child("-").text, value)) }
        default:
            if old != new { operations.append(.replace(path.text, new)) }
        }
    }
}

/// Why an operation cannot be done.
private struct PatchFault: Error {
    let reason: String

    static func invalidPath(_ path: String) -> PatchFault { PatchFault(reason: "\"\(path)\" is not a JSON Pointer") }
    static func missing(_ path: String) -> PatchFault { PatchFault(reason: "there is no value at \"\(path)\"") }
}

extension JSONValue {
    fileprivate mutating func apply(_ operation: JSONPatch.Operation) throws(PatchFault) {
        switch operation {
        case .add(let path, let value): try change(path, .add(value))
        case .remove(let path): try change(path, .remove)
        case .replace(let path, let value): try change(path, .replace(value))
        case .copy(let source, let target): try change(target, .add(try value(at: source)))
        case .move(let source, let target):
            if target.hasPrefix(source + "/") {
                throw PatchFault(reason: "\"\(source)\" cannot be moved into itself")
            }
            let value = try value(at: source)
            if source != target {
                try change(source, .remove)
                try change(target, .add(value))
            }
        case .test(let path, let value):
            guard try self.value(at: path) == value else {
                throw PatchFault(reason: "the value at \"\(path)\" is another one")
            }
        }
    }

    private func value(at path: String) throws(PatchFault) -> JSONValue {
        guard JSONPointer(path) != nil else { throw .invalidPath(path) }
        guard let value = self[pointer: path] else { throw .missing(path) }
        return value
    }

    private mutating func change(_ path: String, _ change: Change) throws(PatchFault) {
        guard let pointer = JSONPointer(path) else { throw .invalidPath(path) }
        guard !pointer.tokens.isEmpty else {
            switch change {
            case .add(let value), .replace(let value): self = value
            case .remove: throw PatchFault(reason: "the whole document cannot be removed")
            }
            return
        }
        guard self.change(pointer.tokens[...], change) else { throw .missing(path) }
    }

    private enum Change {
        case add(JSONValue)
        case remove
        case replace(JSONValue)
    }

    /// - Parameter tokens: At least one.
    /// - Returns: Whether there was such a place.
    private mutating func change(_ tokens: ArraySlice<String>, _ change: Change) -> Bool {
        guard let token = tokens.first else { return false }
        let rest = tokens.dropFirst()
        switch self {
        case .object(var members):
            // The object is released, so that the members are changed in place.
            self = .null
            defer { self = .object(members) }
            if !rest.isEmpty { return members[token]?.change(rest, change) ?? false }
            switch change {
            case .add(let value): members[token] = value
            case .remove: return members.removeValue(forKey: token) != nil
            case .replace(let value): return members.updateValue(value, forKey: token) != nil
            }
            return true
        case .array(var elements):
            let index = token == "-" ? elements.count : JSONPointer.index(token)
            self = .null
            defer { self = .array(elements) }
            guard let index, index <= elements.count else { return false }
            if rest.isEmpty, case .add(let value) = change {
                elements.insert(value, at: index)
                return true
            }
            guard index < elements.count else { return false }
            if !rest.isEmpty { return elements[index].change(rest, change) }
            if case .replace(let value) = change { elements[index] = value } else { elements.remove(at: index) }
            return true
        default:
            return false
        }
    }
}

extension JSONPatch: Codable {
    /// Decodes the operations of a JSON array (RFC 6902, section 4).
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode([Operation].self))
    }

    /// Encodes the operations as a JSON array.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(operations)
    }
}

extension JSONPatch.Operation: Codable {
    private enum Key: String, CodingKey {
        case op, path, from, value
    }

    /// Decodes an operation; members that are not known are ignored.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        func path(_ key: Key = .path) throws -> String {
            let text = try members.decode(String.self, forKey: key)
            guard JSONPointer(text) != nil else {
                throw DecodingError.dataCorruptedError(forKey: key, in: members, debugDescription: "not a JSON Pointer")
            }
            return text
        }
        func value() throws -> JSONValue { try members.decode(JSONValue.self, forKey: .value) }
        switch try members.decode(String.self, forKey: .op) {
        case "add": self = .add(try path(), try value())
        case "remove": self = .remove(try path())
        case "replace": self = .replace(try path(), try value())
        case "move": self = .move(from: try path(.from), to: try path())
        case "copy": self = .copy(from: try path(.from), to: try path())
        case "test": self = .test(try path(), try value())
        default:
            throw DecodingError.dataCorruptedError(
                forKey: .op, in: members, debugDescription: "not an operation of JSON Patch")
        }
    }

    /// Encodes the operation as a JSON object.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        let (name, path) =
            switch self {
            case .add(let path, _): ("add", path)
            case .remove(let path): ("remove", path)
            case .replace(let path, _): ("replace", path)
            case .move(_, let path): ("move", path)
            case .copy(_, let path): ("copy", path)
            case .test(let path, _): ("test", path)
            }
        try members.encode(name, forKey: .op)
        try members.encode(path, forKey: .path)
        switch self {
        case .add(_, let value), .replace(_, let value), .test(_, let value): try members.encode(value, forKey: .value)
        case .move(let source, _), .copy(let source, _): try members.encode(source, forKey: .from)
        case .remove: break
        }
    }
}
