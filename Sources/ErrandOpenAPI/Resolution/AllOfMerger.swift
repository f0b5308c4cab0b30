internal import Foundation

/// Resolves `allOf`: a value that fits several schemas.
struct AllOfMerger {
    private let resolver: SchemaResolver
    private var reader: DocumentReader { resolver.reader }

    /// The schemas that restrict the value, without references and nested `allOf`, and the members that it must have.
    private struct Pieces {
        var nodes: [Node] = []
        var required: Set<String> = []
        var seen: Set<ObjectIdentifier> = []
    }

    /// The different schemas of a property in several parts.
    private struct PropertySchemas {
        var nodes: [Node] = []
        var targets: Set<ObjectIdentifier> = []
        var distinct = DistinctNodes()
    }

    init(_ resolver: SchemaResolver) {
        self.resolver = resolver
    }

    func merge(_ schema: Schema) -> Resolved {
        let rest = resolver.withoutKeys(["allOf"], schema)
        var parts = (schema.allOf + (rest.map { [$0] } ?? [])).filter { !isAnnotation($0) }
        // Null is a value only if all parts accept it.
        let isNullable = !parts.isEmpty && parts.allSatisfy { resolver.isNullable($0) }
        // A part that repeats the kind of another one changes nothing.
        let known = parts
        parts.removeAll { part in
            reader.schema(of: part).saysOnlyKind && known.contains { $0 !== part && resolver.repeatsKind(part, of: $0) }
        }
        var pieces = Pieces()
        pieces.required.formUnion(schema.required)
        pieces.seen.insert(ObjectIdentifier(schema.node))
        for part in schema.allOf + (rest.map { [$0] } ?? []) { flatten(part, into: &pieces, depth: 0) }
        if parts.count == 1, let only = parts.first, pieces.required.isSubset(of: required(only)),
            !isChild(schema.node, of: only)
        {
            var resolved = resolver.resolve(only)
            resolved.isNullable = known.count == 1 ? resolved.isNullable || isNullable : isNullable
            return resolved
        }
        guard let origin = pieces.nodes.first else { return Resolved(shape: .any, isNullable: false) }
        return Resolved(shape: merged(pieces, like: parts.first ?? origin, schema), isNullable: isNullable)
    }

    /// Whether a component extends a schema with a discriminator, which is a union of such components.
    private func isChild(_ node: Node, of parent: Node) -> Bool {
        guard let target = reader.target(of: parent),
            reader.schema(of: target).discriminator != nil || resolver.unionMembers.contains(ObjectIdentifier(target))
        else { return false }
        return resolver.isChild(node, of: target)
    }

    /// Whether a schema, or the one that it refers to, only describes.
    private func isAnnotation(_ node: Node) -> Bool {
        guard References.reference(of: node) != nil else { return resolver.isAnnotation(node) }
        return reader.target(of: node).map { resolver.isAnnotation($0) } ?? true
    }

    /// The members that values of a schema must have.
    func required(_ node: Node) -> Set<String> {
        var pieces = Pieces()
        flatten(node, into: &pieces, depth: 0)
        return pieces.required
    }

    /// The names of the properties of a schema, with those of all parts.
    func members(_ node: Node) -> Set<String> {
        var pieces = Pieces()
        flatten(node, into: &pieces, depth: 0)
        return Set(pieces.nodes.flatMap { reader.schema(of: $0).properties.map(\.name) })
    }

