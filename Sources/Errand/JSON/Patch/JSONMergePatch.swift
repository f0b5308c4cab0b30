/// The changes to a JSON document as a document that has only what changes (RFC 7396).
///
/// ```swift
/// let patch: JSONMergePatch = ["title": "Malafrena", "draft": nil]
/// body = .mergePatch(patch)
/// ```
///
/// A member with the value `null` is removed, an object is merged into the object in its place, and any other value replaces the one in its place.
/// So a merge patch cannot set a member to `null`, or change a part of an array; a ``JSONPatch`` can.
public struct JSONMergePatch: Hashable, Sendable {
    /// The document with the changes.
    public var document: JSONValue

    /// Creates a patch from the document with the changes.
    public init(_ document: JSONValue) {
        self.document = document
    }

    /// Creates the patch that makes one document of another. Members that are `null` in the new document are removed, since a merge patch
    /// cannot say anything else.
    public init(from old: JSONValue, to new: JSONValue) {
        // An empty object changes nothing in an object, and replaces any other document.
        let same = new.object == nil ? new : .object([:])
        document = Self.difference(from: old, to: new) ?? same
    }

    /// Returns a document with the changes.
    public func applied(to document: JSONValue) -> JSONValue {
        Self.merge(self.document, into: document)
    }

    private static func merge(_ patch: JSONValue, into target: JSONValue?) -> JSONValue {
        guard case .object(let changes) = patch else { return patch }
        var members = target?.object ?? [:]
        for (key, value) in changes {
            if value.isNull {
                members.removeValue(forKey: key)
            } else {
                members[key] = merge(value, into: members[key])
            }
        }
        return .object(members)
    }

    /// - Returns: `nil` if nothing changes.
    private static func difference(from old: JSONValue, to new: JSONValue) -> JSONValue? {
        guard case .object(let members) = new else { return old == new ? .none : .some(new) }
        // An object that replaces another value is merged into an empty one.
        let before = old.object ?? [:]
        var changes: JSONValue.Object = [:]
        for key in before.keys where members[key]?.isNull ?? true { changes[key] = .some(.null) }
        for (key, value) in members where !value.isNull {
            if let change = before[key].map({ difference(from: $0, to: value) }) ?? value { changes[key] = change }
        }
        return changes.isEmpty && old.object != nil ? .none : .some(.object(changes))
    }
}

extension JSONMergePatch: ExpressibleByDictionaryLiteral {
    /// Creates a patch from the members that change; of a key that occurs twice, the first value counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        document = .object(Dictionary(elements) { first, _ in first })
    }
}

extension JSONMergePatch: Codable {
    /// Decodes the document with the changes.
    public init(from decoder: any Decoder) throws {
        document = try decoder.singleValueContainer().decode(JSONValue.self)
    }

    /// Encodes the document with the changes.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(document)
    }
}
