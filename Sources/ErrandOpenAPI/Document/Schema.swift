/// A schema: a part of the document, or one that is derived from others.
///
/// Its keys are read when one of them is needed, because faults of schemas that nothing needs do not matter. Each key
/// is a member of the schema, so that its users need not know when it is read.
@dynamicMemberLookup
final class Schema {
    /// How a schema that is not in the document is made of others.
    enum Derivation: Hashable {
        /// The values that fit several schemas.
        case all([Schema])
        case rest(of: Schema, without: Set<Key>)
        /// The values that are of one of several types.
        case kind(JSONKind, of: Schema)
        /// A reference whose text is at an offset of a file, such as a value of a mapping.
        case reference(to: Schema, named: String?, offset: Int)
    }

    /// A key that combines schemas.
    enum Key {
        case reference
        case allOf
        case oneOf
        case anyOf
        case discriminator
    }

    private let id: Int
    /// The part of the document that it is. A derived schema has the place of one that it is made of.
    let node: Node
    /// `nil` for a schema of the document.
    let derivation: Derivation?
    /// The text of `$ref`.
    let reference: Node?
    private unowned let reader: DocumentReader
    private(set) lazy var keys = SchemaKeys(node, reader)

    init(_ id: Int, _ node: Node, _ reader: DocumentReader, _ derivation: Derivation? = nil, _ keys: SchemaKeys? = nil)
    {
        (self.id, self.node, self.reader, self.derivation) = (id, node, reader, derivation)
        reference = derivation == nil ? References.reference(of: node) : nil
        if let keys { self.keys = keys }
    }

    subscript<Value>(dynamicMember key: KeyPath<SchemaKeys, Value>) -> Value { keys[keyPath: key] }

    /// The value of a key that only describes or limits values.
    subscript(key: String) -> Node? {
        if case .all = derivation { nil } else { node[key] }
    }

    var isDerived: Bool { derivation != nil }

    var isReference: Bool {
        if case .reference = derivation { true } else { reference != nil }
    }

    /// The name of the schema that this one refers to: the last part of the reference.
    var referencedName: String? {
        if case .reference(_, let name, _) = derivation { name } else { reference.flatMap(References.name) }
    }

    /// Whether the schema says nothing about values, beside annotations.
    var isUnrestricted: Bool { !isReference && keys.areUnrestricted }

    var isReadOnly: Bool { has(\.isReadOnly) }
    var isWriteOnly: Bool { has(\.isWriteOnly) }

    /// Whether the schema, a schema that it refers to, or a part of its `allOf` has an annotation.
    private func has(_ annotation: KeyPath<SchemaKeys, Bool>) -> Bool {
        var seen: Set<Schema> = []
        var pending = [self]
        while let schema = pending.popLast() {
            guard seen.insert(schema).inserted else { continue }
            if schema.keys[keyPath: annotation] { return true }
            pending += schema.allOf + (reader.schemas.next(of: schema).map { [$0] } ?? [])
        }
        return false
    }

    /// Whether the schema says nothing but the kind of the values, beside annotations, limits and required members.
    var saysOnlyKind: Bool { !isReference && keys.sayOnlyKind }
}

extension Schema: Hashable {
    static func == (left: Schema, right: Schema) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// The keys of a schema, in the terms of OpenAPI 3.1.
struct SchemaKeys {
    /// What the schema says about members that are not among its properties.
    enum Additional {
        case unsaid
        case forbidden
        case any
        case schema(Schema)

        /// Whether no type describes such members.
        var isIgnored: Bool {
            switch self {
            case .unsaid, .forbidden: true
            case .any, .schema: false
            }
        }
    }

    struct Discriminator {
        let property: String
        /// The names or references of schemas by the values of the property, in the order of the document.
        let mapping: [(value: String, schema: Node)]
    }

