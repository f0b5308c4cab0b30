/// Writes a document again: with sorted keys, with line breaks, or without keys that occur twice.
struct JSONLayout {
    private let isPretty: Bool
    private let isSorted: Bool

    init(_ formatting: JSONEncoder.OutputFormatting) {
        isPretty = formatting.contains(.prettyPrinted)
        isSorted = formatting.contains(.sortedKeys)
    }

    /// Returns a valid document in this layout.
    func apply(to document: Data) -> Data {
        document.withUnsafeBytes { bytes in
            Self.withTape(bytes.bindMemory(to: UInt8.self)) { tape in
                var output = JSONBuffer(capacity: document.count * 2, escapesSlashes: false)
                write(tape, to: &output)
                return Data(bytesNoCopy: output.bytes, count: output.count, deallocator: .free)
            }
        }
    }

    /// Writes the values one after the other; the members that are still to be written are on a stack.
    private func write(_ tape: JSONTape, to output: inout JSONBuffer) {
        /// The keys or elements of an open container that are left, the next one last.
        var open: [(rest: [Int], isObject: Bool)] = []
        var value = 0
        while true {
            let token = tape[value]
            if token.isContainer {
                let isObject = token.kind == .object
                output.append(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
                open.append((children(of: value, in: tape), isObject))
                if isPretty { breakLine(&output, token.length == 0 ? 0 : open.count) }
            } else {
                appendToken(value, of: tape, to: &output)
            }
            var isFirst = token.isContainer
            while let (rest, isObject) = open.last, rest.isEmpty {
                open.removeLast()
                if isPretty { breakLine(&output, open.count) }
                output.append(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
                isFirst = false
            }
            guard let next = open.last?.rest.last else { return }
            open[open.count - 1].rest.removeLast()
            if !isFirst {
                output.append(UInt8(ascii: ","))
                if isPretty { breakLine(&output, open.count) }
            }
            value = next
            if open[open.count - 1].isObject {
                appendToken(next, of: tape, to: &output)
                output.append(literal: isPretty ? " : " : ":")
                value = tape.next(after: next)
            }
        }
    }

    private func children(of container: Int, in tape: JSONTape) -> [Int] {
        let isObject = tape[container].kind == .object
        var children: [Int] = []
        var child = tape.firstChild(of: container)
        while child < tape[container].high {
            children.append(child)
            child = tape.next(after: child)
            if isObject { child = tape.next(after: child) }
        }
        if isObject, isSorted {
            let names = Dictionary(uniqueKeysWithValues: children.map { ($0, tape.string(at: $0)) })
            children.sort { (names[$0] ?? "").utf8.lexicographicallyPrecedes((names[$1] ?? "").utf8) }
        }
        return children.reversed()
    }

    private func appendToken(_ index: Int, of tape: JSONTape, to output: inout JSONBuffer) {
        let text = tape.source(of: index)
        let start = text.baseAddress.unsafelyUnwrapped
        switch tape[index].kind {
        case .null: output.append(literal: "null")
        case .false: output.append(literal: "false")
        case .true: output.append(literal: "true")
        case .string, .text, .offset: output.append(start - 1, text.count + 2)
        case .number, .array, .object: output.append(start, text.count)
        }
    }

    private func breakLine(_ output: inout JSONBuffer, _ depth: Int) {
        output.append(UInt8(ascii: "\n"))
        for _ in 0..<depth { output.append(literal: "  ") }
    }

    /// Removes all members but the last of each key from the object at the end of the output.
    ///
    /// - Returns: Whether there were any.
    static func removeDuplicates(from output: inout JSONBuffer, at start: Int) -> Bool {
        let object = UnsafeBufferPointer(start: output.bytes + start, count: output.count - start)
        let kept: [UInt8]? = withTape(object) { tape in
            guard tape[0].isMarked else { return nil }
            var members: [(name: String, text: ArraySlice<UInt8>)] = []
            var key = tape.firstChild(of: 0)
            while key < tape[0].high {
                let next = tape.next(after: tape.next(after: key))
                // A member ends before the comma and the quote of the next, or before the closing brace.
                let end = next < tape[0].high ? tape[next].high - 2 : object.count - 1
                members.append((tape.string(at: key), Array(object[(tape[key].high - 1)..<end])[...]))
                key = next
            }
            var seen: Set<String> = []
            let last = members.reversed().filter { seen.insert($0.name).inserted }.reversed()
            return Array(last.map(\.text).joined(separator: [UInt8(ascii: ",")]))
        }
        guard let kept else { return false }
        output.truncate(to: start + 1)
        kept.withUnsafeBufferPointer { bytes in
            if let first = bytes.baseAddress { output.append(first, bytes.count) }
        }
        output.append(UInt8(ascii: "}"))
        return true
    }

    /// Calls `body` with the tokens of a document that the encoder has written.
    static func withTape<Result>(
        _ document: UnsafeBufferPointer<UInt8>, _ body: (JSONTape) -> Result
    ) -> Result {
        do {
            let tokenizer = try JSONTokenizer.tokens(of: document, depth: .max)
            defer { tokenizer.release() }
            return body(tokenizer.tape)
        } catch {
            preconditionFailure("the encoder wrote a document that is not JSON: \(error)")
        }
    }
}
