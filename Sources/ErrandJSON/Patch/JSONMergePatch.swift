/// The changes to a JSON document, in the form of a document that contains only what changes (RFC 7396).
///
/// ```swift
/// let patch: JSONMergePatch = ["title": "Malafrena", "draft": nil]
/// body = .mergePatch(patch)
/// ```
///
/// A member with the value `null` is removed, an object is merged into the object in its place, and any other value
/// replaces the one in its place. So a merge patch cannot set a member to `null`, or change a part of an array; a
/// ``JSONPatch`` can.
public struct JSONMergePatch: Hashable, Sendable {
    /// The document with the changes.
    public var document: JSONValue

    /// Creates a patch from the document with the changes.
    public init(_ document: JSONValue) {
        self.document = document
    }

    /// Creates the patch that changes one document into another. Members that are `null` in the new document are
    /// removed, since a merge patch cannot set a member to `null`.
    public init(from old: JSONValue, to new: JSONValue) {
        // The patch if nothing changes. An empty object would replace a document that is not an object.
        let same = new.object == nil ? new : .object([:])
        document = Self.difference(from: old, to: new) ?? same
    }

    /// Returns a document with the changes.
    public func applied(to document: JSONValue) -> JSONValue {
        Self.merge(self.document, into: document)
    }

    // Merging and comparing do not recurse, so that deep documents do not use more of the stack.

    /// Applies the document of a patch to another document.
    private static func merge(_ patch: JSONValue, into target: JSONValue) -> JSONValue {
        guard case .object(let changes) = patch else { return patch }
        var open = [Merge(key: "", members: target.object ?? [:], changes: changes.makeIterator())]
        while true {
            let innermost = open.count - 1
            guard let (key, value) = open[innermost].changes.next() else {
                let whole = open.removeLast()
                guard innermost > 0 else { return .object(whole.members) }
                open[innermost - 1].members[whole.key] = .object(whole.members)
                continue
            }
            if value.isNull {
                open[innermost].members.removeValue(forKey: key)
            } else if case .object(let changes) = value {
                let members = open[innermost].members.removeValue(forKey: key)?.object ?? [:]
                open.append(Merge(key: key, members: members, changes: changes.makeIterator()))
            } else {
                open[innermost].members[key] = value
            }
        }
    }

    /// An object that is being merged.
    private struct Merge {
        /// The key in the enclosing object.
        let key: String
        var members: JSONValue.Object
        var changes: JSONValue.Object.Iterator
    }

    /// Returns the document of the patch between two documents; no value if nothing changes. That is written `.none`,
    /// because `nil` is also the literal of JSON's `null`.
    private static func difference(from old: JSONValue, to new: JSONValue) -> JSONValue? {
        guard case .object(let members) = new else { return old == new ? .none : .some(new) }
        var open = [Difference(key: "", from: old, to: members)]
        while true {
            let innermost = open.count - 1
            guard let (key, value) = open[innermost].rest.next() else {
                let whole = open.removeLast()
                let change: JSONValue? =
                    whole.changes.isEmpty && whole.wasObject ? .none : .some(.object(whole.changes))
                guard innermost > 0 else { return change }
                if let change { open[innermost - 1].changes[whole.key] = change }
                continue
            }
            // `Difference` has already recorded the removal.
            if value.isNull { continue }
            let before = open[innermost].before[key]
            if let before, case .object(let members) = value {
                open.append(Difference(key: key, from: before, to: members))
            } else if before != value {
                open[innermost].changes[key] = value
            }
        }
    }

    /// An object that is being compared.
    private struct Difference {
        /// The key in the enclosing object.
        let key: String
        /// The old members; empty if the object replaces another kind of value.
        let before: JSONValue.Object
        /// Whether the old value is an object too, in which an empty patch changes nothing.
        let wasObject: Bool
        var changes: JSONValue.Object = [:]
        var rest: JSONValue.Object.Iterator

        init(key: String, from old: JSONValue, to new: JSONValue.Object) {
            self.key = key
            before = old.object ?? [:]
            wasObject = old.object != nil
            rest = new.makeIterator()
            // Members that are missing or `null` in the new object are removed.
            for key in before.keys where new[key]?.isNull ?? true { changes[key] = .some(.null) }
        }
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