    private func flatten(_ node: Node, into pieces: inout Pieces, depth: Int) {
        guard !resolver.isTooDeep, pieces.seen.insert(ObjectIdentifier(node)).inserted else { return }
        // A schema and the reference to it count once each.
        guard depth < 2 * SchemaResolver.maximumDepth else { return resolver.reportDepth(node) }
        let schema = reader.schema(of: node)
        if let reference = schema.reference {
            if let target = reader.references.resolve(reference) { flatten(target, into: &pieces, depth: depth + 1) }
            if reader.version != .v30, let rest = resolver.withoutKeys(["$ref"], schema) {
                flatten(rest, into: &pieces, depth: depth + 1)
            }
            pieces.required.formUnion(schema.required)
            return
        }
        pieces.required.formUnion(schema.required)
        // A parent lists its children in `oneOf`, and each child has the parent in its `allOf`.
        if depth > 0, !schema.oneOf.isEmpty || !schema.anyOf.isEmpty,
            schema.discriminator != nil || resolver.isParent(schema, ofAny: pieces.seen)
        {
            if let rest = resolver.withoutKeys(["oneOf", "anyOf", "discriminator"], schema) {
                flatten(rest, into: &pieces, depth: depth + 1)
            }
            return
        }
        guard !schema.allOf.isEmpty else {
            if !schema.isUnrestricted { pieces.nodes.append(node) }
            return
        }
        for part in schema.allOf { flatten(part, into: &pieces, depth: depth + 1) }
        if let rest = resolver.withoutKeys(["allOf"], schema) { pieces.nodes.append(rest) }
    }

    // MARK: Shapes

    private func merged(_ pieces: Pieces, like origin: Node, _ schema: Schema) -> Shape {
        var objects: [ObjectShape] = []
        var values: Node??
        var unions: [(node: Node, union: Union)] = []
        var others: [(node: Node, shape: Shape)] = []
        for node in pieces.nodes {
            switch shape(of: node) {
            case .object(let object): objects.append(object)
            case .dictionary(let schema): values = schema
            case .union(let union): unions.append((node, union))
            case .any, .reference: break
            case let shape: others.append((node, shape))
            }
        }
        if let first = others.first {
            if !objects.isEmpty || values != nil, unions.isEmpty { return contradiction(first.node, pieces.nodes) }
            return simple(others, origin)
        }
        if unions.count == 1, let (node, union) = unions.first {
            guard !objects.isEmpty else { return .union(union) }
            if resolver.generation(of: schema.node) < SchemaResolver.maximumGeneration {
                return distribute(union, over: pieces.nodes.filter { $0 !== node }, schema.node)
            }
        }
        if !unions.isEmpty { objects += flattened(unions, origin) }
        guard !objects.isEmpty else { return .dictionary(values ?? nil) }
        return .object(object(objects, values, pieces.required))
    }

    /// The shape of a schema without references and `allOf`.
    private func shape(of node: Node) -> Shape {
        let schema = reader.schema(of: node)
        guard schema.oneOf.isEmpty, schema.anyOf.isEmpty else {
            return resolver.resolveReferences(node)
        }
        return resolver.plain(schema).shape
    }

    private func object(_ objects: [ObjectShape], _ values: Node??, _ required: Set<String>) -> ObjectShape {
        var names: [String] = []
        var schemas: [String: PropertySchemas] = [:]
        var additional = ObjectShape.Additional.ignored
        if case .some(.some(let node)) = values { additional = .schema(node) }
        for object in objects {
            for property in object.properties {
                if schemas[property.name] == nil { names.append(property.name) }
                add(property.schema, to: &schemas[property.name, default: PropertySchemas()])
            }
            switch (object.additional, additional) {
            case (.schema, .ignored), (.schema, .any), (.any, .ignored): additional = object.additional
            default: break
            }
        }
        let properties = names.compactMap { name -> ObjectShape.Property? in
            guard let nodes = schemas[name]?.nodes, let first = nodes.first else { return nil }
            return ObjectShape.Property(
                name: name, schema: resolver.combine(nodes, like: first), isRequired: required.contains(name))
        }
        return ObjectShape(properties: properties, additional: additional)
    }

    /// Adds the schema of a property that occurs in several parts, unless it says nothing new.
    private func add(_ node: Node, to schemas: inout PropertySchemas) {
        if resolver.isAnnotation(node), !schemas.nodes.isEmpty { return }
        if schemas.nodes.count == 1, resolver.isAnnotation(schemas.nodes[0]) { schemas = PropertySchemas() }
        guard schemas.targets.insert(ObjectIdentifier(reader.target(of: node) ?? node)).inserted else { return }
        // Most properties occur once, and need not be compared.
        if schemas.nodes.count == 1 { _ = schemas.distinct.insert(schemas.nodes[0]) }
        guard schemas.nodes.isEmpty || schemas.distinct.insert(node) else { return }
        schemas.nodes.append(node)
    }

