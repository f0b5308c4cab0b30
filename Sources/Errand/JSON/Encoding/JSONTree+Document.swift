extension JSONTree {
    /// Writes the document; `nil` if nothing has been encoded.
    func document() -> Data? {
        guard nodes[0].kind != .empty else { return nil }
        var output = JSONBuffer(capacity: text.pointee.count + 64, escapesSlashes: false)
        // Where each open object that may have a key twice begins.
        var suspects: [Int] = []
        // Values of one type mostly have the same keys.
        var innocentShapes: Set<UInt64> = []
        var node = 0
        var isEntered = true
        while true {
            let current = nodes[node]
            if isEntered {
                output.append(UnsafePointer(text.pointee.bytes + current.start), current.length)
                switch current.kind {
                case .text: break
                case .empty: output.append(literal: "{}")
                case .array, .object:
                    if current.mayHaveDuplicates, current.kind == .object { suspects.append(output.count) }
                    output.append(current.kind == .array ? UInt8(ascii: "[") : UInt8(ascii: "{"))
                    if current.last != 0 {
                        node = Int(nodes[Int(current.last)].next)
                        continue
                    }
                }
            }
            if current.kind == .array || current.kind == .object {
                output.append(current.kind == .array ? UInt8(ascii: "]") : UInt8(ascii: "}"))
                if current.mayHaveDuplicates, current.kind == .object {
                    let start = suspects.removeLast()
                    if !innocentShapes.contains(current.shape), !JSONLayout.removeDuplicates(from: &output, at: start) {
                        innocentShapes.insert(current.shape)
                    }
                }
            }
            guard node != 0 else { break }
            let parent = Int(current.parent)
            isEntered = Int(nodes[parent].last) != node
            if isEntered {
                output.append(UInt8(ascii: ","))
                node = Int(current.next)
            } else {
                node = parent
            }
        }
        return Data(bytesNoCopy: output.bytes, count: output.count, deallocator: .free)
    }
}
