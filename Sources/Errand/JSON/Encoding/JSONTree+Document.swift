extension JSONTree {
    /// Writes the document; `nil` if nothing has been encoded.
    ///
    /// - Parameters:
    ///   - value: The value that has been encoded, for the error.
    ///   - isKept: Whether an encoder or a container of the document still exists.
    /// - Throws: `EncodingError` if it is nested deeper than the encoder allows, or if a container was used after its
    ///   value had been encoded.
    func document(of value: Any, isKept: Bool) throws -> Data? {
        guard nodes[0].kind != .empty else { return nil }
        try close(0, of: value)
        guard !isUsedLate else {
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(
                    codingPath: [],
                    debugDescription: "an encoder or a container was used after its value had been encoded"))
        }
        if !isKept, nodes[0].kind == .text, nodes[0].length == text.pointee.count { return text.pointee.take() }
        var output = JSONBuffer(capacity: text.pointee.count + 64, escapesSlashes: false)
        do {
            try write(value, to: &output)
        } catch {
            output.deallocate()
            throw error
        }
        defer { output.deallocate() }
        return output.take()
    }

    private func write(_ value: Any, to output: inout JSONBuffer) throws {
        let isPretty = encoder.outputFormatting.contains(.prettyPrinted)
        var node = 0
        var isEntered = true
        while true {
            let isArray = nodes[node].kind == .array
            // One in which nothing was encoded is an object.
            let isContainer = nodes[node].kind != .text
            if isEntered {
                if nodes[node].kind == .object { arrange(node) }
                writeText(of: node, to: &output, isPretty)
                if isContainer {
                    guard nodes[node].depth < encoder.maximumDepth else { throw tooDeep(value, at: node) }
                    if isLaidOut || nodes[node].kind == .empty {
                        output.append(isArray ? UInt8(ascii: "[") : UInt8(ascii: "{"))
                    }
                    let last = Int(nodes[node].last)
                    if isPretty { breakLine(&output, last == 0 ? 0 : nodes[node].depth + 1) }
                    if last != 0 {
                        if !isLaidOut, nodes[node].length > bracketEnd(of: node) { output.append(UInt8(ascii: ",")) }
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

    /// Writes the key of a node, and the values of a text or those that a container begins with.
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
    private func arrange(_ object: Int) {
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
        /// With its quotes and its colon.
        let key: UnsafeBufferPointer<UInt8>
        var text = 0..<0
    }

    /// Whether an object without children has no key twice, as far as that is known.
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
            let bracket = bytes[nodes[node].start + Int(nodes[node].place)]
            guard bracket == UInt8(ascii: "[") || bracket == UInt8(ascii: "{") else { continue }
            nodes[node].kind = bracket == UInt8(ascii: "[") ? .array : .object
            nodes[node].length -= 1
            // Its keys are not known.
            nodes[node].mayHaveDuplicates = true
            nodes[node].shape = UInt64(nodes[node].serial) &* 0x9E37_79B9_7F4A_7C15
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
            nodes[node].place = UInt32(truncatingIfNeeded: member.key.count)
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

    /// The members that an object begins with.
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