    /// The kinds without null; empty if the schema does not say.
    var kinds: [JSONKind] = []
    /// Whether the schema has the key `type`.
    private(set) var hasType = false
    var isNullable = false
    private(set) var format: String?
    /// The values of `enum` or `const`, with null.
    private(set) var constants: [Node]?
    private(set) var properties: [(name: String, schema: Schema)] = []
    private(set) var required: [String] = []
    private(set) var additional = Additional.unsaid
    private(set) var items: Schema?
    private(set) var prefixItems: [Schema] = []
    var allOf: [Schema] = []
    var oneOf: [Schema] = []
    var anyOf: [Schema] = []
    var discriminator: Discriminator?
    private(set) var title: String?
    private(set) var description: String?
    private(set) var defaultValue: Node?
    private(set) var isDeprecated = false
    private(set) var isReadOnly = false
    private(set) var isWriteOnly = false
    private(set) var contentEncoding: String?
    private(set) var contentMediaType: String?

    /// Creates the keys of a schema that says nothing.
    init() {}

    init(_ node: Node, _ reader: DocumentReader) {
        if let isAllowed = node.bool {
            if !isAllowed { reader.report(.note, .schema, "no value fits `false`; any value is accepted", node) }
            return
        }
        guard reader.check(node, .schema) else { return }
        title = reader.text(node, "title")
        description = reader.text(node, "description")
        isDeprecated = reader.bool(node, "deprecated") ?? false
        isReadOnly = reader.bool(node, "readOnly") ?? false
        isWriteOnly = reader.bool(node, "writeOnly") ?? false
        defaultValue = node["default"]
        // In OpenAPI 3.0, only annotations count beside a reference. `nullable` does not either, but that is what its
        // authors mean.
        if reader.version == .v30, References.reference(of: node) != nil {
            isNullable = reader.bool(node, "nullable") == true
            return
        }
        readType(node, reader)
        readObject(node, reader)
        let schemas = reader.schemas
        items = node["items"].flatMap { $0.isArray ? nil : schemas[$0] }
        prefixItems = (reader.elements(node, "prefixItems") + (node["items"]?.elements ?? [])).map { schemas[$0] }
        allOf = reader.elements(node, "allOf").map { schemas[$0] }
        oneOf = reader.elements(node, "oneOf").map { schemas[$0] }
        anyOf = reader.elements(node, "anyOf").map { schemas[$0] }
        readDiscriminator(node, reader)
        reportMisplacedKeys(node, reader)
        contentEncoding = reader.text(node, "contentEncoding")
        contentMediaType = reader.text(node, "contentMediaType")
        readFormat(node)
    }

    /// Takes the kind from the format if the type does not say it, or says that a number can also be a text with a
    /// pattern: ASP.NET Core reads such texts, but writes numbers.
    private mutating func readFormat(_ node: Node) {
        guard let kind = format.flatMap(JSONKind.init(format:)) else { return }
        let isUnsaid = !hasType && properties.isEmpty && items == nil && prefixItems.isEmpty
        let isNumber = kind != .string && Set(kinds) == [kind, .string] && node["pattern"] != nil && constants == nil
        if isUnsaid || isNumber { kinds = [kind] }
    }

    private mutating func readType(_ node: Node, _ reader: DocumentReader) {
        format = reader.text(node, "format")
        hasType = node["type"] != nil
        let names = node["type"].map { $0.isArray ? $0.elements : [$0] } ?? []
        for name in names where !(name.isNull && names.count == 1) {
            guard let kind = name.text.flatMap(JSONKind.init(rawValue:)) ?? (name.isNull ? .null : nil) else {
                let text = name.text.map { "\"\($0)\"" } ?? name.kindText
                reader.report(.warning, .type, "\(text) is not a type of JSON Schema; it is ignored", name)
                continue
            }
            if kind == .null {
                isNullable = true
            } else if !kinds.contains(kind) {
                kinds.append(kind)
            }
        }
        // A number can be an integer.
        if kinds.contains(.number) { kinds.removeAll { $0 == .integer } }
        if reader.bool(node, "nullable") == true { isNullable = true }
        if node["enum"] != nil { constants = reader.elements(node, "enum") }
        if let constant = node["const"] { constants = [constant] }
        constants = constants?.map { ofType($0, reader) }
    }

