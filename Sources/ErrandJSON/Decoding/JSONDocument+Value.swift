extension JSONDocument {
    /// Returns a value without a schema. It does not recurse: `open` has the arrays and objects that are not complete
    /// yet. An array or object with the same text as the previous one shares its memory.
    ///
    /// - Throws: `DecodingError` for a value that is nested deeper than ``JSONValue/maximumDepth``, and for a document
    ///   whose arrays and objects take too much memory.
    func jsonValue(at index: Int) throws -> JSONValue {
        var open: [OpenValue] = []
        var at = index
        while true {
            let token = tape[at]
            if token.isContainer {
                guard open.count < JSONValue.maximumDepth else {
                    throw corrupted(
                        "arrays and objects in a JSONValue are nested deeper than \(JSONValue.maximumDepth)", at: at)
                }
                if let twin = sharedValue(at: at, depth: open.count) {
                    at = token.high
                    guard !open.isEmpty else { return twin }
                    open[open.count - 1].add(twin)
                } else {
                    open.append(OpenValue(token, offset: tape.offset(of: at)))
                    try countMemory(of: token, at: at)
                    at = tape.firstChild(of: at)
                }
            } else {
                let value = simpleValue(at: at)
                at = tape.next(after: at)
                guard !open.isEmpty else { return value }
                open[open.count - 1].add(value)
            }
            // Adds each array and object that ends here to its container.
            while let innermost = open.last, at >= innermost.end {
                open.removeLast()
                let value = innermost.value
                shared.value = (value, innermost.offset, open.count)
                guard !open.isEmpty else { return value }
                open[open.count - 1].add(value)
            }
            // In an object, a key comes before the next value.
            if open[open.count - 1].isObject {
                open[open.count - 1].key = tape.string(at: at)
                at = tape.next(after: at)
            }
        }
    }

    /// Counts the memory of an array or object, so that a small document cannot take all memory. The nested arrays
    /// `[[[0]]]` would take 40 bytes for each byte; a document with usual values takes 2 to 15.
    private func countMemory(of token: JSONToken, at index: Int) throws {
        let (base, perMember) = token.kind == .object ? (72, 64) : (48, 16)
        memory += token.length == 0 ? 0 : base + token.length * perMember
        guard memory <= 20 * tape.end + (4 << 20) else {
            throw corrupted("the arrays and objects take more than 20 times the memory of the document", at: index)
        }
    }

    /// Returns the last complete array or object if the one at an index has the same text. A document of many equal
    /// values, such as `[0]`, would otherwise need many times its size.
    ///
    /// - Parameter depth: The number of arrays and objects around the value. It must not exceed that of the other one,
    ///   which has been checked for ``JSONValue/maximumDepth``.
    private func sharedValue(at index: Int, depth: Int) -> JSONValue? {
        guard let (value, start, largestDepth) = shared.value, depth <= largestDepth, shared.effort > 0 else {
            return nil
        }
        let (first, second) = (tape.bytes + start, tape.bytes + tape.offset(of: index))
        let end = tape.end - tape.offset(of: index)
        var nesting = JSONNesting()
        var position = 0
        while position < end, first[position] == second[position] {
            nesting.read(first[position])
            position += 1
            // Both texts are valid, so they end here.
            if nesting.isOutside { return value }
        }
        shared.effort -= position
        return nil
    }

    private func simpleValue(at index: Int) -> JSONValue {
        // Arrays, objects and `.offset` do not occur here.
        switch tape[index].kind {
        case .true: .bool(true)
        case .false: .bool(false)
        case .number: .number(JSONNumber(unchecked: String(decoding: tape.text(of: index), as: UTF8.self)))
        case .string, .text, .offset: .string(tape.string(at: index))
        case .null, .array, .object: .null
        }
    }
}

/// An array or object that is being read.
private struct OpenValue {
    let isObject: Bool
    /// The index after its last token.
    let end: Int
    /// The offset of its bracket.
    let offset: Int
    /// The key of the next member.
    var key = ""
    private var elements: [JSONValue] = []
    private var members: JSONValue.Object = [:]

    init(_ token: JSONToken, offset: Int) {
        isObject = token.kind == .object
        end = token.high
        self.offset = offset
        // A dictionary allocates memory even for a capacity of 0.
        guard token.length > 0 else { return }
        if isObject { members.reserveCapacity(token.length) } else { elements.reserveCapacity(token.length) }
    }

    mutating func add(_ value: JSONValue) {
        guard isObject else { return elements.append(value) }
        if members[key] == nil { members[key] = value }
    }

    var value: JSONValue { isObject ? .object(members) : .array(elements) }
}
