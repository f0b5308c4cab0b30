/// A kind of JSON value, as the key `type` names it.
enum JSONKind: String, CaseIterable {
    case string
    case integer
    case number
    case boolean
    case array
    case object
    case null
}

/// A schema as the document has it, in the terms of OpenAPI 3.1.
final class Schema {
    /// What the schema says about members that are not among its properties.
    enum Additional {
        case unsaid
        case forbidden
        case any
        case schema(Node)
    }

    struct Discriminator {
        let node: Node
        let property: String
        /// The names or references of schemas by the values of the property, in the order of the document.
        let mapping: [(value: String, schema: Node)]
    }

    let node: Node
    /// The text of `$ref`.
    private(set) var reference: Node?
    /// The kinds without null; empty if the schema does not say.
    private(set) var kinds: [JSONKind] = []
    private(set) var isNullable = false
    private(set) var format: String?
    /// The values of `enum` or `const`, with null.
    private(set) var constants: [Node]?
    private(set) var properties: [(name: String, schema: Node)] = []
    private(set) var required: [String] = []
    private(set) var additional = Additional.unsaid
    private(set) var items: Node?
    private(set) var prefixItems: [Node] = []
    private(set) var allOf: [Node] = []
    private(set) var oneOf: [Node] = []
    private(set) var anyOf: [Node] = []
    private(set) var discriminator: Discriminator?
    private(set) var title: String?
    private(set) var description: String?
    private(set) var defaultValue: Node?
    private(set) var isDeprecated = false
    private(set) var isReadOnly = false
    private(set) var isWriteOnly = false
    private(set) var contentEncoding: String?
    private(set) var contentMediaType: String?

    init(_ node: Node, _ reader: DocumentReader) {
        self.node = node
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
        reference = References.reference(of: node)
        // In OpenAPI 3.0, only annotations count beside a reference. `nullable` does not either, but that is what its
        // authors mean.
        if reference != nil, reader.version == .v30 {
            isNullable = reader.bool(node, "nullable") == true
            return
        }
        readType(reader)
        readObject(reader)
        items = node["items"].flatMap { $0.isArray ? nil : $0 }
        prefixItems = reader.elements(node, "prefixItems") + (node["items"]?.elements ?? [])
        allOf = reader.elements(node, "allOf")
        oneOf = reader.elements(node, "oneOf")
        anyOf = reader.elements(node, "anyOf")
        readDiscriminator(reader)
        reportMisplacedKeys(reader)
        contentEncoding = reader.text(node, "contentEncoding")
        contentMediaType = reader.text(node, "contentMediaType")
    }

    private func readType(_ reader: DocumentReader) {
        format = reader.text(node, "format")
        let names = node["type"].map { $0.isArray ? $0.elements : [$0] } ?? []
        for name in names where !(name.isNull && names.count == 1) {
            guard let kind = name.text.flatMap(JSONKind.init) ?? (name.isNull ? .null : nil) else {
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
    private func reportMisplacedKeys(_ reader: DocumentReader) {
        guard !kinds.isEmpty else { return }
        let keys: [(String, JSONKind)] = [("items", .array), ("prefixItems", .array), ("properties", .object)]
        for (key, kind) in keys where !kinds.contains(kind) {
            guard let value = node[key], !value.isNull else { continue }
            let type = kinds.map(\.rawValue).joined(separator: " or ")
            reader.report(.warning, .schema, "\"\(key)\" has no effect on the type \(type)", value)
        }
    }

    private func readObject(_ reader: DocumentReader) {
        properties = reader.members(node, "properties").map { ($0.key, $0.value) }
        required = node["required"]?.bool == nil ? reader.texts(node, "required") : []
        if let flag = node["required"], flag.bool != nil {
            reader.report(.warning, .schema, "\"required\" of a schema is a list of names; this one is ignored", flag)
        }
        if let value = node["additionalProperties"] {
            switch value.content {
            case .bool(let isAllowed): additional = isAllowed ? .any : .forbidden
            case .object(let members): additional = members.isEmpty ? .any : .schema(value)
            default:
                let message = "\"additionalProperties\" must be a schema or a Boolean, not \(value.kindText)"
                reader.report(.error, .type, message, value)
            }
        }
        let patterns = reader.members(node, "patternProperties").map(\.value)
        guard let first = patterns.first else { return }
        switch additional {
        case .unsaid, .forbidden:
            additional = patterns.allSatisfy { $0.isEqual(to: first) } ? .schema(first) : .any
        case .any: break
        // Members of other names have another schema.
        case .schema(let others): if !others.isEqual(to: first) { additional = .any }
        }
    }

    private func readDiscriminator(_ reader: DocumentReader) {
        guard let value = node["discriminator"], !value.isNull else { return }
        // Some documents of version 3 write the name alone, as in version 2.
        if let property = value.string {
            discriminator = Discriminator(node: value, property: property, mapping: [])
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
        discriminator = Discriminator(node: value, property: property, mapping: mapping)
    }

    /// Whether the schema says nothing about values, beside annotations.
    var isUnrestricted: Bool {
        reference == nil && node["type"] == nil && constants == nil && properties.isEmpty && items == nil
            && prefixItems.isEmpty && allOf.isEmpty && oneOf.isEmpty && anyOf.isEmpty && saysNothingOfMembers
            && contentEncoding == nil && contentMediaType == nil && format == nil
    }

    private var saysNothingOfMembers: Bool { if case .unsaid = additional { true } else { false } }

    /// Whether the schema says nothing but the kind of the values, beside annotations, limits and required members.
    var saysOnlyKind: Bool {
        guard kinds.count == 1, reference == nil, constants == nil, properties.isEmpty, items == nil,
            prefixItems.isEmpty, allOf.isEmpty, oneOf.isEmpty, anyOf.isEmpty, discriminator == nil, format == nil,
            contentEncoding == nil, contentMediaType == nil
        else { return false }
        if case .schema = additional { return false }
        if case .any = additional { return false }
        return true
    }

    /// Whether values must be objects, by the type or by what else the schema says.
    var describesObject: Bool { kinds == [.object] || kinds.isEmpty && (!properties.isEmpty || !saysNothingOfMembers) }
}
