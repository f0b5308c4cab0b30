extension JSONTree {
    /// Writes the document; `nil` if nothing has been encoded.
    ///
    /// - Parameters:
    ///   - value: The value that has been encoded, for the error.
    ///   - isKept: Whether an encoder or a container of the document still exists.
    /// - Throws: `EncodingError` if the document is nested deeper than the encoder allows, or if a container was used
    ///   after its value had been encoded.
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
