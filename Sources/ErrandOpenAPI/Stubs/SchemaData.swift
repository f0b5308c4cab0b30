/// The schemas of what requests send, without what describes them: the part that stubs check.
final class SchemaData {
    private let reader: DocumentReader
    private let root: Node
    /// The schemas to which others refer, by their pointers.
    private(set) var schemas: [String: Node] = [:]
    private var pending: [Node] = []

    private static let copied: Set<String> = [
        "type", "nullable", "required", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength",
        "maxLength", "minItems", "maxItems", "readOnly",
    ]
    private static let lists: Set<String> = ["allOf", "oneOf", "anyOf"]

    init(_ document: APIDocument) {
        reader = document.reader
        root = document.root
    }

    /// Returns the checked part of a schema, and notes those to which it refers.
    func part(of schema: Node) -> Node {
        let part = reduced(schema)
        while let next = pending.popLast() {
            let pointer = pointer(of: next)
            guard schemas[pointer] == nil else { continue }
            schemas[pointer] = object([])
            schemas[pointer] = reduced(next)
        }
        return part
    }

    /// The pointer of a value, with its file if it is not in that of the document. The path of the file begins at the
    /// folder of the document, so that it is the same on all machines.
    func pointer(of node: Node) -> String {
        node.file === root.file ? node.pointer : References.path(of: node.file, from: root.file) + node.pointer
    }

    private func reduced(_ schema: Node) -> Node {
        guard schema.isObject else { return object([]) }
        var members: [(String, Node)] = []
        if let reference = References.reference(of: schema) {
            if let target = reader.references.resolve(reference) {
                members.append(("$ref", text(pointer(of: target))))
                pending.append(target)
            }
            // In OpenAPI 3.0, nothing else counts beside a reference.
            if reader.version == .v30 {
                return object(members + schema.members.filter { $0.key == "nullable" }.map { ($0.key, $0.value) })
            }
        }
        for member in schema.members {
            switch member.key {
            case _ where Self.copied.contains(member.key):
                // Faulty values are reported elsewhere.
                if member.key != "required" || member.value.isArray { members.append((member.key, member.value)) }
            case _ where Self.lists.contains(member.key):
                members.append((member.key, list(member.value.elements.map(reduced))))
            case "properties":
                members.append((member.key, object(member.value.members.map { ($0.key, reduced($0.value)) })))
            // After `prefixItems`, the schema is for the other elements only.
            case "items" where member.value.isObject && schema["prefixItems"] == nil:
                members.append((member.key, reduced(member.value)))
            // A schema of names has the members that a pattern describes too.
            case "additionalProperties" where schema["patternProperties"] == nil:
                members.append((member.key, member.value.isObject ? reduced(member.value) : member.value))
            case "enum", "const":
                let constants = reader.schemas[schema].keys.constants ?? []
                if !constants.isEmpty, member.key == "const" || schema["const"] == nil {
                    members.append(("enum", list(constants)))
                }
            default: break
            }
        }
        return object(members)
    }

    // MARK: Nodes

    func text(_ text: String) -> Node { Node(.string(text), like: root) }

    func list(_ elements: [Node]) -> Node { Node(.array(elements), like: root) }

    func object(_ members: [(String, Node)]) -> Node {
        Node(.object(members.map { Node.Member(key: $0, offset: 0, value: $1) }), like: root)
    }
}
