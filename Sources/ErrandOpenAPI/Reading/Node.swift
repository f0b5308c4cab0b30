/// A value of a JSON or YAML document, with its place.
///
/// An alias of YAML is the node of its anchor, so a node can be part of several others. Its parent is the first one.
final class Node {
    enum Content {
        case null
        case bool(Bool)
        /// A number in the syntax of JSON.
        case number(String)
        case string(String)
        case array([Node])
        case object([Member])
    }

    struct Member {
        let key: String
        let offset: Int
        let value: Node
    }

    let content: Content
    /// The text of a number or Boolean as the file has it, if that is not its JSON: YAML can write 8 as `08`.
    let written: String?
    /// The number of bytes or characters before this value in its file.
    let offset: Int
    let file: SourceFile
    /// The number of nodes in this one, itself included, with those of aliases each time.
    let size: Int
    private(set) unowned var parent: Node?
    /// The index of this value among the members or elements of its parent.
    private var position = 0
    /// Nodes that are not part of the tree but the parents of some that are. The root keeps them alive.
    var hiddenParents: [Node] = []
    /// The node whose place this one has, if it is not in the document.
    let origin: Node?
    /// The members of a large object by their keys.
    private lazy var index = Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }

    init(_ content: Content, at offset: Int, in file: SourceFile, written: String? = nil, origin: Node? = nil) {
        self.content = content
        self.written = written
        self.offset = offset
        self.file = file
        self.origin = origin
        size =
            switch content {
            case .array(let elements): elements.reduce(1) { $0 + $1.size }
            case .object(let members): members.reduce(1) { $0 + $1.value.size }
            case .null, .bool, .number, .string: 1
            }
        guard origin == nil else { return }
        for (index, child) in children.enumerated() where child.parent == nil {
            child.parent = self
            child.position = index
        }
    }

    /// Creates a node that is not in the document, with the place of one that is.
    convenience init(_ content: Content, like origin: Node) {
        self.init(content, at: origin.offset, in: origin.file, origin: origin)
    }

    private var children: [Node] {
        switch content {
        case .array(let elements): elements
        case .object(let members): members.map(\.value)
        case .null, .bool, .number, .string: []
        }
    }

    /// The value of a member; `nil` if this is not an object or does not have it.
    subscript(key: String) -> Node? {
        guard case .object(let members) = content else { return nil }
        return members.count > 16 ? index[key] : members.first { $0.key == key }?.value
    }

    /// The members of an object; empty for another value.
    var members: [Member] { if case .object(let members) = content { members } else { [] } }
    /// The elements of an array; empty for another value.
    var elements: [Node] { if case .array(let elements) = content { elements } else { [] } }
    var isObject: Bool { if case .object = content { true } else { false } }
    var isArray: Bool { if case .array = content { true } else { false } }
    var isNull: Bool { if case .null = content { true } else { false } }
    var string: String? { if case .string(let text) = content { text } else { nil } }
    var bool: Bool? { if case .bool(let value) = content { value } else { nil } }

    /// The text of a string, a number or a Boolean: a version may lack its quotes.
    var text: String? {
        switch content {
        case .string(let text), .number(let text): text
        case .bool(let value): value ? "true" : "false"
        case .null, .array, .object: nil
        }
    }

    /// The kind of this value, for messages.
    var kindText: String {
        switch content {
        case .null: "null"
        case .bool: "a Boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// The key or index under which the parent has this value.
    var key: String? {
        switch parent?.content {
        case .object(let members): members.indices.contains(position) ? members[position].key : nil
        case .array: "\(position)"
        case .null, .bool, .number, .string, nil: nil
        }
    }

    var place: Place { Place(file: file, offset: offset, pointer: pointer) }

    /// Whether two values are equal: objects without regard to order, numbers by their text.
    func isEqual(to other: Node) -> Bool {
        switch (content, other.content) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left == right
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0 === $1 || $0.isEqual(to: $1) }
        case (.object(let left), .object(let right)):
            left.count == right.count
                && left.allSatisfy { member in
                    other[member.key].map { $0 === member.value || $0.isEqual(to: member.value) } == true
                }
        default: false
        }
    }
}
