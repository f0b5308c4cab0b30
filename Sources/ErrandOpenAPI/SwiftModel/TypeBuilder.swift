/// Finds the Swift types of schemas, and declares those that have a name.
final class TypeBuilder {
    let resolver: SchemaResolver
    private(set) var declarations: [Declaration] = []
    private var ids: [ObjectIdentifier: Int] = [:]
    /// The unions of error documents, by their schemas.
    private var unions: [[ObjectIdentifier]: Node] = [:]
    /// The declarations whose schemas have not been read.
    private var pending: [Int] = []
    private var reader: DocumentReader { resolver.reader }
    private let rootFile: SourceFile
    private let operations: Set<ObjectIdentifier>
    /// The names of the components that are only references to schemas of other files, by the places of these schemas.
    private let componentNames: [String: String]

    /// The maximum number of types.
    private static let maximumCount = 200_000

    init(_ resolver: SchemaResolver, _ document: APIDocument) {
        self.resolver = resolver
        rootFile = document.root.file
        operations = Set((document.operations + document.webhooks).map { ObjectIdentifier($0.node) })
        let places = document.schemas.compactMap { component in
            Self.placeInOtherFile(component.value).map { (place: $0, name: component.key) }
        }
        componentNames = Dictionary(places.map { ($0.place, $0.name) }, uniquingKeysWith: min)
    }

    /// Declares the type of a component or of another schema that is referred to.
    @discardableResult
    func declare(_ node: Node, named name: String? = nil) -> Int {
        declaration(of: node, named: name ?? Self.name(of: node), in: .module)
    }

    /// Returns the type of a schema.
    ///
    /// - Parameters:
    ///   - name: The name of its declaration, if it needs one.
    ///   - owner: Where that is declared.
    func use(_ node: Node, named name: String, in owner: Declaration.Owner) -> TypeUse {
        let resolved = resolver.resolve(node)
        // A schema that something else refers to, or a component.
        if let id = ids[ObjectIdentifier(node)] {
            return TypeUse(type: .declared(id), isNullable: resolver.isNullable(node), constant: nil)
        }
        switch resolved.shape {
        case .any, .null: return TypeUse(type: .json, isNullable: resolved.isNullable)
        case .scalar(let scalar): return TypeUse(type: SwiftType(scalar), isNullable: resolved.isNullable)
        case .array(let element):
            return TypeUse(
                type: .array(self.element(element, SwiftName.singular(name), owner)), isNullable: resolved.isNullable)
        case .dictionary(let values):
            return TypeUse(
                type: .dictionary(element(values, SwiftName.singular(name), owner)), isNullable: resolved.isNullable)
        case .reference(let target):
            var use = self.use(target: target, named: name, in: owner)
            use.isNullable = use.isNullable || resolved.isNullable
            return use
        case .enumeration(let list):
            if list.constant != nil { return use(constantOf: node, list) }
            return TypeUse(
                type: .declared(declaration(of: node, named: name, in: owner)), isNullable: resolved.isNullable)
        case .object, .union:
            return TypeUse(
                type: .declared(declaration(of: node, named: name, in: owner)), isNullable: resolved.isNullable)
        }
    }

    /// Returns the type of a schema that another one refers to.
    private func use(target: Node, named name: String, in owner: Declaration.Owner) -> TypeUse {
        if case .enumeration(let list) = resolver.resolveReferences(target), list.constant != nil {
            return use(constantOf: target, list)
        }
        if isAnonymous(target) { return use(target, named: name, in: owner) }
        return TypeUse(type: .declared(declare(target)), isNullable: resolver.isNullable(target))
    }

    private func use(constantOf node: Node, _ list: Enumeration) -> TypeUse {
        TypeUse(
            type: list.kind == .string ? .string : .int, isNullable: resolver.isNullable(node), constant: list.constant)
    }

    /// Returns the type of a value of one of several schemas. Operations with the same ones share it.
    func union(of schemas: [Node], like origin: Node, in owner: Declaration.Owner) -> SwiftType {
        let named = schemas.map { (name: $0.referencedName, schema: $0) }.sorted { $0.name ?? "" < $1.name ?? "" }
        let names = named.compactMap(\.name)
        let isShared = names.count == schemas.count && Set(names).count == names.count && names.count <= 3
        let key = named.map { ObjectIdentifier(reader.target(of: $0.schema) ?? $0.schema) }
        let list = Node(.array(named.map(\.schema)), like: origin)
        let union =
            unions[key] ?? Node(.object([Node.Member(key: "oneOf", offset: origin.offset, value: list)]), like: origin)
        guard isShared else { return use(union, named: "errorDocument", in: owner).type }
        unions[key] = union
        return use(union, named: names.joined(separator: "-or-"), in: .module).type
    }