    /// Returns a value of an enumeration of strings or integers as one, if it only has quotes too many or too few.
    private func ofType(_ constant: Node, _ reader: DocumentReader) -> Node {
        switch (constant.content, kinds) {
        case (.number, [.string]), (.bool, [.string]):
            guard let text = constant.written ?? constant.text else { return constant }
            let message = "\(text) is \(constant.kindText), but the type is string; it is read as \"\(text)\""
            reader.report(.warning, .type, message, constant)
            return Node(.string(text), like: constant)
        case (.string(let text), [.integer]):
            guard let number = Int(text) else { return constant }
            let message = "\"\(text)\" is a string, but the type is integer; it is read as \(number)"
            reader.report(.warning, .type, message, constant)
            return Node(.number("\(number)"), like: constant)
        default: return constant
        }
    }

    /// Reports keys for parts that values of the type do not have.
    private func reportMisplacedKeys(_ node: Node, _ reader: DocumentReader) {
        guard !kinds.isEmpty else { return }
        let keys: [(String, JSONKind)] = [("items", .array), ("prefixItems", .array), ("properties", .object)]
        for (key, kind) in keys where !kinds.contains(kind) {
            guard let value = node[key], !value.isNull else { continue }
            let type = kinds.map(\.rawValue).joined(separator: " or ")
            reader.report(.warning, .schema, "\"\(key)\" has no effect on the type \(type)", value)
        }
    }

    private mutating func readObject(_ node: Node, _ reader: DocumentReader) {
        properties = reader.members(node, "properties").map { ($0.key, reader.schemas[$0.value]) }
        required = node["required"]?.bool == nil ? reader.texts(node, "required") : []
        if let flag = node["required"], flag.bool != nil {
            reader.report(.warning, .schema, "\"required\" of a schema is a list of names; this one is ignored", flag)
        }
        if let value = node["additionalProperties"] {
            switch value.content {
            case .bool(let isAllowed): additional = isAllowed ? .any : .forbidden
            case .object(let members): additional = members.isEmpty ? .any : .schema(reader.schemas[value])
            default:
                let message = "\"additionalProperties\" must be a schema or a Boolean, not \(value.kindText)"
                reader.report(.error, .type, message, value)
            }
        }
        let patterns = reader.members(node, "patternProperties").map(\.value)
        guard let first = patterns.first else { return }
        switch additional {
        case .unsaid, .forbidden:
            additional = patterns.allSatisfy { $0.isEqual(to: first) } ? .schema(reader.schemas[first]) : .any
        case .any: break
        // Members of other names have another schema.
        case .schema(let others): if !others.node.isEqual(to: first) { additional = .any }
        }
    }

    private mutating func readDiscriminator(_ node: Node, _ reader: DocumentReader) {
        guard let value = node["discriminator"], !value.isNull else { return }
        // Some documents of version 3 write the name alone, as in version 2.
        if let property = value.string {
            discriminator = Discriminator(property: property, mapping: [])
            return
        }
        guard reader.check(value, .discriminator) else { return }
        guard let property = reader.text(value, "propertyName") else {
            if value["propertyName"] == nil {
                reader.report(.warning, .missing, "the discriminator has no \"propertyName\"; it is ignored", value)
            }
            return
        }
        let mapping = reader.members(value, "mapping").map { ($0.key, $0.value) }
        discriminator = Discriminator(property: property, mapping: mapping)
    }

    fileprivate var areUnrestricted: Bool {
        !hasType && constants == nil && properties.isEmpty && items == nil
            && prefixItems.isEmpty && allOf.isEmpty && oneOf.isEmpty && anyOf.isEmpty && saysNothingOfMembers
            && contentEncoding == nil && contentMediaType == nil && format == nil
    }

    private var saysNothingOfMembers: Bool { if case .unsaid = additional { true } else { false } }

    fileprivate var sayOnlyKind: Bool {
        guard kinds.count == 1, constants == nil, properties.isEmpty, items == nil,
            prefixItems.isEmpty, allOf.isEmpty, oneOf.isEmpty, anyOf.isEmpty, discriminator == nil, format == nil,
            contentEncoding == nil, contentMediaType == nil
        else { return false }
        return additional.isIgnored
    }

    /// Whether values must be objects, by the type or by what else the schema says.
    var describesObject: Bool { kinds == [.object] || kinds.isEmpty && (!properties.isEmpty || !saysNothingOfMembers) }
}
