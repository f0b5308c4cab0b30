// How values are written: with a node, from adding it to closing it, or as text alone.
extension JSONTree {
    // MARK: Values with a node

    /// Adds a child whose value is written next, with a comma if its text continues another.
    @inline(__always)
    private func addValue(to parent: Int) -> Int {
        let continuesText = continueText(of: parent) != nil
        let node = add(to: parent)
        nodes[node].continuesText = continuesText
        return node
    }

    /// Adds an empty node with a key to an object.
    func addMember(_ key: some CodingKey, of object: Int) -> Int {
        let node = addValue(to: object)
        writeKey(key, of: object)
        closeText(node)
        nodes[node].keyLength = UInt32(truncatingIfNeeded: nodes[node].length)
        nodes[node].key = type(of: key)
        return node
    }

    /// Returns the container of a key in an object: the one that was opened before, or a new node.
    func addContainer(_ kind: Node.Kind, _ key: some CodingKey, of object: Int) -> Int {
        let node = addMember(key, of: object)
        guard isLaidOut, nodes[object].mayHaveDuplicates else { return node }
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
            // Further keys come from a type, not from a dictionary.
            nodes[other].isDictionary = false
            return other
        }
        containers[object]?[name] = node
        return node
    }

    /// Adds an empty node to an array.
    func addElement(_ number: Int, of array: Int) -> Int {
        let node = addValue(to: array)
        nodes[node].number = UInt32(truncatingIfNeeded: number)
        return node
    }

    /// Turns an empty node into a container, or continues a container of the same kind.
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

    /// Closes the node of a value that has been encoded. A value that has encoded nothing is an empty object.
    ///
    /// - Throws: `EncodingError` if the value is nested deeper than the encoder allows.
    @inline(__always)
    func close<Value>(_ node: Int, of value: Value) throws {
        if nodes[node].kind == .empty { open(.object, at: node) }
        guard nodes[node].kind == .value || nodes[node].depth < encoder.maximumDepth else {
            throw tooDeep(value, at: node)
        }
        nodes[node].serial = .max
        if nodes[node].kind == .object { checkKeys(of: node, value: value) }
        joinText(node)
    }

    /// Joins the text of a node with the text before it, if the node is the last one and its text is at the end.
    private func joinText(_ node: Int) {
        if nodes[node].kind == .value { nodes[node].kind = .text }
        guard !isLaidOut, nodes[node].last == 0, node &+ 1 == storage.pointee.count,
            nodes[node].start &+ nodes[node].length == text.pointee.count
        else { return }
        switch nodes[node].kind {
        case .array: text.pointee.append(UInt8(ascii: "]"))
        case .object: text.pointee.append(UInt8(ascii: "}"))
        case .text, .value, .empty: break
        }
        nodes[node].kind = .text
        closeText(node)
        guard node != 0, nodes[node].continuesText else { return }
        unlink(node)
        closeText(textBefore(node))
        storage.pointee.count = node
    }

    // MARK: Text

    /// Returns the node with the last text of a container, and appends a comma after a value. Returns `nil` if the
    /// layout or another node's text prevents that this text is continued.
    @inline(__always)
    func continueText(of container: Int) -> Int? {
        let last = Int(nodes[container].last)
        // The first values of a container are in its own node.
        let node = last == 0 ? container : last
        guard !isLaidOut, nodes[node].start &+ nodes[node].length == text.pointee.count,
            last == 0 || nodes[node].kind == .text
        else { return nil }
        text.pointee.appendComma()
        return node
    }

    /// The length of the text of a container up to its first value: its key and its bracket.
    @inline(__always)
    func bracketEnd(of container: Int) -> Int { Int(nodes[container].keyLength) &+ 1 }

    /// Returns a node for text at the end of a container, after a comma if the node already has text.
    @inline(__always)
    func openText(in container: Int) -> Int {
        if let node = continueText(of: container) { return node }
        let node = add(to: container)
        nodes[node].kind = .text
        return node
    }

    /// Returns a node for text at the end of an object, after writing a key to it.
    @inline(__always)
    func openMember(_ key: some CodingKey, of object: Int) -> Int {
        let node = openText(in: object)
        let start = text.pointee.count
        writeKey(key, of: object)
        // Each member has its own node, and is sorted by its key.
        if isLaidOut { nodes[node].keyLength = UInt32(truncatingIfNeeded: text.pointee.count - start) }
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

    /// Ensures that the key of an empty node is at the end of the text.
    @inline(__always)
    func moveKey(of node: Int) {
        let (start, length) = (nodes[node].start, nodes[node].length)
        if start &+ length != text.pointee.count {
            // Another node was written since: the key is copied to the end. With room for it, the bytes do not move.
            text.pointee.reserve(length)
            nodes[node].start = text.pointee.count
            nodes[node].continuesText = false
            text.pointee.append(UnsafePointer(text.pointee.bytes + start), length)
        }
    }

    @inline(__always)
    func endValue(of node: Int) {
        nodes[node].kind = .value
        closeText(node)
    }
}