    /// Reads the schemas of all declarations, and of those that they lead to.
    func complete() {
        while let id = pending.popLast() {
            fill(declarations[id])
            guard declarations.count > Self.maximumCount else { continue }
            let message = "the document needs more than \(Self.maximumCount) types"
            return reader.report(.error, .limit, message, declarations[id].node)
        }
    }

    /// The name of a schema that is referred to: the last part of its path, or the name of its file.
    static func name(of node: Node) -> String {
        let generic: Set<String> = ["schema", "items", "properties", "allOf", "oneOf", "anyOf", "value"]
        var node: Node? = node
        var parts: [String] = []
        while let current = node, let key = current.key {
            parts.insert(key, at: 0)
            if !generic.contains(key), Int(key) == nil { return parts.joined(separator: "-") }
            node = current.parent
        }
        let file = node?.file.path.split(separator: "/").last?.split(separator: ".").first.map(String.init) ?? "Value"
        return ([file] + parts).joined(separator: "-")
    }

    // MARK: Declarations

    /// Whether a schema needs no name, although something refers to it: it is in the middle of another one, and has no
    /// members.
    private func isAnonymous(_ node: Node) -> Bool {
        if ids[ObjectIdentifier(node)] != nil || node.isComponent { return false }
        switch resolver.resolve(node).shape {
        case .any, .null, .scalar: return true
        case .enumeration, .array, .dictionary, .object, .union, .reference: return false
        }
    }

    private func declaration(of node: Node, named name: String, in owner: Declaration.Owner) -> Int {
        if let id = ids[ObjectIdentifier(node)] { return id }
        if let place = Self.placeInOtherFile(node), componentNames[place] == node.key,
            let target = reader.references.resolve(node["$ref"] ?? node)
        {
            let id = declaration(of: target, named: name, in: .module)
            ids[ObjectIdentifier(node)] = id
            return id
        }
        // Declared before its owner is looked for, which ends a search in a circle.
        let component = node.file === rootFile ? nil : componentNames[node.file.path + node.pointer]
        let (owner, name) =
            component.map { (.module, $0) }
            ?? (owner == .module ? (owner, name) : lexicalOwner(of: node, named: name) ?? (owner, name))
        if let id = ids[ObjectIdentifier(node)] { return id }
        let declaration = Declaration(id: declarations.count, node: node, owner: owner, wantedName: name)
        let schema = reader.schema(of: node)
        declaration.documentation = Documentation.lines(of: schema)
        declaration.isDeprecated = schema.isDeprecated
        declarations.append(declaration)
        ids[ObjectIdentifier(node)] = declaration.id
        pending.append(declaration.id)
        return declaration.id
    }

    /// The file and the pointer that a schema refers to, if it is only a reference to another file.
    private static func placeInOtherFile(_ node: Node) -> String? {
        guard node.members.count == 1, let reference = References.reference(of: node) else { return nil }
        let (path, fragment) = References.parts(of: reference)
        return path == node.file.path ? nil : "\(path)#\(fragment)"
    }

    /// Where a schema is in the document: in a component that several requests and `allOf` lead to.
    private func lexicalOwner(of node: Node, named name: String) -> (Declaration.Owner, String)? {
        var current = node.parent
        while let parent = current {
            if let id = ids[ObjectIdentifier(parent)] { return (Self.scope(of: declarations[id], resolver), name) }
            if parent.isComponent { return (Self.scope(of: declarations[declare(parent)], resolver), name) }
            // An operation can be in another file than the document, but its types are in its request.
            if operations.contains(ObjectIdentifier(parent)) { return nil }
            if parent.parent?.parent?.key == "components", let key = parent.key, let kind = parent.parent?.key {
                let suffix = ["responses": "-response", "requestBodies": "-body"][kind] ?? ""
                return (.module, key.lowercased().hasSuffix(suffix.dropFirst()) ? key : key + suffix)
            }
            current = parent.parent
        }
        guard !node.isSynthetic, node.file !== rootFile else { return nil }
        let file = node.file.path.split(separator: "/").last?.split(separator: ".").first.map(String.init)
        return (.module, file ?? name)
    }

    /// A declaration as the owner of others: an alias cannot contain them, so those of its elements are beside it.
    private static func scope(of declaration: Declaration, _ resolver: SchemaResolver) -> Declaration.Owner {
        switch resolver.resolve(declaration.node).shape {
        case .object, .union: .declaration(declaration.id)
        case .any, .null, .scalar, .enumeration, .array, .dictionary, .reference: declaration.owner
        }
    }

