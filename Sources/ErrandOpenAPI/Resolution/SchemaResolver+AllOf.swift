/// Resolves `allOf`: a value that fits several schemas.
extension SchemaResolver {
    /// The schemas that restrict the value, without references and nested `allOf`, and the members that it must have.
    private struct Pieces {
        var schemas: [Schema] = []
        var required: Set<String> = []
        var seen: Set<Schema> = []
    }

    func allOf(_ schema: Schema) -> Resolved {
        let all = schema.allOf + (rest(of: schema, without: [.allOf]).map { [$0] } ?? [])
        var parts = all.filter { !isAnnotation($0) }
        // Null is a value only if all parts accept it.
        let isNullable = !parts.isEmpty && parts.allSatisfy { self.isNullable($0) }
        // A part that repeats the kind of another one changes nothing.
        let known = parts
        parts.removeAll { part in
            part.saysOnlyKind && known.contains { $0 != part && repeatsKind(part, of: $0) }
        }
        var pieces = Pieces(required: Set(schema.required), seen: [schema])
        for part in all { flatten(part, into: &pieces, depth: 0) }
        if parts.count == 1, let only = parts.first, pieces.required.isSubset(of: required(only)),
            !unionMembers.contains(schema)
        {
            let resolved = resolve(only)
            return Resolved(
                shape: resolved.shape, isNullable: isNullable || known.count == 1 && resolved.isNullable)
        }
        guard let origin = pieces.schemas.first else { return Resolved(shape: .any, isNullable: false) }
        return Resolved(shape: merged(pieces, like: parts.first ?? origin), isNullable: isNullable)
    }

    /// Whether a schema, or the one that it refers to, only describes.
    private func isAnnotation(_ schema: Schema) -> Bool { schemas.target(of: schema)?.isUnrestricted ?? true }

    /// The members that values of a schema must have.
    func required(_ schema: Schema) -> Set<String> { pieces(of: schema).required }

    /// The names of the properties of a schema, with those of all parts.
    func members(_ schema: Schema) -> Set<String> {
        Set(pieces(of: schema).schemas.flatMap { $0.properties.map(\.name) })
    }

    private func pieces(of schema: Schema) -> Pieces {
        var pieces = Pieces()
        flatten(schema, into: &pieces, depth: 0)
        return pieces
    }

    private func flatten(_ schema: Schema, into pieces: inout Pieces, depth: Int) {
        guard !reader.isExceeded, pieces.seen.insert(schema).inserted else { return }
        // A schema and the reference to it count once each.
        guard depth < 2 * Self.maximumDepth else { return reportDepth(schema) }
        pieces.required.formUnion(schema.required)
        if schema.isReference {
            if let target = schemas.next(of: schema) { flatten(target, into: &pieces, depth: depth + 1) }
            if reader.version != .v30, let rest = self.rest(of: schema, without: [.reference]) {
                flatten(rest, into: &pieces, depth: depth + 1)
            }
            return
        }
        // A parent lists its children in `oneOf`, and each child has the parent in its `allOf`.
        if depth > 0, !schema.oneOf.isEmpty || !schema.anyOf.isEmpty,
            isDiscriminatedParent(schema) || isParent(schema, ofAny: pieces.seen)
        {
            if let rest = self.rest(of: schema, without: [.oneOf, .anyOf, .discriminator]) {
                flatten(rest, into: &pieces, depth: depth + 1)
            }
            return
        }
        guard !schema.allOf.isEmpty else {
            if !schema.isUnrestricted { pieces.schemas.append(schema) }
            return
        }
        for part in schema.allOf { flatten(part, into: &pieces, depth: depth + 1) }
        if let rest = self.rest(of: schema, without: [.allOf]) { pieces.schemas.append(rest) }
    }

    // MARK: Shapes

    private func merged(_ pieces: Pieces, like origin: Schema) -> Shape {
        var objects: [ObjectShape] = []
        var values: Schema??
        var unions: [(schema: Schema, union: Union)] = []
        var others: [(schema: Schema, shape: Shape)] = []
        for schema in pieces.schemas {
            switch shape(of: schema) {
            case .object(let object): objects.append(object)
            case .dictionary(let elements): values = elements
            case .union(let union): unions.append((schema, union))
            case .any, .reference: break
            case let shape: others.append((schema, shape))
            }
        }
        if let first = others.first {
            if !objects.isEmpty || values != nil, unions.isEmpty { return contradiction(first.schema, pieces.schemas) }
            return simple(others, origin)
        }
        if unions.count == 1, let (schema, union) = unions.first {
            guard !objects.isEmpty else { return .union(union) }
            return distribute(union, over: pieces.schemas.filter { $0 != schema })
        }
        if !unions.isEmpty { objects += flattened(unions, origin) }
        guard !objects.isEmpty else { return .dictionary(values ?? nil) }
        return .object(object(objects, values, pieces.required))
    }

