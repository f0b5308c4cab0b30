/// The values that have been encoded so far: a tree whose leaves are text.
///
/// A container begins in the text with its bracket and its first values. When its value has been encoded and nothing
/// else was written meanwhile, it is closed: it becomes a part of the text before it, and its node is used again. Of
/// most documents, only the containers that are open have nodes, and the text of the root is the document.
///
/// An encoder can also write several containers in turn, and return to an earlier one. Such containers keep their
/// nodes, and the document is written from the nodes.
///
/// A tree that is laid out has a node for each member and each element, which sorting and indenting need. If a key
/// occurs twice in an object of another tree, or may do so, the value is encoded again into a tree that is laid out.
///
/// It belongs to the task that encodes, as every `Encoder` does.
final class JSONTree {
    struct Node {
        enum Kind: UInt8 {
            /// Nothing has been encoded.
            case empty
            /// A value that is not a container, until it is closed. If its type throws after that, it is empty again.
            case value
            /// One value or more, with the keys of members and the commas between them.
            case text
            case array, object
        }

        /// The start of the node's bytes: its key and a colon, then the values of a `text`, or the bracket and first
        /// values of a container.
        var start: Int
        var length = 0
        /// The number by which references identify the node. It changes when the value has been encoded, so that
        /// earlier references are outdated.
        var serial: UInt32
        var parent: UInt32
        /// The next child of the parent; for the last one, the first.
        var next: UInt32
        /// The child before it; for the first one, the last.
        var previous: UInt32
        /// The last child; 0 for none, since the root is not a child.
        var last: UInt32 = 0
        /// The length of the text of its key, with the quotes and the colon; 0 for an element.
        var keyLength: UInt32 = 0
        /// Its number in an array.
        var number: UInt32 = 0
        /// How many arrays and objects it is in.
        var depth: UInt32
        /// Whether its text continues that of the child before it, or that of the parent for an only child. A comma is
        /// between them, unless the text before ends with its bracket.
        var continuesText = false
        /// The type of its key.
        var key: (any CodingKey.Type)?
        var kind = Kind.empty
        /// Whether it may have a key twice.
        var mayHaveDuplicates = false
        /// Whether it is a dictionary, whose keys are not converted.
        var isDictionary = false
        /// A bit for each hash of its keys.
        var keys: UInt64 = 0
        /// A hash of its keys in their order.
        var shape: UInt64 = 0
    }

    /// A reference to a node from its encoder and its containers, which may outlive the node.
    struct Reference {
        let index: UInt32
        let serial: UInt32

        static let root = Reference(index: 0, serial: 0)
    }

    let encoder: FastJSONEncoder
    let usesDefaultKeys: Bool
    /// Whether each member and each element has its own node.
    let isLaidOut: Bool
    /// The number of bytes after which encoding stops.
    let limit: Int
    private(set) var hasExceededLimit = false
    let powers = PowersOfFive.shared
    /// The text of all nodes. It is stored at a pointer, because Swift checks each access to a property of a class for
    /// exclusivity.
    let text: UnsafeMutablePointer<JSONBuffer>
    /// The nodes by index; the root is the first. `added` is the number of nodes that were added so far, and the serial
    /// number of the last one.
    let storage: UnsafeMutablePointer<(nodes: UnsafeMutablePointer<Node>, count: Int, capacity: Int, added: UInt32)>
    /// The containers in objects whose keys may occur twice, in a tree that is laid out: by the object, and then by
    /// their kind and their key.
    var containers: [Int: [[UInt8]: Int]] = [:]
    /// The converted names of keys.
    var snakeCase: [String: String] = [:]
    /// The hashes of the keys of objects without duplicate keys. Values of one type mostly have the same keys.
    var shapesWithoutDuplicates: Set<UInt64> = []
    /// Whether an encoder or container was used after its value had been encoded.
    var isUsedLate = false
    let stack = StackUse()
    /// How many bytes have been searched for keys that occur twice.
    var searched = 0
    /// Whether an object has a key twice, or may have it.
    var mustBeLaidOut = false

    /// - Parameters:
    ///   - limit: The number of bytes after which encoding stops.
    ///   - isLaidOut: Whether the tree is laid out even if the format does not need it.
    init(encoder: FastJSONEncoder, limit: Int = .max, isLaidOut: Bool = false) {
        self.encoder = encoder
        self.limit = limit
        self.isLaidOut =
            isLaidOut || !encoder.outputFormatting.isDisjoint(with: [.sortedKeys, .prettyPrinted])
        if case .useDefaultKeys = encoder.keyEncodingStrategy {
            usesDefaultKeys = true
        } else {
            usesDefaultKeys = false
        }
        text = .allocate(capacity: 1)
        let escapesSlashes = !encoder.outputFormatting.contains(.withoutEscapingSlashes)
        text.initialize(to: JSONBuffer(capacity: 512, escapesSlashes: escapesSlashes))
        storage = .allocate(capacity: 1)
        storage.initialize(to: (.allocate(capacity: 16), 1, 16, 0))
        storage.pointee.nodes.initialize(to: Node(start: 0, serial: 0, parent: 0, next: 0, previous: 0, depth: 0))
    }

    deinit {
        text.pointee.deallocate()
        text.deallocate()
        storage.pointee.nodes.deallocate()
        storage.deallocate()
    }

    /// Checks that the limit is not exceeded.
    @inline(__always)
    func checkLimit() throws {
        if text.pointee.count > limit { try exceedLimit() }
    }