    private func element(_ node: Node?, _ name: String, _ owner: Declaration.Owner) -> SwiftType {
        guard let node else { return .json }
        let use = use(node, named: name, in: owner)
        return use.isNullable && use.type != .json ? .optional(use.type) : use.type
    }

    private func fill(_ declaration: Declaration) {
        let owner = Declaration.Owner.declaration(declaration.id)
        let resolved = resolver.resolve(declaration.node)
        switch resolved.shape {
        case .object(let object): declaration.content = .structure(structure(object, owner))
        case .enumeration(let list):
            declaration.content =
                list.constant == nil ? .enumeration(list) : .alias(list.kind == .string ? .string : .int)
        case .union(let union): declaration.content = .union(self.union(union, owner))
        case .any, .null: declaration.content = .alias(.json)
        case .scalar(let scalar): declaration.content = .alias(SwiftType(scalar))
        case .array(let node):
            let name = SwiftName.singular(declaration.wantedName)
            declaration.content = .alias(.array(element(node, name, declaration.owner)))
        case .dictionary(let node):
            declaration.content = .alias(
                .dictionary(element(node, declaration.wantedName + "-value", declaration.owner)))
        case .reference(let target):
            declaration.content = .alias(use(target: target, named: declaration.wantedName, in: declaration.owner).type)
        }
    }

    private func structure(_ object: ObjectShape, _ owner: Declaration.Owner) -> Declaration.Structure {
        let properties = object.properties.map { property in
            let use = use(property.schema, named: property.name, in: owner)
            let schema = reader.schema(of: property.schema)
            return Declaration.Property(
                jsonName: property.name, schema: property.schema, type: use.type, isRequired: property.isRequired,
                isNullable: use.isNullable, isReadOnly: schema.isReadOnly, isWriteOnly: schema.isWriteOnly,
                constant: use.constant, documentation: Documentation.lines(ofProperty: schema, constant: use.constant))
        }
        let additional: SwiftType? =
            switch object.additional {
            case .ignored: nil
            case .any: .json
            case .schema(let node): element(node, "additional-value", owner)
            }
        return Declaration.Structure(properties: properties, additional: additional)
    }

    private func union(_ union: Union, _ owner: Declaration.Owner) -> Declaration.UnionModel {
        let cases = union.branches.enumerated().map { index, branch in
            let name = caseName(branch)
            let use = use(branch.schema, named: name, in: owner)
            return Declaration.UnionModel.Case(wantedName: name, type: use.type, branch: index)
        }
        if union.isAnyOf, cases.contains(where: { $0.type.declarations.isEmpty == false }) { noteAnyOf(union) }
        return Declaration.UnionModel(cases: cases, decision: UnionDecider.decision(of: union, resolver))
    }

    /// A value of `anyOf` can have members of several branches, of which only one is kept.
    private func noteAnyOf(_ union: Union) {
        let objects = union.branches.filter { resolver.facts(of: $0.schema).kinds == [.object] }
        guard objects.count > 1 else { return }
        let message = "a value of `anyOf` is read as one branch; members that only another branch knows are lost"
        reader.report(.note, .union, message, union.node)
    }

    private func caseName(_ branch: Union.Branch) -> String {
        if let name = branch.name ?? branch.schema.referencedName { return name }
        switch resolver.resolveReferences(branch.schema) {
        case .any, .null: return "value"
        case .scalar(let scalar):
            switch scalar {
            case .boolean: return "boolean"
            case .integer, .int64, .uint64: return "integer"
            case .number, .decimal: return "number"
            case .string, .base64, .binary: return "string"
            case .dateTime, .date: return "date"
            }
        case .enumeration(let list): return list.constant?.text ?? "known"
        case .array(let element):
            guard let element else { return "array" }
            return caseName(Union.Branch(schema: element)) + "s"
        case .dictionary: return "dictionary"
        case .object(let object):
            let constants = object.properties.compactMap { property -> String? in
                guard case .enumeration(let list) = resolver.resolveReferences(property.schema) else { return nil }
                return list.constant?.text
            }
            return constants.first ?? "object"
        case .union: return "union"
        case .reference(let target): return Self.name(of: target)
        }
    }
}

extension Enumeration {
    /// The only value, which needs no type.
    var constant: Node? { values.count == 1 && kind != .mixed ? values.first?.node : nil }
}

extension Node {
    /// Whether this is one of the components' schemas.
    var isComponent: Bool { parent?.key == "schemas" && parent?.parent?.key == "components" }
}
