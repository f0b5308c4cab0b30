import Synchronization

/// The header fields of a request or a response (RFC 9110, section 5), with names that are compared without regard to
/// case.
///
/// ```swift
/// var headers: HeaderFields = [.accept: "application/json", "X-Tenant": "blue"]
/// headers["accept"]                       // "application/json"
/// headers[.accept] = "text/html"
/// headers.add("X-Tag", "one")
/// headers.add("X-Tag", "two")
/// headers[values: "x-tag"]                // ["one", "two"]
/// ```
///
/// A response keeps its fields as they were received: in order, and repeated fields apart. In a request, the order of
/// fields with different names is not significant and not kept when they are sent; repeated fields are sent as one,
/// with their values in order.
///
/// Its descriptions show names only, since a value may be a secret.
public struct HeaderFields: Sendable {
    /// One header field.
    public struct Field: Hashable, Sendable {
        /// The name as it was written.
        public var name: String
        /// The value; white space around it is not part of it, and is not sent.
        public var value: String

        /// A field of this name and value; neither is checked before the request is built.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Most answers are asked for one field or two, so a head is kept as it came until somebody wants all of it.
    private enum Storage: Sendable {
        case fields([Field])
        case received(ReceivedFields)
    }

    private var storage: Storage

    private var fields: [Field] {
        get {
            switch storage {
            case .fields(let fields): fields
            case .received(let received): received.fields
            }
        }
        set { storage = .fields(newValue) }
    }

    /// These fields, in this order.
    public init(_ fields: [Field] = []) {
        storage = .fields(fields)
    }

    /// The fields of a head as it came from the wire.
    init(_ block: FieldBlock) {
        storage = .received(ReceivedFields(block))
    }

    /// The value of a field, nil when there is none.
    ///
    /// Repeated fields are joined with a comma and a space (RFC 9110, section 5.3). Setting replaces every field of that name with one, where the first of them stood; setting nil removes them.
    /// `Set-Cookie` is the one field whose values cannot be joined: read it with ``subscript(values:)-(String)``.
    public subscript(name: String) -> String? {
        get { Self.combined(self[values: name]) }
        set { self[values: name] = newValue.map { [$0] } ?? [] }
    }

    /// The values of a repeated field as one.
    static func combined(_ values: [String]) -> String? {
        values.count < 2 ? values.first : values.joined(separator: ", ")
    }

    /// Every value of a field, one for each time it appears.
    ///
    /// Setting replaces them all, where the first of them stood.
    public subscript(values name: String) -> [String] {
        get {
            switch storage {
            case .fields(let fields): fields.filter { $0.name.equalsIgnoringASCIICase(name) }.map(\.value)
            case .received(let received): received.block.values(of: name)
            }
        }
        set {
            let position = fields.firstIndex { $0.name.equalsIgnoringASCIICase(name) } ?? fields.endIndex
            fields.removeAll { $0.name.equalsIgnoringASCIICase(name) }
            fields.insert(contentsOf: newValue.map { Field(name, $0) }, at: position)
        }
    }

    /// Appends a field and keeps those of the same name.
    public mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name, value))
    }

    /// Takes over every field of `other`; a name that both have keeps only what `other` says.
    public mutating func merge(_ other: HeaderFields) {
        // Once a name is written, its fields are taken out, so that this takes linear time.
        var groups = Dictionary(grouping: other.fields) { $0.name.asciiLowercased }
        var merged: [Field] = []
        for field in fields {
            let name = field.name.asciiLowercased
            merged += groups[name] ?? [field]
            if groups[name] != nil { groups[name] = [] }
        }
        for field in other.fields { merged += groups.updateValue([], forKey: field.name.asciiLowercased) ?? [] }
        fields = merged
    }

    /// These fields with those of `other` merged in, as ``merge(_:)`` does.
    public func merging(_ other: HeaderFields) -> HeaderFields {
        var merged = self
        merged.merge(other)
        return merged
    }
}

/// The fields of a received head, parsed once on first use: a loop over positions reads all of them repeatedly.
private final class ReceivedFields: Sendable {
    let block: FieldBlock
    private let found = Mutex<[HeaderFields.Field]?>(nil)

    init(_ block: FieldBlock) {
        self.block = block
    }

    var fields: [HeaderFields.Field] {
        found.withLock { found in
            let fields = found ?? block.fields
            found = fields
            return fields
        }
    }
}

extension HeaderFields: RandomAccessCollection {
    /// The position of the first field.
    public var startIndex: Int { fields.startIndex }
    /// The position past the last field.
    public var endIndex: Int { fields.endIndex }
    /// The field at a position.
    public subscript(position: Int) -> Field { fields[position] }
    /// The fields in order.
    public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }
}

extension HeaderFields: Hashable {
    /// Equal when the fields are the same in the same order, names compared without regard to case.
    public static func == (one: HeaderFields, other: HeaderFields) -> Bool {
        one.count == other.count
            && zip(one, other).allSatisfy { $0.name.equalsIgnoringASCIICase($1.name) && $0.value == $1.value }
    }

    /// Consistent with equality.
    public func hash(into hasher: inout Hasher) {
        for field in fields {
            hasher.combine(field.name.lowercased())
            hasher.combine(field.value)
        }
    }
}

extension HeaderFields: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The names, in order; never a value.
    public var description: String { "[\(fields.map(\.name).joined(separator: ", "))]" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The names alone, so that `dump` shows no value either.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: fields.map(\.name), displayStyle: .collection) }
}

extension HeaderFields.Field: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name; never the value.
    public var description: String { name }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The name alone, so that `dump` does not show the value either.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
