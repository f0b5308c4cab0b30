extension SchemaResolver {
    /// The type of a text, by its format.
    func string(_ schema: Schema) -> Scalar {
        if let chosen = chosenType(of: schema, .string) { return chosen }
        if schema.contentEncoding == "base64" { return .base64 }
        switch schema.format {
        case "date-time": return .dateTime
        case "date": return .date
        case "byte": return .base64
        case "binary": return .binary
        case "decimal": return .string
        case nil where schema.contentMediaType != nil && schema.contentEncoding == nil:
            // Text in another format, such as JSON in a string, is a text.
            return schema.contentMediaType?.hasPrefix("text/") == true
                || schema.contentMediaType?.hasPrefix("application/json") == true ? .string : .binary
        default: return .string
        }
    }

    /// The type of an integer, by its format and its limits.
    func integer(_ schema: Schema) -> Scalar {
        if let chosen = chosenType(of: schema, .integer) { return chosen }
        if exceedsInt64(schema) { return .uint64 }
        switch schema.format {
        case "int64": return .int64
        case "uint", "uint8", "uint16", "uint32", "uint64": return .uint64
        default: return .integer
        }
    }

    /// Whether the limits of an integer include numbers that only an unsigned one has.
    private func exceedsInt64(_ schema: Schema) -> Bool {
        func limit(_ key: String) -> String? { schema[key]?.text.flatMap { Double($0) == nil ? nil : $0 } }
        // As a binary number, the largest `Int64` is as large as the first number after it.
        guard let text = limit("maximum") ?? limit("exclusiveMaximum"), Int64(text) == nil, let maximum = Double(text)
        else { return false }
        let minimum = (limit("minimum") ?? limit("exclusiveMinimum")).flatMap { Double($0) } ?? 0
        let first = Double(sign: .plus, exponent: 63, significand: 1)
        return minimum >= 0 && maximum >= first && maximum <= 2 * first
    }

    /// The type of a number, by its format.
    func number(_ schema: Schema) -> Scalar {
        if let chosen = chosenType(of: schema, .number) { return chosen }
        switch schema.format {
        case "decimal": return .decimal
        case "int64": return .int64
        case "int32", "integer": return .integer
        default: return .number
        }
    }

    // MARK: The configuration

    /// The type that the configuration gives the format of a schema; `nil` without one, or for one that is not decoded
    /// from such values.
    private func chosenType(of schema: Schema, _ kind: JSONKind) -> Scalar? {
        guard let format = schema.format, let type = formats[format] else { return nil }
        usedFormats.insert(format)
        guard case .known(let scalar) = type else { return .custom(format: format, kind) }
        guard scalar.accepts(kind) else {
            let fault = "is decoded from a \(scalar.kind.rawValue), not from this \(kind.rawValue); it is ignored"
            let message = "the type of the format \"\(format)\" \(fault)"
            reader.report(.warning, .configuration, message, schema.node)
            return nil
        }
        return scalar
    }

    /// The custom type of a schema, of the schema that it refers to, or of its format; `nil` without one.
    func customType(of schema: Schema) -> CustomType? {
        var schema = schema
        var seen: Set<Schema> = []
        while seen.insert(schema).inserted {
            if let type = customTypes[schema] { return type }
            guard !open.contains(schema) else { return nil }
            switch resolve(schema).shape {
            case .reference(let target): schema = target
            case .scalar(.custom(let format, _)):
                guard case .custom(let type)? = formats[format] else { return nil }
                return type
            default: return nil
            }
        }
        return nil
    }

    /// Gives a schema the known type of the configuration.
    func choose(_ scalar: Scalar, for schema: Schema, _ resolved: inout Resolved) {
        let shape: Shape
        if case .reference(let target) = resolved.shape {
            if isNullable(target) { resolved.isNullable = true }
            shape = resolveReferences(target)
        } else {
            shape = resolved.shape
        }
        guard shape.kind.map(scalar.accepts) ?? false else {
            let message = "the type of this schema is decoded from a \(scalar.kind.rawValue); it is ignored"
            return reader.report(.warning, .configuration, message, schema.node)
        }
        resolved.shape = .scalar(scalar)
    }
}

extension Shape {
    /// The kind of values without parts; `nil` for others.
    fileprivate var kind: JSONKind? {
        switch self {
        case .scalar(let scalar): scalar.kind
        case .enumeration(let list): list.kind == .string ? .string : list.kind == .integer ? .integer : nil
        case .any, .null, .array, .dictionary, .object, .union, .reference: nil
        }
    }
}
