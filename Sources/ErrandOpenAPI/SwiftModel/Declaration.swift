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
        /// Another name of a type.
        case alias(SwiftType)
    }

    struct Structure {
        var properties: [Property]
        /// The type of members that are not among the properties; `nil` if they are ignored.
        var additional: SwiftType?
    }

    struct Property {
        let jsonName: String
        let schema: Node
        let type: SwiftType
        let isRequired: Bool
        let isNullable: Bool
        let isReadOnly: Bool
        let isWriteOnly: Bool
        /// The only value, or the one by which a discriminator knows the struct: the default of the initializer.
        var constant: Node?
        let documentation: [String]
        var name = ""
        /// Whether the value is stored outside of its struct, to end a cycle.
        var isIndirect = false
    }

    struct UnionModel {
        struct Case {
            let wantedName: String
            let type: SwiftType
            let branch: Int
            var name = ""
        }

        var cases: [Case]
        let decision: UnionDecision
        var isIndirect = false
    }

    let id: Int
    let node: Node
    var owner: Owner
    /// The number of declarations around this one.
    let depth: Int
    let wantedName: String
    var content = Content.pending
    var documentation: [String] = []
    var isDeprecated = false
    /// Whether values are sent, and whether they are received.
    var isSent = false
    var isReceived = false
    /// The name in Swift, without those of its owners.
    var name = ""

    init(id: Int, node: Node, owner: Owner, depth: Int, wantedName: String) {
        self.id = id
        self.node = node
        self.owner = owner
        self.depth = depth
        self.wantedName = wantedName
    }

    /// The types of the stored values.
    var parts: [SwiftType] {
        switch content {
        case .pending, .enumeration: []
        case .structure(let structure): structure.properties.map(\.type) + (structure.additional.map { [$0] } ?? [])
        case .union(let union): union.cases.map(\.type)
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
}
