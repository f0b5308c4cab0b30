/// Finds the Swift types of schemas, and declares those that have a name.
final class TypeBuilder {
    let resolver: SchemaResolver
    private(set) var declarations: [Declaration] = []
    private var ids: [ObjectIdentifier: Int] = [:]
    /// The declarations whose schemas have not been read.
    private var pending: [Int] = []
    var reader: DocumentReader { resolver.reader }
    private let places: SchemaPlaces
    /// The values by which discriminators know structs, by the structs' declarations.
    var tags: [Int: Set<Tag>] = [:]
    /// The types that aliases stand for, by their declarations.
    var aliasedTypes: [Int: SwiftType] = [:]

    /// A property, and its value in one branch of a union.
    struct Tag: Hashable {
        let property: String
        let value: String
    }

    /// The maximum number of types.
    static let maximumCount = 20_000
    /// The maximum number of types that are declared in each other.
    static let maximumDepth = 50
    /// Whether there are more types than that.
    private var isFull = false

    init(_ resolver: SchemaResolver, _ document: APIDocument) {
        self.resolver = resolver
        places = SchemaPlaces(document)
    }

    /// Declares the type of a component or of another schema that is referred to.
    @discardableResult
    func declare(_ node: Node, named name: String? = nil) -> Int {
        declaration(of: node, named: name ?? SchemaPlaces.name(of: node), in: .module)
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

    /// Declares the error documents of operations, one case for each status.
    func declare(
        _ documents: [Declaration.ErrorDocument], like node: Node, named name: String, in owner: Declaration.Owner
    ) -> SwiftType {
        let declaration = Declaration(id: declarations.count, node: node, owner: owner, depth: 0, wantedName: name)
        declaration.content = .errors(documents)
        declaration.documentation = ["The error documents, by the status of the response."]
        declarations.append(declaration)
        return .declared(declaration.id)
    }

    /// Reads the schemas of all declarations, and of those that they lead to.
    func complete() {
        while let id = pending.popLast() {
            fill(declarations[id])
            if isFull || resolver.isTooDeep { return }
        }
        for (id, tags) in tags { setDefaults(tags, of: declarations[id]) }
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
        if places.isComponentOfOtherFile(node), let target = reader.references.resolve(node["$ref"] ?? node) {
            let id = declaration(of: target, named: name, in: .module)
            ids[ObjectIdentifier(node)] = id
            return id
        }
        // The search can declare the schema itself, which is in a circle of others then.
        let (owner, name) = place(of: node, named: name, in: owner)
        if let id = ids[ObjectIdentifier(node)] { return id }
        var depth = 0
        if case .declaration(let id) = owner { depth = declarations[id].depth + 1 }
        if !isFull, declarations.count >= Self.maximumCount || depth >= Self.maximumDepth {
            isFull = true
            let message =
                depth >= Self.maximumDepth
                ? "types are nested more than \(Self.maximumDepth) deep"
                : "the document needs more than \(Self.maximumCount) types"
            reader.report(.error, .limit, message, node)
        }
        let declaration = Declaration(
            id: declarations.count, node: node, owner: owner, depth: depth, wantedName: name)
        let schema = reader.schema(of: node)
        declaration.documentation = Documentation.lines(of: schema)
        declaration.isDeprecated = schema.isDeprecated
        declarations.append(declaration)
        ids[ObjectIdentifier(node)] = declaration.id
        pending.append(declaration.id)
        return declaration.id
    }

    /// Where a type is declared, and its name there.
    private func place(of node: Node, named name: String, in owner: Declaration.Owner) -> (Declaration.Owner, String) {
        if let component = places.componentName(of: node) { return (.module, component) }
        // What a request or a property brings along is declared there.
        guard owner != .module else { return (owner, name) }
        switch places.surroundings(of: node, isDeclared: { ids[ObjectIdentifier($0)] != nil }) {
        case .schema(let parent): return (Self.scope(of: declarations[declare(parent)], resolver), name)
        case .shared(let name): return (.module, name)
        case .operation, .nothing: return (owner, name)
        }
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
        case .object(let object):
            declaration.content = .structure(structure(object, owner))
            checkRequired(of: declaration.node, object)
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

    /// Reports required members that a struct does not have.
    private func checkRequired(of node: Node, _ object: ObjectShape) {
        guard case .ignored = object.additional else { return }
        let names = Set(object.properties.map(\.name))
        let lists = ([node] + (node["allOf"]?.elements ?? [])).compactMap { $0["required"]?.elements }
        for name in lists.joined() {
            guard let text = name.string, !names.contains(text) else { continue }
            reader.report(
                .warning, .schema, "the required \"\(text)\" is not among the properties, and is ignored", name)
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
}

extension Enumeration {
    /// The only value, which needs no type.
    var constant: Node? { values.count == 1 && kind != .mixed ? values.first?.node : nil }
}
