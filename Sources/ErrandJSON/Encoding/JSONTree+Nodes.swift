// The nodes, and how a parent links its children.
extension JSONTree {
    /// Adds a child to an array or object. The child's text begins at the end of the text of all nodes.
    func add(to parent: Int) -> Int {
        let node = addUnlinked(to: parent)
        link(node)
        return node
    }

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

    /// Returns the node of an encoder, or of a container of a kind.
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
        steps += children.count
        return children
    }

    /// Removes a node from its parent: its value could not be encoded, or its key already has a container.
    func remove(_ node: Int) {
        let parent = Int(nodes[node].parent)
        unlink(node)
        // The hash of the keys still includes the key of the removed node.
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

    /// The node whose text a child continues: the previous child, or the parent for the first child.
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
