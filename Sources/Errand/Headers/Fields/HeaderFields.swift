import Synchronization

/// The header fields of a request or a response (RFC 9110, section 5). Names are compared without regard to case.
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
/// A response over libcurl keeps its fields as received: in order, with repeated fields apart. Over `URLSession`, they
/// are sorted by name, and repeated fields are joined. In a request, the order of fields with different names has no
/// meaning and is not preserved. Repeated fields are sent as one, with their values in order.
///
/// Descriptions contain only names, because a value may be a secret.
public struct HeaderFields: Sendable {
    /// One header field. Two of them are equal only if the case of their names is the same, too.
    public struct Field: Hashable, Sendable {
        /// The name as written.
        public var name: String
        /// The value; in a received field, without surrounding white space.
        public var value: String

        /// Creates a field; the name and the value are not checked before the request is built.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// One parameter in the value of a field, such as `charset` in a `Content-Type`.
    public struct Parameter: Hashable, Sendable {
        /// The name.
        public let name: String
        /// The value, without quotation marks.
        public let value: String
    }

    /// Only one or two fields of most responses are read. Therefore a received head stays unparsed until all fields are
    /// needed.
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
        _modify {
            var fields = fields
            // A second reference would make each change copy the array.
            storage = .fields([])
            defer { storage = .fields(fields) }
            yield &fields
        }
    }

    /// Creates header fields in this order.
    public init(_ fields: [Field] = []) {
        storage = .fields(fields)
    }

    /// Creates header fields from received lines, which are parsed when they are needed.
    init(_ block: FieldBlock) {
        storage = .received(ReceivedFields(block))
    }

    /// Creates header fields from field lines, each with its line end, which are parsed at once.
    package init(lines: [UInt8]) {
        self.init(FieldBlock(bytes: lines).fields)
    }

    /// The value of a field; `nil` if it is missing.
    ///
    /// Repeated fields are joined with a comma and a space (RFC 9110, section 5.3). Setting a value replaces all fields
    /// of that name with one, at the position of the first. Setting `nil` removes them. The joined values of
    /// `Set-Cookie` cannot be separated reliably: read them with ``subscript(values:)-(String)``.
    public subscript(name: String) -> String? {
        get {
            switch storage {
            case .received(let received): return received.block.combinedValue(of: name)
            case .fields(let fields):
                var combined: String?
                for field in fields where field.name.equalsIgnoringASCIICase(name) { combined.combine(field.value) }
                return combined
            }
        }
        set {
            let isNew = !fields.contains { $0.name.equalsIgnoringASCIICase(name) }
            if isNew, let newValue { return add(name, newValue) }
            self[values: name] = newValue.map { [$0] } ?? []
        }
    }

    /// All values of a field, one for each occurrence.
    ///
    /// Setting replaces all of them, at the position of the first.
    public subscript(values name: String) -> [String] {
        get {
            switch storage {
            case .fields(let fields): fields.compactMap { $0.name.equalsIgnoringASCIICase(name) ? $0.value : nil }
            case .received(let received): received.block.values(of: name)
            }
        }
        set {
            let position = fields.firstIndex { $0.name.equalsIgnoringASCIICase(name) } ?? fields.endIndex
            fields.removeAll { $0.name.equalsIgnoringASCIICase(name) }
            fields.insert(contentsOf: newValue.map { Field(name, $0) }, at: position)
        }
    }

    /// Appends a field, and keeps fields of the same name.
    public mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name, value))
    }

    /// Adds all fields of `other`. If both have fields of the same name, those of `other` replace the existing ones.
    public mutating func merge(_ other: HeaderFields) {
        if other.isEmpty { return }
        // Each group is written at the first field of its name, and then emptied, so that this takes linear time.
        var groups = Dictionary(grouping: other.fields) { $0.name.asciiLowercased }
        var merged: [Field] = []
        for field in fields {
            let name = field.name.asciiLowercased
            merged += groups[name] ?? [field]
            if groups[name] != nil { groups[name] = [] }
        }
        // The fields whose names only `other` has follow.
        for field in other.fields { merged += groups.updateValue([], forKey: field.name.asciiLowercased) ?? [] }
        fields = merged
    }

    /// Returns these fields merged with `other`, as in ``merge(_:)``.
    public func merging(_ other: HeaderFields) -> HeaderFields {
        var merged = self
        merged.merge(other)
        return merged
    }
}

