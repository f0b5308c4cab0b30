extension SchemaResolver {
    /// The type of a text, by its format.
    func string(_ schema: Schema) -> Scalar {
        if let format = schema.format, let own = formats[format] { return own }
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
        if let format = schema.format, let own = formats[format] { return own }
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
    func number(_ format: String?) -> Scalar {
        if let format, let own = formats[format] { return own }
        switch format {
        case "decimal": return .decimal
        case "int64": return .int64
        case "int32", "integer": return .integer
        default: return .number
        }
    }
}
