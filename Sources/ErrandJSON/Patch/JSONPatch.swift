/// A list of changes to a JSON document (RFC 6902).
///
/// ```swift
/// let patch: JSONPatch = [.test("/version", 7), .replace("/title", "Malafrena"), .remove("/draft")]
/// body = .jsonPatch(patch)
/// ```
///
/// Paths are JSON Pointers (RFC 6901), such as `/items/0/name`. At the end of a path into an array, `-` stands for the
/// place after the last element.
public struct JSONPatch: Hashable, Sendable {
    /// One change.
    public enum Operation: Hashable, Sendable {
        /// Adds a value: a member, which replaces one with the same key, or an element before the one at the index.
        case add(_ path: String, JSONValue)
        /// Removes the value, which must exist and must not be the whole document.
        case remove(_ path: String)
        /// Replaces the value, which must exist.
        case replace(_ path: String, JSONValue)
        /// Removes the value at one path and adds it at another, which must not be inside the value.
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

        /// `operation 2: the document has no value at "/title"`.
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
    /// Copies of copies grow quickly, so a short patch from a server could make a very large document. Therefore the
    /// sizes of all copied values are limited together.
    ///
    /// - Parameters:
    ///   - document: The document, which is not changed.
    ///   - maximumCopySize: The maximum size of all values that `copy` operations add, in bytes of compact JSON without
    ///     escapes; 16 MiB by default, and `nil` for no limit. A negative number counts as 0.
    /// - Throws: ``Failure`` if an operation cannot be applied, would nest the document deeper than 512 arrays and
    ///   objects, or would exceed the size. No change is made then.
    public func applied(
        to document: JSONValue, maximumCopySize: Int? = 16 << 20
    ) throws(Failure) -> JSONValue {
        var document = document
        var depth = PatchDepth()
        var size = PatchSize(limit: maximumCopySize)
        for (index, operation) in operations.enumerated() {
            do throws(PatchFault) {
                try depth.check(operation, on: document)
                try size.check(operation, on: document)
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

extension JSONPatch {
    /// Creates the operations that change one document into another. Arrays are compared element by element, without
    /// looking for elements that have moved.
    public init(from old: JSONValue, to new: JSONValue) {
        operations = []
        // The next step is the last element.
        var remaining = [Step.compare(old, new, [])]
        while let step = remaining.popLast() {
            switch step {
            case .change(let operation): operations.append(operation)
            case .compare(let old, let new, let path): remaining += Self.steps(from: old, to: new, at: path).reversed()
            }
        }
    }

    private enum Step {
        /// Compare an old value with the new one at the same path.
        case compare(JSONValue, JSONValue, [String])
        /// Append an operation to the patch.
        case change(Operation)
    }

    /// Returns the next steps for two values: comparisons of their children, and operations.
    private static func steps(from old: JSONValue, to new: JSONValue, at path: [String]) -> [Step] {
        func pointer(_ token: String) -> String { JSONPointer(path + [token]).text }
        var steps: [Step] = []
        switch (old, new) {
        case (.object(let old), .object(let new)):
            for key in old.keys.sorted() where new[key] == nil { steps.append(.change(.remove(pointer(key)))) }
            for (key, value) in new.sorted(by: { $0.key < $1.key }) {
                steps.append(old[key].map { .compare($0, value, path + [key]) } ?? .change(.add(pointer(key), value)))
            }
        case (.array(let old), .array(let new)):
            for (index, (old, new)) in zip(old, new).enumerated() {
                steps.append(.compare(old, new, path + ["\(index)"]))
            }
            // Elements are removed from the end, so that the indices of the others do not change.
            for index in stride(from: old.count - 1, through: new.count, by: -1) {
                steps.append(.change(.remove(pointer("\(index)"))))
            }
            for value in new.dropFirst(old.count) { steps.append(.change(.add(pointer("-"), value))) }
        default:
            if old != new { steps.append(.change(.replace(JSONPointer(path).text, new))) }
        }
        return steps
    }
}
