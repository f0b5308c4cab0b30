/// The values that a schema describes, after references, `allOf` and unions are resolved.
enum Shape {
    case any
    case null
    case scalar(Scalar)
    case enumeration(Enumeration)
    /// An array with the schema of its elements; `nil` for any elements.
    case array(Schema?)
    /// An object with any member names, and the schema of its values; `nil` for any values.
    case dictionary(Schema?)
    case object(ObjectShape)
    case union(Union)
    /// The values of a schema that another one refers to.
    case reference(Schema)
}

/// A value without parts.
enum Scalar: Hashable {
    case boolean
    case integer
    case int64
    case uint64
    case number
    case decimal
    case string
    case dateTime
    case date
    case uuid
    case url
    /// Bytes in Base64.
    case base64
    /// Bytes as they are.
    case binary
    /// A value of a format with a custom type.
    case custom(format: String, JSONKind)

    /// The kind of JSON value.
    var kind: JSONKind {
        switch self {
        case .boolean: .boolean
        case .integer, .int64, .uint64: .integer
        case .number, .decimal: .number
        case .string, .dateTime, .date, .uuid, .url, .base64, .binary: .string
        case .custom(_, let kind): kind
        }
    }

    /// Whether the type of these values is also decoded from JSON of another kind.
    func accepts(_ other: JSONKind) -> Bool {
        let numbers: Set<JSONKind> = [.integer, .number]
        return kind == other || numbers.contains(kind) && numbers.contains(other)
    }
}

/// A list of known values.
struct Enumeration {
    enum Kind {
        case string
        case integer
        case mixed
    }

    struct Value {
        let node: Node
        /// The name that the document gives the value.
        let name: String?
        let description: String?
    }

    let kind: Kind
    let values: [Value]
    /// Whether the schema also accepts any other value of the kind.
    var isOpen = false

    /// The only known value, which needs no type.
    var single: Node? { values.count == 1 && kind != .mixed ? values.first?.node : nil }
    /// The only value.
    var constant: Node? { isOpen ? nil : single }
}

/// An object with known members.
struct ObjectShape {
    struct Property {
        let name: String
        let schema: Schema
        let isRequired: Bool
    }

    let properties: [Property]
    let additional: SchemaKeys.Additional
}

/// A value of one of several schemas.
struct Union {
    struct Branch {
        var schema: Schema
        /// The values of the discriminator for this branch.
        var discriminatorValues: [String] = []
        /// A name for the case; `nil` derives it from the schema.
        var name: String?

        /// This branch with another schema. Its case keeps the name.
        func with(_ schema: Schema) -> Branch {
            Branch(schema: schema, discriminatorValues: discriminatorValues, name: name ?? self.schema.referencedName)
        }
    }

    let schema: Schema
    var branches: [Branch]
    /// The property that says which branch a value has.
    let discriminator: String?
    /// Whether one schema describes all members of each branch; `anyOf` allows values of several branches.
    let isAnyOf: Bool
    /// Whether one branch accepts any value.
    let acceptsAny: Bool

    /// The texts of the discriminator for each branch: by the mapping, else by the branch's own constants, else by its
    /// name.
    func texts(of discriminator: String, _ facts: [SchemaFacts]) -> [[String]] {
        let values = branches.enumerated().flatMap { index, branch in branch.discriminatorValues.map { ($0, index) } }
        let owners = Dictionary(values) { first, _ in first }
        return branches.indices.map { index in
            let branch = branches[index]
            // The constants of a parent are those of its children, which can be branches too.
            let isUnion = facts[index].memberSchemas.isEmpty
            let own = (facts[index].constants[discriminator] ?? []).filter {
                !isUnion || owners[$0] ?? index == index
            }
            let isName = branch.discriminatorValues == [branch.schema.referencedName ?? ""]
            return isName && !own.isEmpty || branch.discriminatorValues.isEmpty ? own : branch.discriminatorValues
        }
    }
}

/// A shape, and whether null is a value too.
struct Resolved {
    var shape: Shape
    var isNullable: Bool
}
