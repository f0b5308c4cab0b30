import Errand

/// What the schemas of a value say together: a schema, those that it refers to, and the parts that it is made of.
struct SchemaShape {
    let schemas: [String: JSONValue]

    /// The members that schemas declare.
    struct Members: Hashable {
        var names: Set<String> = []
        /// Those that only the server sends.
        var readOnly: Set<String> = []

        mutating func formUnion(_ other: Members) {
            names.formUnion(other.names)
            readOnly.formUnion(other.readOnly)
        }

        func union(_ other: Members) -> Members {
            Members(names: names.union(other.names), readOnly: readOnly.union(other.readOnly))
        }
    }

    /// The kinds of values that a schema names.
    func kinds(of schema: JSONValue) -> Set<String> {
        var visited: Set<String> = []
        return kinds(of: schema, &visited)
    }

    private func kinds(of schema: JSONValue, _ visited: inout Set<String>) -> Set<String> {
        var kinds = Set(schema.kinds)
        for part in parts(of: schema, at: "", &visited) { kinds.formUnion(self.kinds(of: part.schema, &visited)) }
        if kinds.isEmpty, schema["items"] != nil { kinds.insert("array") }
        if kinds.isEmpty, schema["properties"] != nil { kinds.insert("object") }
        return kinds
    }

    /// The schema of arrays in a schema, and its place.
    func arraySchema(_ schema: JSONValue, at pointer: String) -> (JSONValue, String)? {
        var visited: Set<String> = []
        return arraySchema(schema, at: pointer, &visited)
    }

    private func arraySchema(
        _ schema: JSONValue, at pointer: String, _ visited: inout Set<String>
    ) -> (JSONValue, String)? {
        if schema["items"] != nil || schema.kinds.contains("array") { return (schema, pointer) }
        for part in parts(of: schema, at: pointer, &visited) {
            if let found = arraySchema(part.schema, at: part.pointer, &visited) { return found }
        }
        return nil
    }

    /// Whether a schema takes an array without elements, which clients send as nothing.
    func takesEmptyArray(_ schema: JSONValue) -> Bool {
        guard kinds(of: schema).contains("array"), let (array, _) = arraySchema(schema, at: "") else { return false }
        return max(array["minItems"]?.int ?? 0, schema["minItems"]?.int ?? 0) <= 0
    }

    /// The members that a schema declares.
    func members(of schema: JSONValue) -> Members {
        var visited: Set<String> = []
        return members(of: schema, &visited)
    }

    private func members(of schema: JSONValue, _ visited: inout Set<String>) -> Members {
        var members = ownMembers(of: schema)
        for part in parts(of: schema, at: "", &visited) { members.formUnion(self.members(of: part.schema, &visited)) }
        return members
    }

    /// The members that a schema declares beside a part of it: `properties`, `$ref`, `allOf/0`, `oneOf` or `anyOf`.
    func members(beside part: String, in schema: JSONValue) -> Members {
        var rest = schema.object ?? [:]
        let parts = part.split(separator: "/")
        if parts.count > 1, let index = Int(parts[1]), case .array(var elements)? = rest["allOf"] {
            elements.remove(at: index)
            rest["allOf"] = .array(elements)
        } else {
            rest[part] = nil
        }
        return members(of: .object(rest))
    }

    /// The members that a schema declares itself.
    func ownMembers(of schema: JSONValue) -> Members {
        let properties = schema["properties"]?.object ?? [:]
        return Members(names: Set(properties.keys), readOnly: Set(properties.filter { isReadOnly($0.value) }.keys))
    }

    /// The schema at the end of a chain of references, and its place.
    func resolved(_ schema: JSONValue, at pointer: String) -> (JSONValue, String) {
        var (schema, pointer, visited) = (schema, pointer, Set<String>())
        while let reference = schema["$ref"]?.string, let target = schemas[reference],
            visited.insert(reference).inserted
        {
            (schema, pointer) = (target, reference)
        }
        return (schema, pointer)
    }

    private func isReadOnly(_ schema: JSONValue) -> Bool {
        schema["readOnly"] == true || schema["$ref"]?.string.flatMap { schemas[$0] }?["readOnly"] == true
    }

    /// The schemas of the same value in a schema, without references that were visited before.
    private func parts(
        of schema: JSONValue, at pointer: String, _ visited: inout Set<String>
    ) -> [(schema: JSONValue, pointer: String)] {
        var parts: [(schema: JSONValue, pointer: String)] = []
        if let reference = schema["$ref"]?.string, let target = schemas[reference],
            visited.insert(reference).inserted
        {
            parts.append((target, reference))
        }
        for key in ["allOf", "oneOf", "anyOf"] {
            for (index, part) in (schema[key]?.array ?? []).enumerated() {
                parts.append((part, "\(pointer)/\(key)/\(index)"))
            }
        }
        return parts
    }
}