    /// Returns the narrowest of several shapes that have no members.
    private func simple(_ shapes: [(node: Node, shape: Shape)], _ origin: Node) -> Shape {
        var result = shapes[0]
        for other in shapes.dropFirst() {
            switch (result.shape, other.shape) {
            case (.enumeration(let left), .enumeration(let right)):
                if right.values.count < left.values.count { result = other }
            case (.enumeration(let list), .scalar(let scalar)) where list.kind == .string && scalar.kind == .string:
                break
            case (.enumeration(let list), .scalar(let scalar)) where list.kind == .integer && scalar.kind != .string:
                break
            case (.enumeration(let list), .scalar) where list.kind == .mixed: break
            case (.scalar, .enumeration): result = other
            case (.scalar(let left), .scalar(let right)) where left.kind == right.kind:
                if left == .string || left == .integer || left == .number { result = other }
            case (.scalar(.number), .scalar(let right)) where right.kind == .integer: result = other
            case (.scalar(let left), .scalar(.number)) where left.kind == .integer: break
            case (.array(let left?), .array(let right?)) where left !== right:
                result = (origin, .array(resolver.combine([left, right], like: left)))
            case (.array, .array(let right)): if right != nil { result = other }
            case (.null, .null): break
            default: return contradiction(result.node, [other.node])
            }
        }
        return result.shape
    }

    /// Reports schemas that no value fits. The server sends some value nevertheless.
    private func contradiction(_ node: Node, _ others: [Node]) -> Shape {
        guard let other = others.first(where: { $0 !== node }) else { return .any }
        let (line, column) = other.file.position(of: other.offset)
        let place = "\(other.file.path):\(line):\(column)"
        let message = "no value fits this schema and the one at \(place); any value is accepted"
        reader.report(.warning, .schema, message, node)
        return .any
    }

    // MARK: Unions

    /// Returns a union whose branches also fit the other schemas.
    private func distribute(_ union: Union, over rest: [Node], _ whole: Node) -> Shape {
        let branches = union.branches.map { branch in
            var combined = branch
            if combined.name == nil { combined.name = branch.schema.referencedName }
            combined.schema = resolver.combine(rest + [branch.schema], asBranchOf: whole, like: branch.schema)
            return combined
        }
        return .union(
            Union(
                node: union.node, branches: branches, discriminator: union.discriminator, isAnyOf: union.isAnyOf,
                acceptsAny: union.acceptsAny))
    }

    /// Returns the members of all branches, which are optional, for a value that fits several unions.
    private func flattened(_ unions: [(node: Node, union: Union)], _ origin: Node) -> [ObjectShape] {
        reader.report(.note, .union, "several unions in one `allOf` become optional members of one struct", origin)
        return unions.flatMap { $0.union.branches }.compactMap { branch in
            guard case .object(let object) = resolver.resolveReferences(branch.schema) else { return nil }
            return ObjectShape(
                properties: object.properties.map {
                    ObjectShape.Property(name: $0.name, schema: $0.schema, isRequired: false)
                }, additional: object.additional)
        }
    }
}

extension Node {
    /// The name of the schema that this one refers to: the last part of the reference.
    var referencedName: String? {
        guard let text = References.reference(of: self)?.string else { return nil }
        let parts = text.split(separator: "#", omittingEmptySubsequences: false)
        let last = (parts.count > 1 ? parts[1] : "").split(separator: "/").last.map(String.init)
        let file = parts.first?.split(separator: "/").last?.split(separator: ".").first.map(String.init)
        return (last ?? file)?.removingPercentEncoding?.replacing("~1", with: "/").replacing("~0", with: "~")
    }
}
