/// The declarations of a client that code can refer to, by their names in Swift.
struct Surface {
    /// The text of a type.
    struct TypeText: Equatable {
        /// The type as the generated code has it, for messages.
        let shown: String
        /// The type without other names of types.
        let full: String

        init(shown: String, full: String) {
            (self.shown, self.full) = (shown, full)
        }

        /// Creates the text of a type that the client does not declare.
        init(_ text: String) { self.init(shown: text, full: text) }

        /// Types with the same text are equal: another meaning of a name in it is a separate change.
        static func == (left: TypeText, right: TypeText) -> Bool {
            left.shown == right.shown || left.full == right.full
        }
    }

    /// A declaration of the client, or a parameter of one.
    struct Item {
        enum Kind {
            /// A type, and what it is: `a struct`.
            case type(String)
            /// What a custom type stands for. Its name is not a declaration of the client.
            case customType
            /// Another name of a type.
            case alias(TypeText)
            /// The conformance of a type to a protocol.
            case conformance(String)
            case property(TypeText)
            case constant(TypeText)
            /// - `property`: the key of the property that an initializer sets.
            case parameter(TypeText, isRequired: Bool, property: String? = nil)
            /// A case of an enum, with the type of its value.
            case enumCase(TypeText?)
            /// A function, with the type of its result.
            case function(TypeText)
        }

        /// The name in messages.
        let name: String
        /// The key of the declaration around this one.
        let owner: String?
        let kind: Kind
        let node: Node
        var facts: [Fact] = []
    }

    private(set) var items: [String: Item] = [:]
    /// The keys of parameters in their order, by those of their functions.
    private(set) var parameters: [String: [String]] = [:]

    /// Adds an item. The first one with a key stays.
    mutating func add(_ key: String, _ item: Item) {
        guard items[key] == nil else { return }
        items[key] = item
    }

    mutating func add(parameters keys: [String], of function: String) {
        parameters[function] = keys
    }
}
