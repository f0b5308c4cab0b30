// The members of an object, which are read from its text and its nodes: keys that occur twice, and the order.
extension JSONTree {
    /// Removes members of an object whose key occurs again later, and sorts the others if they are to be sorted.
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
    /// that is not searched keeps its node. The result is stored for objects with the same keys.
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
            // An open container has no closing bracket.
            nodes[node].length -= 1
            // The keys in the text of this node are not known.
            nodes[node].mayHaveDuplicates = true
            // A shape that no other node has.
            nodes[node].shape = UInt64(nodes[node].start) &* 0x9E37_79B9_7F4A_7C15
        }
    }

    /// Replaces the members of an object. Each member that is only text gets a node.
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

// The keys of members, and the coding paths that are read from these keys.
extension JSONTree {
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
        // The upper six bits of the hash choose one of 64 bits.
        let bit = 1 &<< (hash &>> 58)
        if nodes[object].keys & bit != 0 { nodes[object].mayHaveDuplicates = true }
        nodes[object].keys |= bit
        // The factor is the prime of the hash FNV-1a.
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

    /// Returns the converted name of a key. Names are stored, because types have few keys and encode them often.
    private func snakeCase(_ key: String) -> String {
        if let known = snakeCase[key] { return known }
        let converted = SnakeCase.snakeCase(of: key)
        if snakeCase.count < 1_024 { snakeCase[key] = converted }
        return converted
    }

    // MARK: Paths

    /// Returns the coding path of an encoder or container, or an empty one after its value has been encoded.
    func path(of reference: Reference) -> [any CodingKey] {
        isCurrent(reference) ? path(of: Int(reference.index)) : []
    }

    /// Returns the coding path of a node.
    func path(of node: Int) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var node = node
        while node != 0 {
            let parent = Int(nodes[node].parent)
            if nodes[node].keyLength > 0 {
                let name = string(key(of: node))
                path.append(nodes[node].key?.init(stringValue: name) ?? JSONCodingKey(name))
            } else {
                path.append(JSONCodingKey(index: Int(nodes[node].number)))
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

    /// The kind and the key of a member.
    func name(of node: Int, _ kind: Node.Kind) -> [UInt8] { [kind.rawValue] + key(of: node) }

    /// The text of a member's key, with its quotes and its colon.
    func key(of node: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(
            start: UnsafePointer(text.pointee.bytes + nodes[node].start), count: Int(nodes[node].keyLength))
    }

    /// Writes the document; `nil` if nothing has been encoded.
    ///
    /// - Parameters:
    ///   - value: The value that has been encoded, for the error.
    ///   - isKept: Whether an encoder or a container of the document still exists, and may read the text.
    /// - Throws: `EncodingError` if the document is nested deeper than the encoder allows, or if an encoder or a
    ///   container was used after its value had been encoded.
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
        defer { output.deallocate() }
        try write(value, to: &output)
        return output.take()
    }

    private func write(_ value: Any, to output: inout JSONBuffer) throws {
        let isPretty = encoder.outputFormatting.contains(.prettyPrinted)
        var node = 0
        // Whether the node was reached from its parent or a sibling, and not from its last child.
        var isEntered = true
        while true {
            let isArray = nodes[node].kind == .array
            // A node in which nothing was encoded is an object.
            let isContainer = nodes[node].kind != .text && nodes[node].kind != .value
            if isEntered {
                if nodes[node].kind == .object { arrange(node) }
                writeText(of: node, to: &output, isPretty)
                if isContainer {
                    guard nodes[node].depth < encoder.maximumDepth else { throw tooDeep(value, at: node) }
                    if isLaidOut || nodes[node].kind == .empty {
                        output.append(isArray ? UInt8(ascii: "[") : UInt8(ascii: "{"))
                    }
                    let last = Int(nodes[node].last)
                    // As in Foundation, an empty array or object contains an empty line.
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

    /// Writes the key of a node, and then the values of a text or the first values of a container.
    private func writeText(of node: Int, to output: inout JSONBuffer, _ isPretty: Bool) {
        let start = UnsafePointer(text.pointee.bytes + nodes[node].start)
        let length = Int(nodes[node].keyLength)
        if isPretty, length > 0 {
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
}
