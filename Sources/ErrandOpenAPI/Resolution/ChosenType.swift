internal import ErrandJSON

/// The type of a schema or of a format in the configuration: a type that the generator knows, or a custom type.
enum ChosenType: Decodable, Hashable {
    case known(Scalar)
    case custom(CustomType)

    /// A faulty value.
    struct Fault: Error {
        let message: String
    }

    /// The known types by their names in Swift.
    static let known: [String: Scalar] = [
        "String": .string, "Bool": .boolean, "Int": .integer, "Int64": .int64, "UInt64": .uint64, "Double": .number,
        "Decimal": .decimal, "Date": .dateTime, "CalendarDate": .date, "Data": .base64, "UUID": .uuid, "URL": .url,
    ]

    init(from decoder: any Decoder) throws {
        guard let name = try? decoder.singleValueContainer().decode(String.self) else {
            self = .custom(try CustomType(from: decoder))
            return
        }
        guard let scalar = Self.known[name] else {
            let hint = SimilarNames.hint(for: name, among: Self.known.keys.sorted())
            let object = "{\"type\": \(name.jsonLiteral), \"import\": \"MoneyKit\"}"
            throw Fault(message: "\"\(name)\" is unknown\(hint.isEmpty ? "; a custom type is \(object)" : hint)")
        }
        self = .known(scalar)
    }
}

/// A type that the generator does not write: one of another module, or one beside the generated code.
struct CustomType: Decodable, Hashable {
    /// The name in Swift, as code that imports the module writes it.
    let type: String
    /// The module; `nil` for a type in the module of the client.
    let module: String?
    /// A value for tests and stubs, as JSON.
    let example: JSONValue?

    /// The parts of the name: `MoneyKit` and `Money`. A declaration with the name of the first one would hide the type.
    var names: [String] { type.split(separator: ".", omittingEmptySubsequences: false).map(String.init) }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case type, example
        case module = "import"
    }

    init(type: String, module: String? = nil, example: JSONValue? = nil) {
        (self.type, self.module, self.example) = (type, module, example)
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.singleValueContainer().decode([String: JSONValue].self)
        if let unknown = members.keys.filter({ CodingKeys(stringValue: $0) == nil }).min() {
            let hint = SimilarNames.hint(for: unknown, among: CodingKeys.allCases.map(\.rawValue))
            throw ChosenType.Fault(message: "`\(unknown)` of a custom type is unknown\(hint)")
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard let name = try container.decodeIfPresent(String.self, forKey: .type) else {
            throw ChosenType.Fault(message: "a custom type needs a `type`")
        }
        type = name
        module = try container.decodeIfPresent(String.self, forKey: .module)
        example = try container.decodeIfPresent(JSONValue.self, forKey: .example)
    }
}
