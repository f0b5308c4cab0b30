extension SchemaResolver {
    /// Whether a response is JSON: by its media type or, if that is `*/*`, by a schema that is neither a text nor any
    /// value. Spring describes each response as `*/*`, and writes a text as it is.
    func isJSON(_ content: MediaType) -> Bool {
        guard !content.isJSON, content.type == "*/*", let schema = content.schema else { return content.isJSON }
        switch resolveReferences(schema) {
        case .scalar(let scalar): return scalar.kind != .string
        case .object, .dictionary, .array, .union, .enumeration: return true
        case .any, .null, .reference: return false
        }
    }

    /// The schema of each item of a sequence: that of the document, or that of the elements if lines of JSON or
    /// events are an array.
    func item(of content: MediaType) -> Schema? {
        if let item = content.itemSchema { return item }
        guard content.isJSONLines || content.isEvents, let schema = content.schema,
            case .array(let element?) = resolveReferences(schema)
        else { return nil }
        return element
    }

    /// Whether a schema is for an object without any members.
    func isEmptyObject(_ schema: Schema) -> Bool {
        guard case .object(let object) = resolveReferences(schema), object.additional.isIgnored else {
            return false
        }
        return object.properties.isEmpty
    }
}
