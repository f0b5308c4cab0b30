/// The values that have been encoded so far: a tree whose leaves are text.
///
/// Containers can be written in turns, and one that was left can be returned to, so that the document cannot be written
/// in one go. Neighboring values that are not containers are one node, which makes most of a document a few long
/// copies.
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
        /// The child before it; for the first one, the last.
        var previous: UInt32
        /// The last child; 0 for none, since the root is not a child.
        var last: UInt32 = 0
        /// The length of its key's text, or its number in an array.
        var place: UInt32 = 0
        /// How many arrays and objects it is in.
        var depth: UInt32
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
    /// Whether each member and each element has its own node, which sorting and indenting need.
    let isLaidOut: Bool
    let powers = PowersOfFive.shared
    /// The text of all nodes. It is stored at a pointer, because Swift checks each access to a property of a class for
    /// exclusivity.
    let text: UnsafeMutablePointer<JSONBuffer>
    private let storage: UnsafeMutablePointer<(nodes: UnsafeMutablePointer<Node>, count: Int, capacity: Int)>
    /// The containers of objects with many members, by their kind and their key.
    private(set) var containers: [Int: [[UInt8]: Int]] = [:]
    /// The converted names of keys.
    private var snakeCase: [String: String] = [:]
    let stack = StackUse()
    /// How many nodes and bytes have been read again after they were written, which tests compare between values of two
    /// sizes.
    var steps = 0

    init(encoder: FastJSONEncoder) {
        self.encoder = encoder
        isLaidOut = !encoder.outputFormatting.isDisjoint(with: [.sortedKeys, .prettyPrinted])
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
        storage.pointee.nodes.initialize(to: Node(start: 0, parent: 0, next: 0, previous: 0, depth: 0))
    }

    deinit {
        text.pointee.deallocate()
        text.deallocate()
        storage.pointee.nodes.deallocate()
        storage.deallocate()
    }

    @inline(__always)
    var nodes: UnsafeMutablePointer<Node> { storage.pointee.nodes }
    var nodeCount: Int { storage.pointee.count }

    // MARK: Nodes

    /// Adds a child to an array or object. Its text begins at the end of the text.
    func add(to parent: Int) -> Int {
        let node = storage.pointee.count
        if node == storage.pointee.capacity { grow() }
        storage.pointee.count = node + 1
        (nodes + node).initialize(
            to: Node(
                start: text.pointee.count, parent: UInt32(truncatingIfNeeded: parent), next: 0, previous: 0,
                depth: nodes[parent].depth &+ 1))
        link(node)
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

    /// Returns a text at the end of a container, with a comma if it continues one.
    @inline(__always)
    func openText(in container: Int) -> Int {
        let last = Int(nodes[container].last)
        if last != 0, !isLaidOut, nodes[last].kind == .text,
            nodes[last].start &+ nodes[last].length == text.pointee.count
        {
            text.pointee.append(UInt8(ascii: ","))
            return last
        }
        let node = add(to: container)
        nodes[node].kind = .text
        return node
    }

    /// Returns a text at the end of an object, which ends with a key.
    @inline(__always)
    func openMember(_ key: some CodingKey, of object: Int) -> Int {
        let node = openText(in: object)
        let start = text.pointee.count
        writeKey(key, of: object)
        if isLaidOut { nodes[node].place = UInt32(truncatingIfNeeded: text.pointee.count - start) }
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
        if containers[object] == nil {
            var known: [[UInt8]: Int] = [:]
            for child in children(of: object) where nodes[child].kind == .array || nodes[child].kind == .object {
                known[name(of: child, nodes[child].kind)] = child
            }
            containers[object] = known
        }
        let name = name(of: node, kind)
        if let other = containers[object]?[name] {
            remove(node)
            return other
        }
        containers[object]?[name] = node
        return node
    }

    /// The kind and the key of a member.
    private func name(of node: Int, _ kind: Node.Kind) -> [UInt8] { [kind.rawValue] + key(of: node) }

    /// The text of a member's key, with its quotes and its colon.
    func key(of node: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: UnsafePointer(text.pointee.bytes + nodes[node].start), count: Int(nodes[node].place))
    }

    /// The children of an array or object, in their order.
    func children(of container: Int) -> [Int] {
        let last = Int(nodes[container].last)
        guard last != 0 else { return [] }
        var children = [Int(nodes[last].next)]
        while let child = children.last, child != last { children.append(Int(nodes[child].next)) }
        steps += children.count
        return children
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
        let (previous, next) = (nodes[node].previous, nodes[node].next)
        nodes[Int(previous)].next = next
        nodes[Int(next)].previous = previous
        // Its key was hashed too.
        nodes[parent].shape = (nodes[parent].shape &+ 1) &* 0x0000_0100_0000_01B3
        nodes[parent].mayHaveDuplicates = true
        if Int(nodes[parent].last) == node { nodes[parent].last = Int(previous) == node ? 0 : previous }
        if containers[parent] != nil, nodes[parent].kind == .object {
            for kind in [Node.Kind.array, .object] where containers[parent]?[name(of: node, kind)] == node {
                containers[parent]?[name(of: node, kind)] = nil
            }
        }
    }

    /// Makes a node empty again whose value could not be encoded. Siblings may have been added meanwhile.
    func reset(_ node: Int, to empty: Node) {
        let (next, previous) = (nodes[node].next, nodes[node].previous)
        nodes[node] = empty
        (nodes[node].next, nodes[node].previous) = (next, previous)
        containers[node] = nil
    }

    /// Makes a container of an empty node.
    func open(_ kind: Node.Kind, at node: Int) {
        if nodes[node].kind == kind {
            nodes[node].mayHaveDuplicates = true
        } else {
            precondition(nodes[node].kind == .empty, "a value or another container has been encoded here before")
            nodes[node].kind = kind
            // Another container of the same key continues this one.
            let parent = Int(nodes[node].parent)
            if node != 0, containers[parent] != nil { containers[parent]?[name(of: node, kind)] = node }
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
        case .convertToSnakeCase: snakeCase(key.stringValue)
        case .custom(let convert): convert(path(of: object) + [key]).stringValue
        @unknown default: key.stringValue
        }
    }

    /// Types have few keys, and encode them often.
    private func snakeCase(_ key: String) -> String {
        if let known = snakeCase[key] { return known }
        let converted = SnakeCase.snakeCase(of: key)
        if snakeCase.count < 1_024 { snakeCase[key] = converted }
        return converted
    }

    // MARK: Paths

    /// Returns the coding path of a node.
    func path(of node: Int) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var node = node
        while node != 0 {
            let parent = Int(nodes[node].parent)
            if nodes[parent].kind == .object {
                let name = string(key(of: node))
                path.append(nodes[node].key?.init(stringValue: name) ?? JSONCodingKey(name))
            } else {
                path.append(JSONCodingKey(index: Int(nodes[node].place)))
            }
            node = parent
        }
        steps += path.count
        return path.reversed()
    }

    /// The string of a key that has been written with its quotes and its colon.
    func string(_ key: UnsafeBufferPointer<UInt8>) -> String {
        steps += key.count
        let quoted = UnsafeBufferPointer(rebasing: key.dropLast())
        guard key.contains(UInt8(ascii: "\\")), let tokenizer = try? JSONTokenizer.tokens(of: quoted, depth: 1) else {
            return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
        }
        defer { tokenizer.release() }
        return tokenizer.tape.string(at: 0)
    }
}
