/// Finds the Swift types of schemas, and declares those that have a name.
final class TypeBuilder {
    let resolver: SchemaResolver
    private(set) var declarations: [Declaration] = []
    /// The declarations that the generated code has.
    var written: [Declaration] { declarations.filter(\.isWritten) }
    private var ids: [Schema: Int] = [:]
    /// The declarations whose schemas have not been read.
    private var pending: [Int] = []
    var reader: DocumentReader { resolver.reader }
    let places: SchemaPlaces
    /// The values by which discriminators know structs, by the structs' declarations.
    var tags: [Int: Set<Tag>] = [:]
    /// The properties of the discriminators of unions with structs, by the structs' declarations.
    var discriminators: [Int: Set<String>] = [:]
    /// The types that aliases stand for, by their declarations.
    var aliasedTypes: [Int: SwiftType] = [:]
    /// The declarations for formats with custom types.
    private var formats: [Scalar: Declaration] = [:]

    /// A property, or one of a property's value, and its value in one branch of a union.
    struct Tag: Hashable {
        let path: [String]
        let value: String

        /// The last property of the path.
        var property: String { path[path.count - 1] }
    }

    /// The maximum number of types.
    static let maximumCount = 20_000
    /// The maximum number of types that are declared in each other.
    static let maximumDepth = 50

    init(_ resolver: SchemaResolver, _ document: APIDocument) {
        self.resolver = resolver
        places = SchemaPlaces(document)
    }

    /// Declares the type of a component or of another schema that is referred to.
    @discardableResult
    func declare(_ schema: Schema, named name: String? = nil) -> Int {
        declaration(of: schema, named: name ?? SchemaPlaces.name(of: schema.node), in: .module)
    }

    /// Returns the type of a schema.
    ///
    /// - Parameters:
    ///   - name: The name of its declaration, if it needs one.
    ///   - owner: Where that is declared.
    func use(_ schema: Schema, named name: String, in owner: Declaration.Owner) -> TypeUse {
        let resolved = resolver.resolve(schema)
        // A schema that something else refers to, or a component.
        if let id = ids[schema] {
            return TypeUse(
                type: .declared(id), isNullable: resolver.isNullable(schema),
                constant: resolver.constant(ofBoolean: schema))
        }
        if resolver.customTypes[schema] != nil {
            let id = declaration(of: schema, named: name, in: owner)
            return TypeUse(type: .declared(id), isNullable: resolver.isNullable(schema))
        }
        let type: SwiftType
        switch resolved.shape {
        case .any, .null: type = .json
        case .scalar(let scalar): type = self.type(of: scalar, schema)
        case .array(let element): type = .array(self.element(element, SwiftName.singular(name), owner))
        case .dictionary(let values): type = .dictionary(element(values, SwiftName.singular(name), owner))
        case .reference(let target):
            var use = self.use(target: target, named: name, in: owner)
            use.isNullable = use.isNullable || resolved.isNullable
            return use
        case .enumeration(let list) where list.single != nil: return use(singleOf: schema, list)
        case .enumeration, .object, .union: type = .declared(declaration(of: schema, named: name, in: owner))
        }
        return TypeUse(type: type, isNullable: resolved.isNullable, constant: resolver.constant(ofBoolean: schema))
    }

    /// Returns the type of a schema that another one refers to.
    private func use(target: Schema, named name: String, in owner: Declaration.Owner) -> TypeUse {
        if case .enumeration(let list) = resolver.resolveReferences(target), list.single != nil,
            resolver.customTypes[target] == nil
        {
            return use(singleOf: target, list)
        }
        if isAnonymous(target) { return use(target, named: name, in: owner) }
        return TypeUse(
            type: .declared(declare(target)), isNullable: resolver.isNullable(target),
            constant: resolver.constant(ofBoolean: target))
    }

    private func use(singleOf schema: Schema, _ list: Enumeration) -> TypeUse {
        TypeUse(
            type: list.kind == .string ? .string : .int, isNullable: resolver.isNullable(schema),
            constant: list.constant, known: list.single)
    }

    /// Declares the error documents of operations, one case for each status.
    func declare(
        _ documents: [Declaration.ErrorDocument], like node: Node, named name: String, in owner: Declaration.Owner
    ) -> SwiftType {
        let declaration = Declaration(
            id: declarations.count, schema: nil, node: node, owner: owner, depth: 0, wantedName: name)
        declaration.content = .errors(documents)
        declaration.documentation = ["The error documents, by the status of the response."]
        declarations.append(declaration)
        return .declared(declaration.id)
    }

    /// Reads the schemas of all declarations, and of those that they lead to.
    func complete() {
        while let id = pending.popLast() {
            fill(declarations[id])
            if reader.isExceeded { return }
        }
        for (id, tags) in declaredTags() { setDefaults(tags, of: declarations[id]) }
        for (id, names) in discriminators { markProperties(names, of: declarations[id]) }
    }

    /// Returns the type of a scalar.
    func type(of scalar: Scalar, _ schema: Schema) -> SwiftType {
        guard case .custom(let format, _) = scalar, case .custom(let type)? = resolver.formats[format] else {
            return SwiftType(scalar)
        }
        let declaration =
            formats[scalar]
            ?? Declaration(
                id: declarations.count, schema: nil, node: schema.node, owner: .module, depth: 0, wantedName: type.type)
        if declaration.id == declarations.count {
            declaration.content = .alias(SwiftType(scalar))
            declaration.custom = Declaration.Custom(type: type, format: format)
            declarations.append(declaration)
            formats[scalar] = declaration
        }
        declaration.custom?.add(examplesOf: schema)
        return .declared(declaration.id)
    }

    // MARK: Declarations

