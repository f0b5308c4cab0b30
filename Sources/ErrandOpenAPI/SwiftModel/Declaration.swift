/// A type that the generated code declares.
final class Declaration {
    /// Where a type is declared.
    enum Owner: Hashable {
        case module
        case declaration(Int)
        case request(Int)
    }

    enum Content {
        /// Its schema has not been read yet.
        case pending
        case structure(Structure)
        case enumeration(Enumeration)
        case union(UnionModel)
        /// The error documents of operations.
        case errors([ErrorDocument])
        /// Another name of a type.
        case alias(SwiftType)
    }

    struct Structure {
        var properties: [Property]
        /// The type of members that are not among the properties; `nil` if they are ignored.
        var additional: SwiftType?

        /// The properties in the order in which they are encoded: System.Text.Json reads the discriminator first.
        var encoded: [Property] { properties.filter(\.isDiscriminator) + properties.filter { !$0.isDiscriminator } }
    }

    struct Property {
        let jsonName: String
        let schema: Schema
        let type: SwiftType
        let isRequired: Bool
        let isNullable: Bool
        let isReadOnly: Bool
        let isWriteOnly: Bool
        /// The only value, or the one by which a discriminator knows the struct: the default of the initializer.
        var constant: Node?
        let documentation: [String]
        /// Whether the constant decides a union, and is sent even if the property is optional.
        var isTag = false
        /// Whether it is the property of the discriminator of a union with the struct.
        var isDiscriminator = false
        var name = ""
        /// The name of the stored property, which is another one if the value is stored indirectly.
        var storedName = ""
        /// Whether the value is stored outside of its struct, to end a cycle.
        var isIndirect = false
    }

    struct UnionModel {
        struct Case {
            let wantedName: String
            let type: SwiftType
            let branch: Int
            var name = ""
            /// A member of the value that the type does not have, because only the discriminator names it.
            var tag: TypeBuilder.Tag?
        }

        var cases: [Case]
        let decision: UnionDecision
        /// Whether a value keeps each branch that it fits: it is a struct of optional branches.
        var isCombined = false
        var isIndirect = false

        /// The message about a value of `anyOf` that can have members of several branches, of which one is kept.
        static let lossMessage =
            "a value of `anyOf` is read as one branch; members that only another branch knows are lost"
    }

    /// The error document of a status.
    struct ErrorDocument {
        /// `404`, `4XX` or `default`.
        let status: String
        let type: SwiftType
        var name = ""

        var caseName: String { Response.caseName(ofStatus: status) }
    }

    /// A type that the generator does not write.
    struct Custom {
        let type: CustomType
        /// The format of the values.
        let format: String?
        /// The examples of the document.
        private(set) var examples: [Node] = []

        init(type: CustomType, format: String?) {
            (self.type, self.format) = (type, format)
        }

        mutating func add(examplesOf schema: Schema) {
            examples += ([schema["example"]] + (schema["examples"]?.elements ?? []) + [schema["default"]])
                .compactMap { $0?.isNull == false ? $0 : nil }
        }
    }

    let id: Int
    /// `nil` for error documents, and for formats with a custom type.
    let schema: Schema?
    /// The part of the document that it is declared for.
    let node: Node
    var owner: Owner
    /// The number of declarations around this one.
    let depth: Int
    let wantedName: String
    var content = Content.pending
    var documentation: [String] = []
    var isDeprecated = false
    /// The custom type in the place of this one. The content is what the document describes.
    var custom: Custom?
    /// Whether the generated code has this declaration.
    var isWritten = true
    /// Whether values are sent, and whether they are received.
    var isSent = false
    var isReceived = false
    /// The name in Swift, without those of its owners.
    var name = ""

    /// Whether the type is written in an extension of its owner. With each level of types that are written within each
    /// other, the compiler needs up to twice the time.
    var isInExtension: Bool { depth > 0 && depth.isMultiple(of: 8) }

    init(id: Int, schema: Schema?, node: Node, owner: Owner, depth: Int, wantedName: String) {
        self.id = id
        self.schema = schema
        self.node = node
        self.owner = owner
        self.depth = depth
        self.wantedName = wantedName
    }

    /// Whether the schema is in the document.
    var isInDocument: Bool { schema?.isDerived != true }

    /// The types of the stored values; none of a custom type, whose parts are not those of the schema.
    var parts: [SwiftType] { custom == nil ? describedParts : [] }

    /// The types of the stored values that the schema describes.
    var describedParts: [SwiftType] {
        switch content {
        case .pending, .enumeration: []
        case .structure(let structure): structure.properties.map(\.type) + (structure.additional.map { [$0] } ?? [])
        case .union(let union): union.cases.map(\.type)
        case .errors(let documents): documents.map(\.type)
        case .alias(let type): [type]
        }
    }
}

extension Declaration.Property {
    /// Whether a value always has the property, in each direction in which it goes.
    func isAlwaysPresent(in declaration: Declaration) -> Bool {
        isRequired && !(isReadOnly && declaration.isSent)
            && !(isWriteOnly && (declaration.isReceived || !declaration.isSent))
    }

    /// The type in Swift: optional if the property may be absent, and with null if that is sent.
    func type(in declaration: Declaration) -> SwiftType {
        let isPresent = isAlwaysPresent(in: declaration)
        guard isNullable, type != .json else { return isPresent ? type : .optional(type) }
        guard declaration.isSent else { return .optional(type) }
        return isPresent ? .nullable(type) : .optional(.nullable(type))
    }
}