    /// The shape of a schema without references and `allOf`.
    private func shape(of schema: Schema) -> Shape {
        let isUnion = !schema.oneOf.isEmpty || !schema.anyOf.isEmpty
        return isUnion ? resolveReferences(schema) : plain(schema).shape
    }

    private func object(_ objects: [ObjectShape], _ values: Schema??, _ required: Set<String>) -> ObjectShape {
        var names: [String] = []
        var parts: [String: [Schema]] = [:]
        var additional = SchemaKeys.Additional.unsaid
        if case .some(.some(let schema)) = values { additional = .schema(schema) }
        for object in objects {
            for property in object.properties {
                if parts[property.name] == nil { names.append(property.name) }
                parts[property.name, default: []].append(property.schema)
            }
            switch (object.additional, additional) {
            case (.schema, .unsaid), (.schema, .any), (.any, .unsaid): additional = object.additional
            default: break
            }
        }
        let properties = names.map { name in
            let all = distinct(parts[name] ?? [])
            return ObjectShape.Property(
                name: name, schema: schemas.all(all, at: all[0]), isRequired: required.contains(name))
        }
        return ObjectShape(properties: properties, additional: additional)
    }

    /// Leaves out schemas of a property that say nothing new.
    private func distinct(_ all: [Schema]) -> [Schema] {
        let known = all.filter { !$0.isUnrestricted }
        guard known.count > 1 else { return known.isEmpty ? [all[0]] : known }
        var targets: Set<Schema> = []
        var distinct = DistinctNodes()
        return known.filter {
            targets.insert(schemas.target(of: $0) ?? $0).inserted && ($0.isDerived || distinct.insert($0.node))
        }
    }

    /// Returns the narrowest of several shapes that have no members.
    private func simple(_ shapes: [(schema: Schema, shape: Shape)], _ origin: Schema) -> Shape {
        var result = shapes[0]
        for other in shapes.dropFirst() {
            switch (result.shape, other.shape) {
            case (.enumeration(let left), .enumeration(let right)):
                if right.values.count < left.values.count { result = other }
            case (.enumeration(let list), .scalar(let scalar))
            where list.kind == .mixed || (list.kind == .string) == (scalar.kind == .string): break
            case (.scalar, .enumeration): result = other
            case (.scalar(let left), .scalar(let right)) where left.kind == right.kind:
                if left == .string || left == .integer || left == .number { result = other }
            case (.scalar(.number), .scalar(let right)) where right.kind == .integer: result = other
            case (.scalar(let left), .scalar(.number)) where left.kind == .integer: break
            case (.array(let left?), .array(let right?)) where left != right:
                result = (origin, .array(schemas.all([left, right], at: left)))
            case (.array, .array(let right)): if right != nil { result = other }
            case (.null, .null): break
            default: return contradiction(result.schema, [other.schema])
            }
        }
        return result.shape
    }

    /// Reports schemas that no value fits. The server sends some value nevertheless.
    private func contradiction(_ schema: Schema, _ others: [Schema]) -> Shape {
        guard let other = others.first(where: { $0 != schema })?.node else { return .any }
        let (line, column) = other.file.position(of: other.offset)
        let place = "\(other.file.path):\(line):\(column)"
        let message = "no value fits this schema and the one at \(place); any value is accepted"
        reader.report(.warning, .schema, message, schema.node)
        return .any
    }

    // MARK: Unions

    /// Returns a union whose branches also fit the other schemas.
    private func distribute(_ union: Union, over rest: [Schema]) -> Shape {
        var union = union
        union.branches = union.branches.map { $0.with(schemas.all(rest + [$0.schema], at: $0.schema)) }
        return .union(union)
    }

    /// Returns the members of all branches, which are optional, for a value that fits several unions.
    private func flattened(_ unions: [(schema: Schema, union: Union)], _ origin: Schema) -> [ObjectShape] {
        let message = "several unions in one `allOf` become optional members of one struct"
        reader.report(.note, .union, message, origin.node)
        return unions.flatMap { $0.union.branches }.compactMap { branch in
            guard case .object(let object) = resolveReferences(branch.schema) else { return nil }
            return ObjectShape(
                properties: object.properties.map {
                    ObjectShape.Property(name: $0.name, schema: $0.schema, isRequired: false)
                }, additional: object.additional)
        }
    }
}