    /// Whether a schema needs no name, although something refers to it: it is in the middle of another one, and has no
    /// members.
    private func isAnonymous(_ schema: Schema) -> Bool {
        if ids[schema] != nil || schema.node.isComponent || resolver.customTypes[schema] != nil { return false }
        switch resolver.resolve(schema).shape {
        case .any, .null, .scalar: return true
        case .enumeration, .array, .dictionary, .object, .union, .reference: return false
        }
    }

    private func declaration(of schema: Schema, named name: String, in owner: Declaration.Owner) -> Int {
        if let id = ids[schema] { return id }
        if places.isComponentOfOtherFile(schema.node), let target = resolver.schemas.next(of: schema) {
            let id = declaration(of: target, named: name, in: .module)
            ids[schema] = id
            return id
        }
        // The search can declare the schema itself, which is in a circle of others then.
        let (owner, name) = place(of: schema, named: name, in: owner)
        if let id = ids[schema] { return id }
        var depth = 0
        if case .declaration(let id) = owner { depth = declarations[id].depth + 1 }
        if depth >= Self.maximumDepth {
            reader.exceed("types are nested more than \(Self.maximumDepth) deep", schema.node)
        } else if declarations.count >= Self.maximumCount {
            reader.exceed("the document needs more than \(Self.maximumCount) types", schema.node)
        }
        let declaration = Declaration(
            id: declarations.count, schema: schema, node: schema.node, owner: owner, depth: depth, wantedName: name)
        declaration.documentation = Documentation.lines(of: schema)
        declaration.isDeprecated = schema.isDeprecated
        if let custom = resolver.customTypes[schema] {
            declaration.custom = Declaration.Custom(type: custom, format: schema.format)
            declaration.custom?.add(examplesOf: schema)
        }
        declarations.append(declaration)
        ids[schema] = declaration.id
        pending.append(declaration.id)
        return declaration.id
    }

    /// Where a type is declared, and its name there.
    private func place(
        of schema: Schema, named name: String, in owner: Declaration.Owner
    ) -> (Declaration.Owner, String) {
        if let component = places.componentName(of: schema.node) { return (.module, component) }
        // What a request or a property brings along is declared there.
        guard owner != .module, !schema.isDerived else { return (owner, name) }
        switch places.surroundings(of: schema.node, isDeclared: { ids[reader.schemas[$0]] != nil }) {
        case .schema(let parent):
            return (scope(of: declare(reader.schemas[parent])), name)
        case .shared(let name): return (.module, name)
        case .operation, .nothing: return (owner, name)
        }
    }

    /// A declaration as the owner of others: an alias cannot contain them, so those of its elements are beside it. So
    /// are those of a custom type.
    private func scope(of id: Int) -> Declaration.Owner {
        guard declarations[id].custom == nil else { return declarations[id].owner }
        switch declarations[id].schema.map({ resolver.resolve($0).shape }) {
        case .object, .union: return .declaration(id)
        default: return declarations[id].owner
        }
    }

    /// Returns the type of the elements of an array, or of the values of a dictionary.
    func element(_ schema: Schema?, _ name: String, _ owner: Declaration.Owner) -> SwiftType {
        guard let schema else { return .json }
        let use = use(schema, named: name, in: owner)
        return use.isNullable && use.type != .json ? .optional(use.type) : use.type
    }

    private func fill(_ declaration: Declaration) {
        // The types of the parts of a custom type are written only if something else has them too.
        let owner = declaration.custom == nil ? Declaration.Owner.declaration(declaration.id) : declaration.owner
        guard let schema = declaration.schema else { return }
        switch resolver.resolve(schema).shape {
        case .object(let object):
            declaration.content = .structure(structure(object, owner))
            checkRequired(of: schema, object)
        case .enumeration(let list):
            declaration.content =
                list.single == nil ? .enumeration(list) : .alias(list.kind == .string ? .string : .int)
        case .union(let union): declaration.content = .union(self.union(union, owner))
        case .any, .null: declaration.content = .alias(.json)
        case .scalar(let scalar): declaration.content = .alias(type(of: scalar, schema))
        case .array(let element):
            let name = SwiftName.singular(declaration.wantedName)
            declaration.content = .alias(.array(self.element(element, name, declaration.owner)))
        case .dictionary(let values):
            declaration.content = .alias(
                .dictionary(element(values, declaration.wantedName + "-value", declaration.owner)))
        case .reference(let target):
            declaration.content = .alias(use(target: target, named: declaration.wantedName, in: declaration.owner).type)
        }
    }

    /// Reports required members that a struct does not have.
    private func checkRequired(of schema: Schema, _ object: ObjectShape) {
        guard object.additional.isIgnored else { return }
        let names = Set(object.properties.map(\.name))
        let lists = ([schema] + schema.allOf).compactMap { $0["required"]?.elements }
        for name in lists.joined() {
            guard let text = name.string, !names.contains(text) else { continue }
            reader.report(
                .warning, .schema, "the required \"\(text)\" is not among the properties, and is ignored", name)
        }
    }

    private func structure(_ object: ObjectShape, _ owner: Declaration.Owner) -> Declaration.Structure {
        let properties = object.properties.map { property in
            let use = use(property.schema, named: property.name, in: owner)
            return Declaration.Property(
                jsonName: property.name, schema: property.schema, type: use.type, isRequired: property.isRequired,
                isNullable: use.isNullable, isReadOnly: property.schema.isReadOnly,
                isWriteOnly: property.schema.isWriteOnly, constant: use.constant,
                documentation: Documentation.lines(ofProperty: property.schema, use))
        }
        let additional: SwiftType? =
            switch object.additional {
            case .unsaid, .forbidden: nil
            case .any: .json
            case .schema(let values): element(values, "additional-value", owner)
            }
        return Declaration.Structure(properties: properties, additional: additional)
    }
}