/// The fields of a received head, parsed once on first use, because each access to a position needs all of them.
private final class ReceivedFields: Sendable {
    let block: FieldBlock
    private let parsed = Mutex<[HeaderFields.Field]?>(nil)

    init(_ block: FieldBlock) {
        self.block = block
    }

    var fields: [HeaderFields.Field] {
        parsed.withLock { parsed in
            let fields = parsed ?? block.fields
            parsed = fields
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
    public func makeIterator() -> IndexingIterator<[Field]> {
        // The default iterator would read `fields`, with its lock for a received head, once for each position.
        fields.makeIterator()
    }
}

extension HeaderFields: Hashable {
    /// Returns whether the fields are equal and in the same order; names are compared without regard to case.
    public static func == (one: HeaderFields, other: HeaderFields) -> Bool {
        one.count == other.count
            && zip(one, other).allSatisfy { $0.name.equalsIgnoringASCIICase($1.name) && $0.value == $1.value }
    }

    /// Hashes the fields consistently with equality.
    public func hash(into hasher: inout Hasher) {
        for field in fields {
            hasher.combine(field.name.asciiLowercased)
            hasher.combine(field.value)
        }
    }
}

extension HeaderFields: Confidential {
    /// The names, in order, without values.
    public var description: String { "[\(fields.map(\.name).joined(separator: ", "))]" }
    /// A mirror with the names only, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: fields.map(\.name), displayStyle: .collection) }
}

extension HeaderFields.Field: Confidential {
    /// The name, without the value.
    public var description: String { name }
    /// A mirror with the name only, so that `dump` does not show the value.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

extension HeaderFields {
    /// The fields as a `URLRequest` holds them: each name once, as it was first written, with the values of all its
    /// fields.
    var joined: [String: String] {
        // Most requests get two more fields, from their body and their decoder.
        var joined = [String: String](minimumCapacity: count + 2)
        for field in self {
            if let name = joined.keys.first(where: { $0.equalsIgnoringASCIICase(field.name) }) {
                joined[name, default: ""] += Self.separator(name) + field.value
            } else {
                joined[field.name] = field.value
            }
        }
        return joined
    }

    /// Returns the values of a field as a `URLRequest` holds them: as one value, in which semicolons separate cookies.
    func joined(_ name: String) -> String? {
        let values = self[values: name]
        return values.isEmpty ? nil : values.joined(separator: Self.separator(name))
    }

    /// The separator between the values of repeated fields: cookies are joined as RFC 6265 requires, others as a list.
    private static func separator(_ name: String) -> String { name.equalsIgnoringASCIICase("Cookie") ? "; " : ", " }

    /// Creates the fields of a head that Foundation has parsed, sorted by name. Foundation joins repeated fields with
    /// commas and does not keep their order. The cookies of a joined `Set-Cookie` are separated again.
    package init(_ response: HTTPURLResponse) {
        let fields = response.allHeaderFields.compactMap { name, value in
            (name as? String).map { Field($0, "\(value)") }
        }
        self.init(
            fields.sorted { $0.name < $1.name }.flatMap { field in
                field.name.equalsIgnoringASCIICase("Set-Cookie")
                    ? field.value.separatedCookies.map { Field(field.name, $0) } : [field]
            })
    }
}

extension String? {
    /// Adds the value of a repeated field to those before it (RFC 9110, section 5.3).
    mutating func combine(_ value: String) {
        if self == nil { self = value } else { self?.append(", \(value)") }
    }
}

extension String {
    /// The cookies of a list. A comma begins a new cookie if a name and an equals sign follow. The comma of a date does
    /// not, but that of a value such as `a=1,b=2` does, because it cannot be distinguished.
    fileprivate var separatedCookies: [String] {
        var cookies: [String] = []
        for part in split(separator: ",", omittingEmptySubsequences: false) {
            let name = part.prefix { $0 != "=" && $0 != ";" }
            let beginsCookie = name.endIndex < part.endIndex && part[name.endIndex] == "=" && name.isCookieName
            if let last = cookies.indices.last, !beginsCookie {
                cookies[last] += ",\(part)"
            } else {
                cookies.append(String(part))
            }
        }
        return cookies.map { String(Substring($0.utf8[...].trimmingBlanks)) }
    }
}

extension Substring {
    fileprivate var isCookieName: Bool { String(Substring(utf8.trimmingBlanks)).isHTTPToken }
}
