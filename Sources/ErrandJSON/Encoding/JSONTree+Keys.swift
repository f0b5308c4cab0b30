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
}
