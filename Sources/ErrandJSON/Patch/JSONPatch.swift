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
    /// - Throws: ``Failure`` if an operation cannot be applied, or would nest the document deeper than 512 arrays and
    ///   objects. No change is made then.
    public func applied(to document: JSONValue) throws(Failure) -> JSONValue {
        var document = document
        var depth = PatchDepth()
        for (index, operation) in operations.enumerated() {
            do throws(PatchFault) {
                try depth.check(operation, on: document)
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
