/// The values that have been encoded so far: a tree whose leaves are text.
///
/// Containers can be written in turns, and one that was left can be returned to, so that the document cannot be written in one
/// go. Neighboring values that are not containers are one node, which makes most of a document a few long copies.
///
/// It belongs to the task that encodes, as every `Encoder` does.
final class JSONTree {
    struct Node {
        enum Kind: UInt8 {
            /// Nothing has been encoded.
            case empty
            /// One value or more, with their keys and the commas between them.
            case text
            case array, object
        }

        /// Where its text begins: its key with the colon, and the values of a text.
        var start: Int
        var length = 0
        var parent: UInt32
        /// The next child of the parent; for the last one, the first.
        var next: UInt32
        /// The last child; 0 for none, since the root is not a child.
        var last: UInt32 = 0
        /// The length of its key's text, or its number in an array.
        var place: UInt32 = 0
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

    let encoder: FastJSONEncoder
    let usesDefaultKeys: Bool
    let powers = PowersOfFive.shared
    /// The text of all nodes. It is behind a pointer, because Swift checks each access to a property of a class for exclusivity.
    let text: UnsafeMutablePointer<JSONBuffer>
    private let storage: UnsafeMutablePointer<(nodes: UnsafeMutablePointer<Node>, count: Int, capacity: Int)>

    init(encoder: FastJSONEncoder) {
        self.encoder = encoder
        if case .useDefaultKeys = encoder.keyEncodingStrategy {
            usesDefaultKeys = true
        } else {
            usesDefaultKeys = false
        }
        text = .allocate(capacity: 1)
        let escapesSlashes = !encoder.outputFormatting.contains(.withoutEscapingSlashes)
        text.initialize(to: JSONBuffer(capacity: 512, escapesSlashes: escapesSlashes))
        storage = .allocate(capacity: 1)
        storage.initialize(to: (.allocate(capacity: 16), 1, 16))
        storage.pointee.nodes.initialize(to: Node(start: 0, parent: 0, next: 0))
    }

    deinit {
        text.pointee.deallocate()
        text.deallocate()
        storage.pointee.nodes.deallocate()
        storage.deallocate()
    }

    @inline(__always)
    var nodes: UnsafeMutablePointer<Node> { storage.pointee.nodes }

    // MARK: Nodes

    /// Adds a child to an array or object. Its text begins at the end of the text.
    func add(to parent: Int) -> Int {
        let node = storage.pointee.count
        if node == storage.pointee.capacity { grow() }
        storage.pointee.count = node + 1
        let index = UInt32(truncatingIfNeeded: node)
        let last = Int(nodes[parent].last)
        (nodes + node).initialize(
            to: Node(start: text.pointee.count, parent: UInt32(truncatingIfNeeded: parent), next: index))
        if last != 0 {
            nodes[node].next = nodes[last].next
            nodes[last].next = index
        }
        nodes[parent].last = index
        return node
    }

    private func grow() {
        let capacity = storage.pointee.capacity
        let larger = UnsafeMutablePointer<Node>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: nodes, count: capacity)
        storage.pointee.nodes.deallocate()
        storage.pointee.nodes = larger
        storage.pointee.capacity = capacity * 2
    }

    /// Returns a text at the end of a container, with a comma if it continues one.
    @inline(__always)
    func openText(in container: Int) -> Int {
        let last = Int(nodes[container].last)
        if last != 0, nodes[last].kind == .text, nodes[last].start &+ nodes[last].length == text.pointee.count {
            text.pointee.append(UInt8(ascii: ","))
            return last
        }
        let node = add(to: container)
        nodes[node].kind = .text
        return node
    }

    @inline(__always)
    func closeText(_ node: Int) { nodes[node].length = text.pointee.count &- nodes[node].start }

    /// Begins to write a value in the place of an empty node, after its key.
    @inline(__always)
    func beginValue(of node: Int) {
        precondition(nodes[node].kind == .empty, "a value or a container has been encoded here before")
        let (start, length) = (nodes[node].start, nodes[node].length)
        if start &+ length != text.pointee.count {
            // Another node was written since: the key is copied to the end.
            text.pointee.reserve(length)
            nodes[node].start = text.pointee.count
            text.pointee.append(UnsafePointer(text.pointee.bytes + start), length)
        }
    }

