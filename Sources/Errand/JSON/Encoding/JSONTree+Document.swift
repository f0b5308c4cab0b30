extension JSONTree {
    /// Writes the document; `nil` if nothing has been encoded.
    ///
    /// - Throws: `EncodingError` if it is nested deeper than the encoder allows.
    func document(of value: Any) throws -> Data? {
        guard nodes[0].kind != .empty else { return nil }
        var output = JSONBuffer(capacity: text.pointee.count + 64, escapesSlashes: false)
        do {
            try write(value, to: &output)
        } catch {
            output.deallocate()
            throw error
        }
        return Data(bytesNoCopy: output.bytes, count: output.count, deallocator: .free)
    }

    private func write(_ value: Any, to output: inout JSONBuffer) throws {
        let isPretty = encoder.outputFormatting.contains(.prettyPrinted)
        // Values of one type mostly have the same keys.
        var shapesWithoutDuplicates: Set<UInt64> = []
        var node = 0
        var isEntered = true
        while true {
            let isArray = nodes[node].kind == .array
            // One in which nothing was encoded is an object.
            let isContainer = nodes[node].kind != .text
            if isEntered {
                writeText(of: node, to: &output, isPretty)
                if isContainer {
                    guard nodes[node].depth < encoder.maximumDepth else { throw tooDeep(value, at: node) }
                    if nodes[node].kind == .object { arrange(node, &shapesWithoutDuplicates) }
                    output.append(isArray ? UInt8(ascii: "[") : UInt8(ascii: "{"))
                    let last = Int(nodes[node].last)
                    if isPretty { breakLine(&output, last == 0 ? 0 : nodes[node].depth + 1) }
                    if last != 0 {
                        node = Int(nodes[last].next)
                        continue
                    }
                }
            }
            if isContainer {
                if isPretty { breakLine(&output, nodes[node].depth) }
                output.append(isArray ? UInt8(ascii: "]") : UInt8(ascii: "}"))
            }
            guard node != 0 else { return }
            let parent = Int(nodes[node].parent)
            isEntered = Int(nodes[parent].last) != node
            if isEntered {
                output.append(UInt8(ascii: ","))
                if isPretty { breakLine(&output, nodes[node].depth) }
                node = Int(nodes[node].next)
            } else {
                node = parent
            }
        }
    }

    /// Writes the key of a node, and the values of one that is not a container.
    private func writeText(of node: Int, to output: inout JSONBuffer, _ isPretty: Bool) {
        let start = UnsafePointer(text.pointee.bytes + nodes[node].start)
        if isPretty, node != 0, nodes[Int(nodes[node].parent)].kind == .object {
            let length = Int(nodes[node].place)
            output.append(start, length - 1)
            output.append(literal: " : ")
            output.append(start + length, nodes[node].length - length)
        } else {
            output.append(start, nodes[node].length)
        }
    }

    private func breakLine(_ output: inout JSONBuffer, _ depth: UInt32) {
        output.append(UInt8(ascii: "\n"))
        for _ in 0..<depth { output.append(literal: "  ") }
    }

    // MARK: Members

    /// Removes keys that occur twice from an object, and sorts its members if they are to be sorted.
    private func arrange(_ object: Int, _ shapesWithoutDuplicates: inout Set<UInt64>) {
        let shape = nodes[object].shape
        if nodes[object].mayHaveDuplicates, !shapesWithoutDuplicates.contains(shape), !removeDuplicates(of: object) {
            shapesWithoutDuplicates.insert(shape)
        }
        guard encoder.outputFormatting.contains(.sortedKeys) else { return }
        let members = children(of: object).map { (name: string(key(of: $0)), node: $0) }
        nodes[object].last = 0
        for member in members.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) { link(member.node) }
    }

    /// A member of an object: its node, or a part of a text.
    private struct Member {
        let node: Int
        /// With its quotes and its colon.
        let key: UnsafeBufferPointer<UInt8>
        let text: Range<Int>
    }

    /// Removes all members but the last of each key.
    ///
    /// - Returns: Whether there were any.
    private func removeDuplicates(of object: Int) -> Bool {
        let members = children(of: object).flatMap { self.members(of: $0) }
        var last: [[UInt8]: Int] = [:]
        for (number, member) in members.enumerated() { last[Array(member.key)] = number }
        guard last.count < members.count else { return false }
        nodes[object].last = 0
        for (number, member) in members.enumerated() where last[Array(member.key)] == number {
            guard nodes[member.node].kind == .text else {
                link(member.node)
                continue
            }
            let node = add(to: object)
            nodes[node].kind = .text
            (nodes[node].start, nodes[node].length) = (member.text.lowerBound, member.text.count)
            nodes[node].place = UInt32(truncatingIfNeeded: member.key.count)
        }
        return true
    }

    /// Takes the text of a node apart at the commas between members.
    private func members(of node: Int) -> [Member] {
        let range = nodes[node].start..<nodes[node].start + nodes[node].length
        guard nodes[node].kind == .text else { return [Member(node: node, key: key(of: node), text: range)] }
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
                members.append(Member(node: node, key: found, text: start..<index))
                (start, key) = (index + 1, nil)
            }
            nesting.read(bytes[index])
        }
        if let key { members.append(Member(node: node, key: key, text: start..<range.upperBound)) }
        return members
    }
}