    @inline(never)
    func exceedLimit() throws {
        hasExceededLimit = true
        throw LimitExceeded()
    }

    private struct LimitExceeded: Error {}

    /// The value must be encoded again into a tree that is laid out.
    struct MustBeLaidOut: Error {}

    @inline(__always)
    var nodes: UnsafeMutablePointer<Node> { storage.pointee.nodes }
}

// The nodes, and how a parent links its children.
extension JSONTree {
    /// Adds a child to an array or object. The child's text begins at the end of the text of all nodes.
    func add(to parent: Int) -> Int {
        let node = addUnlinked(to: parent)
        link(node)
        return node
    }

    /// Adds a node that is not among the children of its parent.
    func addUnlinked(to parent: Int) -> Int {
        let node = storage.pointee.count
        if node == storage.pointee.capacity { grow() }
        storage.pointee.count = node + 1
        storage.pointee.added &+= 1
        (nodes + node).initialize(
            to: Node(
                start: text.pointee.count, serial: storage.pointee.added, parent: UInt32(truncatingIfNeeded: parent),
                next: 0, previous: 0, depth: nodes[parent].depth &+ 1))
        return node
    }

    @inline(__always)
    func reference(to node: Int) -> Reference {
        Reference(index: UInt32(truncatingIfNeeded: node), serial: nodes[node].serial)
    }

    /// Returns the node of an encoder, or of a container of a kind. If its value has already been encoded, the node is
    /// not part of the document.
    @inline(__always)
    func node(_ reference: Reference, _ kind: Node.Kind) -> Int {
        isCurrent(reference) ? Int(reference.index) : lateNode(kind)
    }

    @inline(__always)
    func isCurrent(_ reference: Reference) -> Bool {
        let node = Int(reference.index)
        return node < storage.pointee.count && nodes[node].serial == reference.serial
    }

    /// Returns a node that is not part of the document, and makes the encoding fail at its end.
    @inline(never)
    private func lateNode(_ kind: Node.Kind) -> Int {
        isUsedLate = true
        let node = addUnlinked(to: 0)
        if kind != .empty { open(kind, at: node) }
        return node
    }

    /// Makes a node the last child of its parent.
    @inline(__always)
    func link(_ node: Int) {
        let parent = Int(nodes[node].parent)
        let index = UInt32(truncatingIfNeeded: node)
        let last = nodes[parent].last
        if last != 0 {
            let first = nodes[Int(last)].next
            (nodes[node].next, nodes[node].previous) = (first, last)
            nodes[Int(last)].next = index
            nodes[Int(first)].previous = index
        } else {
            (nodes[node].next, nodes[node].previous) = (index, index)
        }
        nodes[parent].last = index
    }

    private func grow() {
        let capacity = storage.pointee.capacity
        let larger = UnsafeMutablePointer<Node>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: nodes, count: capacity)
        storage.pointee.nodes.deallocate()
        storage.pointee.nodes = larger
        storage.pointee.capacity = capacity * 2
    }

    /// The children of an array or object, in their order.
    func children(of container: Int) -> [Int] {
        let last = Int(nodes[container].last)
        guard last != 0 else { return [] }
        var children = [Int(nodes[last].next)]
        while let child = children.last, child != last { children.append(Int(nodes[child].next)) }
        return children
    }

    /// Removes a node from its parent: its value could not be encoded, or its key already has a container.
    func remove(_ node: Int) {
        let parent = Int(nodes[node].parent)
        unlink(node)
        // The hash of the keys still includes the key of the removed node. It is changed, so that it does not equal
        // that of an object with all these keys.
        nodes[parent].shape = (nodes[parent].shape &+ 1) &* 0x0000_0100_0000_01B3
        nodes[parent].mayHaveDuplicates = true
        if containers[parent] != nil {
            for kind in [Node.Kind.array, .object] where containers[parent]?[name(of: node, kind)] == node {
                containers[parent]?[name(of: node, kind)] = nil
            }
        }
        guard node &+ 1 == storage.pointee.count else { return }
        containers[node] = nil
        storage.pointee.count = node
        // The text is removed only if no other encoder has written after it.
        if nodes[node].continuesText, nodes[node].start &+ nodes[node].length == text.pointee.count {
            let before = textBefore(node)
            text.pointee.truncate(to: nodes[before].start + nodes[before].length)
        }
    }

    /// The node whose text the last child continues: the previous child, or the parent for an only child.
    func textBefore(_ node: Int) -> Int {
        let (parent, previous) = (Int(nodes[node].parent), Int(nodes[node].previous))
        return previous == node ? parent : previous
    }

    /// Takes a node out of the children of its parent. The node still refers to the child before it.
    @inline(__always)
    func unlink(_ node: Int) {
        let parent = Int(nodes[node].parent)
        let (previous, next) = (nodes[node].previous, nodes[node].next)
        nodes[Int(previous)].next = next
        nodes[Int(next)].previous = previous
        if Int(nodes[parent].last) == node { nodes[parent].last = Int(previous) == node ? 0 : previous }
    }

    /// Makes a node empty again after its value could not be encoded. Siblings may have been added meanwhile.
    func reset(_ node: Int, to empty: Node) {
        let (next, previous) = (nodes[node].next, nodes[node].previous)
        nodes[node] = empty
        (nodes[node].next, nodes[node].previous) = (next, previous)
        containers[node] = nil
    }
}
