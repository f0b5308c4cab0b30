// The members of an object: keys that occur twice, and the order.
extension JSONTree {
    /// Removes the members of an object whose key occurs again later, and sorts the others if they are to be sorted.
    func arrange(_ object: Int) {
        let isSorted = encoder.outputFormatting.contains(.sortedKeys)
        guard isLaidOut, isSorted || nodes[object].mayHaveDuplicates else { return }
        var members = children(of: object)
        if nodes[object].mayHaveDuplicates {
            let last = Dictionary(members.map { (Array(key(of: $0)), $0) }) { _, later in later }
            members = members.filter { last[Array(key(of: $0))] == $0 }
        }
        if isSorted {
            members = members.map { (name: string(key(of: $0)), node: $0) }
                .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }.map(\.node)
        }
        nodes[object].last = 0
        for member in members { link(member) }
    }

    /// Checks an object that may have a key twice, unless the tree is laid out.
    ///
    /// - Parameter value: The value that has been encoded as the object; `nil` if it is not known.
    @inline(__always)
    func checkKeys<Value>(of object: Int, value: Value) {
        guard !isLaidOut, nodes[object].mayHaveDuplicates, !shapesWithoutDuplicates.contains(nodes[object].shape) else {
            return
        }
        // The cast takes longer than the checks before it.
        if value is any StringKeyed {
            nodes[object].mayHaveDuplicates = false
        } else if !hasUniqueKeys(object) {
            mustBeLaidOut = true
        }
    }

    /// Returns whether it is known that an object has no key twice.
    ///
    /// An object that is only text is searched if all searches together read at most twice the text of the document.
    /// The result is stored for objects with the same keys.
    private func hasUniqueKeys(_ object: Int) -> Bool {
        guard nodes[object].last == 0, searched + nodes[object].length <= 2 * text.pointee.count else { return false }
        searched += nodes[object].length
        let end = nodes[object].start + nodes[object].length
        guard hasUniqueKeys(nodes[object].start + bracketEnd(of: object)..<end) else { return false }
        shapesWithoutDuplicates.insert(nodes[object].shape)
        return true
    }

    /// Searches the text of members for a key that occurs twice.
    private func hasUniqueKeys(_ range: Range<Int>) -> Bool {
        let bytes = UnsafeBufferPointer(start: UnsafePointer(text.pointee.bytes), count: text.pointee.count)
        var keys: Set<[UInt8]> = []
        var nesting = JSONNesting()
        // The start of a key; `nil` after the key, up to the next comma.
        var start: Int? = range.lowerBound
        for index in range {
            if nesting.isOutside {
                if let key = start, bytes[index] == UInt8(ascii: ":") {
                    guard keys.insert(Array(bytes[key..<index])).inserted else { return false }
                    start = nil
                } else if bytes[index] == UInt8(ascii: ",") {
                    start = index + 1
                }
            }
            nesting.read(bytes[index])
        }
        return true
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
        return path.reversed()
    }

    /// The string of a key that has been written with its quotes and its colon.
    func string(_ key: UnsafeBufferPointer<UInt8>) -> String {
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
    /// - Throws: ``MustBeLaidOut``; `EncodingError` if the document is nested deeper than the encoder allows, or if an
    ///   encoder or a container was used after its value had been encoded.
    func document(of value: Any, isKept: Bool) throws -> Data? {
        guard nodes[0].kind != .empty else { return nil }
        try close(0, of: value)
        // Nested containers are never closed.
        for node in 0..<storage.pointee.count where nodes[node].kind == .object {
            checkKeys(of: node, value: nil as Any?)
        }
        if mustBeLaidOut { throw MustBeLaidOut() }
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
