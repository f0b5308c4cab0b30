/// The types that the configuration chooses for schemas and formats.
struct ChosenTypes {
    private let types: TypeBuilder
    private let document: APIDocument
    private var reader: DocumentReader { document.reader }

    init(_ types: TypeBuilder, _ document: APIDocument) {
        self.types = types
        self.document = document
    }

    // MARK: Schemas

    /// Gives schemas their types.
    ///
    /// - Parameter choices: The types by the names of components or by pointers.
    func set(_ choices: [String: ChosenType]) {
        let schemas = document.root["components"]?["schemas"] ?? document.root
        var chosen: [Schema: (name: String, choice: ChosenType)] = [:]
        for (name, choice) in choices.sorted(by: { $0.key < $1.key }) {
            let (node, missing) = name.hasPrefix("#") ? document.root.walk(name) : schemas.walk("/\(name.escapedToken)")
            guard missing == nil else {
                let hint = SimilarNames.hint(for: missing ?? name, among: node.members.map(\.key), mark: "")
                report("the configuration chooses a type for \"\(name)\", which does not exist\(hint)")
                continue
            }
            guard !name.hasPrefix("#") || node.isPlaceOfSchema else {
                report("the configuration chooses a type for \"\(name)\", which is not a schema")
                continue
            }
            let schema = reader.schemas[node]
            // A component that is only a schema of another file has its type.
            let isOfOtherFile = types.places.isComponentOfOtherFile(node)
            let target = isOfOtherFile ? reader.schemas.next(of: schema) ?? schema : schema
            if let other = chosen[target], other.choice != choice {
                let message = "the configuration chooses two types for one schema: by \"\(other.name)\" and \"\(name)\""
                reader.report(.error, .configuration, message, target.node)
            }
            chosen[target] = (name, choice)
            switch choice {
            case .known(let scalar): types.resolver.chosen[target] = scalar
            case .custom(let type): types.resolver.customTypes[target] = type
            }
        }
    }

    // MARK: Formats

    /// Reports formats that no schema has, in the parts of the document that are not generated either.
    func checkFormats(_ formats: Set<String>) {
        let unused = formats.subtracting(types.resolver.usedFormats)
        guard !unused.isEmpty else { return }
        let known = self.formats(in: document.root).union(types.resolver.usedFormats)
        for format in unused.subtracting(known).sorted() {
            let hint = SimilarNames.hint(for: format, among: known.sorted(), mark: "")
            report("the configuration chooses a type for the format \"\(format)\", which no schema has\(hint)")
        }
    }

    /// The formats in a file and in those that it refers to, of which a filter can leave out some.
    private func formats(in root: Node) -> Set<String> {
        let loader = reader.references.silentLoader
        var files: Set<String> = [root.file.path]
        var formats: Set<String> = []
        var seen: Set<ObjectIdentifier> = []
        var pending = [root]
        while let node = pending.popLast() {
            guard seen.insert(ObjectIdentifier(node)).inserted else { continue }
            if let format = node["format"]?.string { formats.insert(format) }
            if let reference = References.reference(of: node), reference.string?.contains("://") == false {
                let path = References.parts(of: reference).path
                if files.insert(path).inserted, let other = loader.root(of: path) { pending.append(other) }
            }
            pending += node.elements + node.members.map(\.value)
        }
        return formats
    }

    private func report(_ message: String) {
        reader.report(.warning, .configuration, message, document.root)
    }

    // MARK: What is written

    /// Marks the declarations that the generated code does not have: custom types, and those to which only custom types
    /// lead.
    ///
    /// - Parameter roots: The types that the code has in any case, with those that they lead to.
    func markWritten(_ roots: [SwiftType]) {
        let custom = types.declarations.filter { $0.custom != nil }
        guard !custom.isEmpty else { return }
        let inner = closure(of: custom.flatMap(\.describedParts)) { $0.describedParts }
        let others = types.declarations.filter { $0.custom == nil && !inner.contains($0.id) }
        let needed = closure(of: roots + others.flatMap(\.parts)) { declaration in
            guard case .declaration(let owner) = declaration.owner else { return declaration.parts }
            return declaration.parts + [.declared(owner)]
        }
        for declaration in custom { declaration.isWritten = false }
        for id in inner.subtracting(needed) { types.declarations[id].isWritten = false }
    }

    private func closure(of roots: [SwiftType], _ parts: (Declaration) -> [SwiftType]) -> Set<Int> {
        var found: Set<Int> = []
        var pending = roots.flatMap(\.declarations)
        while let id = pending.popLast() {
            guard found.insert(id).inserted else { continue }
            pending += parts(types.declarations[id]).flatMap(\.declarations)
        }
        return found
    }
}

extension Node {
    /// Whether a schema is expected at the place of this part of a document.
    fileprivate var isPlaceOfSchema: Bool {
        let keys: Set<String> = [
            "schema", "itemSchema", "contentSchema", "items", "additionalProperties", "unevaluatedProperties",
            "unevaluatedItems", "propertyNames", "contains", "not", "if", "then", "else",
        ]
        let groups: Set<String> = [
            "schemas", "properties", "patternProperties", "dependentSchemas", "definitions", "$defs", "allOf", "oneOf",
            "anyOf", "prefixItems",
        ]
        return key.map(keys.contains) == true || parent?.key.map(groups.contains) == true
    }
}
