/// The values that have been encoded so far: a tree whose leaves are text.
///
/// A container begins in the text with its bracket and its first values. When its value has been encoded and nothing
/// else was written meanwhile, it is closed: it becomes a part of the text before it, and its node is used again. Of
/// most documents, only the containers that are open have nodes, and the text of the root is the document.
///
/// Containers can also be written in turns, and one that was left can be returned to. These keep their nodes, as do
/// those whose members are sorted or whose keys may occur twice, and the document is written from the nodes.
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

        /// Where its text begins: its key with the colon, and the values of a text or the bracket of a container and
        /// the values that it begins with.
        var start: Int
        var length = 0
        /// Which of the nodes that were added it is.
        var serial: UInt32
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
        /// Whether its text continues that of the child before it, or of its parent if there is none.
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

    /// A node as its encoder and its containers know it, which may outlive it.
    struct Reference {
        fileprivate let index: UInt32
        fileprivate let serial: UInt32

        static let root = Reference(index: 0, serial: 0)
    }

    let encoder: FastJSONEncoder
    let usesDefaultKeys: Bool
    /// Whether each member and each element has its own node, which sorting and indenting need.
    let isLaidOut: Bool
    let powers = PowersOfFive.shared
    /// The text of all nodes. It is stored at a pointer, because Swift checks each access to a property of a class for
    /// exclusivity.
    let text: UnsafeMutablePointer<JSONBuffer>
    private let storage:
        UnsafeMutablePointer<(nodes: UnsafeMutablePointer<Node>, count: Int, capacity: Int, added: UInt32)>
    /// The containers of objects with many members, by their kind and their key.
    private(set) var containers: [Int: [[UInt8]: Int]] = [:]
    /// The converted names of keys.
    private var snakeCase: [String: String] = [:]
    /// Values of one type mostly have the same keys.
    var shapesWithoutDuplicates: Set<UInt64> = []
    /// Whether a container was used after its value had become a part of the text.
    private(set) var isUsedLate = false
    let stack = StackUse()
    /// How many nodes and bytes have been read again after they were written, which tests compare between values of two
    /// sizes.
    var steps = 0
    /// How many bytes have been searched for keys that occur twice before the document was written.
    var searched = 0

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
        storage.initialize(to: (.allocate(capacity: 16), 1, 16, 0))
        storage.pointee.nodes.initialize(to: Node(start: 0, serial: 0, parent: 0, next: 0, previous: 0, depth: 0))
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
    /// How many nodes were added.
    var addedCount: Int { Int(storage.pointee.added) }

    // MARK: Nodes

    /// Adds a child to an array or object. Its text begins at the end of the text.
    func add(to parent: Int) -> Int {
        let node = addUnlinked(to: parent)
        link(node)
        return node
    }

    private func addUnlinked(to parent: Int) -> Int {
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

    /// Adds a child whose value is written next, with a comma if its text continues another.
    @inline(__always)
    private func addValue(to parent: Int) -> Int {
        let continuesText = continueText(of: parent) != nil
        let node = add(to: parent)
        nodes[node].continuesText = continuesText
        return node
    }

    @inline(__always)
    func reference(to node: Int) -> Reference {
        Reference(index: UInt32(truncatingIfNeeded: node), serial: nodes[node].serial)
    }

    /// Returns the node of an encoder, or of a container of a kind.
    @inline(__always)
    func node(_ reference: Reference, _ kind: Node.Kind) -> Int {
        isCurrent(reference) ? Int(reference.index) : lateNode(kind)
    }

    @inline(__always)
    private func isCurrent(_ reference: Reference) -> Bool {
        let node = Int(reference.index)
        return node < storage.pointee.count && nodes[node].serial == reference.serial
    }

    /// Returns a node that is not part of the document, which is refused then.
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

    /// Returns the node with the last text of a container, followed by a comma, or `nil` if that is not at the end of
    /// the text.
    @inline(__always)
    private func continueText(of container: Int) -> Int? {
        let last = Int(nodes[container].last)
        // What a container begins with is in its own node.
        let node = last == 0 ? container : last
        guard !isLaidOut, nodes[node].start &+ nodes[node].length == text.pointee.count,
            last == 0 || nodes[node].kind == .text
        else { return nil }
        text.pointee.appendComma()
        return node
    }

    /// The length of the text of a container up to its first value: its key and its bracket.
    @inline(__always)
    func bracketEnd(of container: Int) -> Int { keyLength(of: container) &+ 1 }

    /// Returns a text at the end of a container, with a comma if it continues one.
    @inline(__always)
    func openText(in container: Int) -> Int {
        if let node = continueText(of: container) { return node }
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
        moveKey(of: node)
    }

    /// Makes the key of an empty node the end of the text.
    @inline(__always)
    private func moveKey(of node: Int) {
        let (start, length) = (nodes[node].start, nodes[node].length)
        if start &+ length != text.pointee.count {
            // Another node was written since: the key is copied to the end.
            text.pointee.reserve(length)
            nodes[node].start = text.pointee.count
            nodes[node].continuesText = false
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
        let node = addValue(to: object)
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
            takeApart(object)
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

    /// The length of the key of a node: 0 for an element.
    @inline(__always)
    func keyLength(of node: Int) -> Int {
        nodes[Int(nodes[node].parent)].kind == .object ? Int(nodes[node].place) : 0
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
        let node = addValue(to: array)
        nodes[node].place = UInt32(truncatingIfNeeded: number)
        return node
    }

    /// Removes a node that could not be encoded from its parent.
    func remove(_ node: Int) {
        let parent = Int(nodes[node].parent)
        unlink(node)
        // Its key was hashed too.
        nodes[parent].shape = (nodes[parent].shape &+ 1) &* 0x0000_0100_0000_01B3
        nodes[parent].mayHaveDuplicates = true
        if containers[parent] != nil, nodes[parent].kind == .object {
            for kind in [Node.Kind.array, .object] where containers[parent]?[name(of: node, kind)] == node {
                containers[parent]?[name(of: node, kind)] = nil
            }
        }
        guard node &+ 1 == storage.pointee.count else { return }
        containers[node] = nil
        storage.pointee.count = node
        // Another encoder can have written after it.
        if nodes[node].continuesText, nodes[node].start &+ nodes[node].length == text.pointee.count {
            let before = textBefore(node)
            text.pointee.truncate(to: nodes[before].start + nodes[before].length)
        }
    }

    /// The node whose text is before that of a child that continues it.
    private func textBefore(_ node: Int) -> Int {
        let (parent, previous) = (Int(nodes[node].parent), Int(nodes[node].previous))
        return previous == node ? parent : previous
    }

    /// Takes a node out of the children of its parent. It still knows the child before it.
    @inline(__always)
    private func unlink(_ node: Int) {
        let parent = Int(nodes[node].parent)
        let (previous, next) = (nodes[node].previous, nodes[node].next)
        nodes[Int(previous)].next = next
        nodes[Int(next)].previous = previous
        if Int(nodes[parent].last) == node { nodes[parent].last = Int(previous) == node ? 0 : previous }
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
            if !isLaidOut {
                moveKey(of: node)
                text.pointee.append(kind == .array ? UInt8(ascii: "[") : UInt8(ascii: "{"))
                closeText(node)
            }
            // Another container of the same key continues this one.
            let parent = Int(nodes[node].parent)
            if node != 0, containers[parent] != nil { containers[parent]?[name(of: node, kind)] = node }
        }
    }

    /// Closes the node of a value that has been encoded.
    ///
    /// - Throws: `EncodingError` if it is nested deeper than the encoder allows.
    @inline(__always)
    func close<Value>(_ node: Int, of value: Value) throws {
        if nodes[node].kind == .empty { open(.object, at: node) }
        guard nodes[node].kind == .text || nodes[node].depth < encoder.maximumDepth else {
            throw tooDeep(value, at: node)
        }
        joinText(node)
    }

    /// Makes the text of a node a part of that before it, if the node is the last one and its text is at the end.
    private func joinText(_ node: Int) {
        let parent = Int(nodes[node].parent)
        guard !isLaidOut, nodes[node].last == 0, node &+ 1 == storage.pointee.count,
            nodes[node].start &+ nodes[node].length == text.pointee.count,
            // A container of the same key would continue this one.
            containers.isEmpty || containers[parent] == nil && containers[node] == nil,
            nodes[node].kind != .object || !nodes[node].mayHaveDuplicates || isKnownWithoutDuplicates(node)
        else { return }
        switch nodes[node].kind {
        case .array: text.pointee.append(UInt8(ascii: "]"))
        case .object: text.pointee.append(UInt8(ascii: "}"))
        case .text, .empty: break
        }
        nodes[node].kind = .text
        closeText(node)
        // Its encoder and its containers are of no use anymore.
        storage.pointee.added &+= 1
        nodes[node].serial = storage.pointee.added
        guard node != 0, nodes[node].continuesText else { return }
        unlink(node)
        closeText(textBefore(node))
        storage.pointee.count = node
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

    /// Returns the coding path of an encoder or container, or an empty one if its value has become a part of a text.
    func path(of reference: Reference) -> [any CodingKey] {
        isCurrent(reference) ? path(of: Int(reference.index)) : []
    }

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