    @inline(__always)
    func endValue(of node: Int) {
        nodes[node].kind = .text
        closeText(node)
    }

    /// Adds an empty node with a key to an object.
    func addMember(_ key: some CodingKey, of object: Int) -> Int {
        let node = add(to: object)
        writeKey(key, of: object)
        closeText(node)
        nodes[node].place = UInt32(truncatingIfNeeded: nodes[node].length)
        nodes[node].key = type(of: key)
        return node
    }

    /// Returns the container of a key in an object: the one that was opened before, or a new node.
    func addContainer(_ kind: Node.Kind, _ key: some CodingKey, of object: Int) -> Int {
        let node = addMember(key, of: object)
        guard nodes[object].mayHaveDuplicates else { return node }
        let (key, length) = (text.pointee.bytes + nodes[node].start, nodes[node].length)
        var other = Int(nodes[node].next)
        while other != node {
            if nodes[other].kind == kind, nodes[other].length == length,
                memcmp(text.pointee.bytes + nodes[other].start, key, length) == 0
            {
                remove(node)
                return other
            }
            other = Int(nodes[other].next)
        }
        return node
    }

    /// Adds an empty node to an array.
    func addElement(_ number: Int, of array: Int) -> Int {
        let node = add(to: array)
        nodes[node].place = UInt32(truncatingIfNeeded: number)
        return node
    }

    /// Removes a node that could not be encoded from its parent.
    func remove(_ node: Int) {
        let parent = Int(nodes[node].parent)
        var before = Int(nodes[node].next)
        while Int(nodes[before].next) != node { before = Int(nodes[before].next) }
        nodes[before].next = nodes[node].next
        // Its key was hashed too.
        nodes[parent].shape = (nodes[parent].shape &+ 1) &* 0x0000_0100_0000_01B3
        nodes[parent].mayHaveDuplicates = true
        if Int(nodes[parent].last) == node {
            nodes[parent].last = before == node ? 0 : UInt32(truncatingIfNeeded: before)
        }
    }

    /// Makes a container of an empty node.
    func open(_ kind: Node.Kind, at node: Int) {
        if nodes[node].kind == kind {
            nodes[node].mayHaveDuplicates = true
        } else {
            precondition(nodes[node].kind == .empty, "a value or another container has been encoded here before")
            nodes[node].kind = kind
        }
    }

    // MARK: Keys

    /// Writes a key with its colon.
    @inline(__always)
    func writeKey(_ key: some CodingKey, of object: Int) {
        if usesDefaultKeys || nodes[object].isDictionary {
            writeKey(key.stringValue, of: object)
        } else {
            writeKey(converted(key, of: object), of: object)
        }
    }

    @inline(__always)
    private func writeKey(_ key: String, of object: Int) {
        let start = text.pointee.count &+ 1
        text.pointee.append(key)
        let length = text.pointee.count &- start &- 1
        text.pointee.append(UInt8(ascii: ":"))
        let hash = text.pointee.hash(from: start, length: length)
        let bit = 1 &<< (hash &>> 58)
        if nodes[object].keys & bit != 0 { nodes[object].mayHaveDuplicates = true }
        nodes[object].keys |= bit
        nodes[object].shape = (nodes[object].shape &+ hash) &* 0x0000_0100_0000_01B3
    }

    private func converted(_ key: some CodingKey, of object: Int) -> String {
        switch encoder.keyEncodingStrategy {
        case .useDefaultKeys: key.stringValue
        case .convertToSnakeCase: SnakeCase.snakeCase(of: key.stringValue)
        case .custom(let convert): convert(path(of: object) + [key]).stringValue
        @unknown default: key.stringValue
        }
    }

    // MARK: Paths

    /// Returns the coding path of a node.
    func path(of node: Int) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var node = node
        while node != 0 {
            let parent = Int(nodes[node].parent)
            if nodes[parent].kind == .object {
                // The key has a colon after it.
                let key = UnsafeBufferPointer(
                    start: UnsafePointer(text.pointee.bytes + nodes[node].start), count: Int(nodes[node].place) - 1)
                let name = JSONLayout.withTape(key) { $0.string(at: 0) }
                path.append(nodes[node].key?.init(stringValue: name) ?? JSONCodingKey(name))
            } else {
                path.append(JSONCodingKey(index: Int(nodes[node].place)))
            }
            node = parent
        }
        return path.reversed()
    }
}
