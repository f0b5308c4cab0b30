// The members of an object: keys that occur twice, and their order.
extension JSONTree {
    /// Removes keys that occur twice from an object, and sorts its members if they are to be sorted.
    func arrange(_ object: Int) {
        if nodes[object].mayHaveDuplicates, !shapesWithoutDuplicates.contains(nodes[object].shape) {
            removeDuplicates(of: object)
        }
        guard encoder.outputFormatting.contains(.sortedKeys) else { return }
        let members = children(of: object).map { (name: string(key(of: $0)), node: $0) }
        nodes[object].last = 0
        for member in members.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) { link(member.node) }
    }

    /// A member of an object: its node, or a part of a text.
    private struct Member {
        var node: Int?
        /// The key with its quotes and its colon.
        let key: UnsafeBufferPointer<UInt8>
        var text = 0..<0
    }

    /// Whether it is known that an object without children has no key twice.
    ///
    /// Its text is searched only if all searches together have read no more than the text of the document. An object
    /// that is not searched keeps its node.
    func isKnownWithoutDuplicates(_ object: Int) -> Bool {
        if shapesWithoutDuplicates.contains(nodes[object].shape) { return true }
        guard searched + nodes[object].length <= text.pointee.count else { return false }
        searched += nodes[object].length
        let members = self.members(beginning: object)
        guard Set(members.map { Array($0.key) }).count == members.count else { return false }
        shapesWithoutDuplicates.insert(nodes[object].shape)
        return true
    }

    /// Removes all members of an object but the last of each key.
    private func removeDuplicates(of object: Int) {
        let members = self.members(of: object)
        var last: [[UInt8]: Int] = [:]
        for (number, member) in members.enumerated() { last[Array(member.key)] = number }
        guard last.count < members.count else {
            shapesWithoutDuplicates.insert(nodes[object].shape)
            return
        }
        replaceMembers(of: object, by: members.enumerated().filter { last[Array($1.key)] == $0 }.map(\.element))
    }

    /// Makes each member of an object its own node, so that its arrays and objects can be continued.
    func takeApart(_ object: Int) {
        guard !isLaidOut else { return }
        replaceMembers(of: object, by: members(of: object))
        let bytes = text.pointee.bytes
        for node in children(of: object) where nodes[node].kind == .text {
            let bracket = bytes[nodes[node].start + Int(nodes[node].keyLength)]
            guard bracket == UInt8(ascii: "[") || bracket == UInt8(ascii: "{") else { continue }
            nodes[node].kind = bracket == UInt8(ascii: "[") ? .array : .object
            nodes[node].length -= 1
            // The keys in the text of this node are not known.
            nodes[node].mayHaveDuplicates = true
            nodes[node].shape = UInt64(nodes[node].start) &* 0x9E37_79B9_7F4A_7C15
        }
    }

    private func replaceMembers(of object: Int, by members: [Member]) {
        nodes[object].last = 0
        if !isLaidOut { nodes[object].length = bracketEnd(of: object) }
        for member in members {
            if let node = member.node {
                nodes[node].continuesText = false
                link(node)
                continue
            }
            let node = add(to: object)
            nodes[node].kind = .text
            (nodes[node].start, nodes[node].length) = (member.text.lowerBound, member.text.count)
            nodes[node].keyLength = UInt32(truncatingIfNeeded: member.key.count)
        }
    }

    private func members(of object: Int) -> [Member] {
        members(beginning: object)
            + children(of: object).flatMap { child in
                nodes[child].kind == .text
                    ? members(nodes[child].start..<nodes[child].start + nodes[child].length)
                    : [Member(node: child, key: key(of: child))]
            }
    }

    /// The members in the object's own text, which come before its children.
    private func members(beginning object: Int) -> [Member] {
        guard !isLaidOut else { return [] }
        return members(
            nodes[object].start + bracketEnd(of: object)..<nodes[object].start + nodes[object].length)
    }

    /// Takes a text apart at the commas between members.
    private func members(_ range: Range<Int>) -> [Member] {
        steps += range.count
        let bytes = UnsafeBufferPointer(start: UnsafePointer(text.pointee.bytes), count: text.pointee.count)
        var members: [Member] = []
        var nesting = JSONNesting()
        var start = range.lowerBound
        var key: UnsafeBufferPointer<UInt8>?
        for index in range {
            if nesting.isOutside, bytes[index] == UInt8(ascii: ":"), key == nil {
                key = UnsafeBufferPointer(rebasing: bytes[start...index])
            } else if nesting.isOutside, bytes[index] == UInt8(ascii: ","), let found = key {
                members.append(Member(key: found, text: start..<index))
                (start, key) = (index + 1, nil)
            }
            nesting.read(bytes[index])
        }
        if let key { members.append(Member(key: key, text: start..<range.upperBound)) }
        return members
    }
}
