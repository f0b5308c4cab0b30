/// Writes JSON in few lines: what fits into a line is in one, and scalars that follow each other share lines.
struct DataWriter {
    /// The maximum length of a line that can be broken.
    let width: Int

    func lines(of value: Node) -> [String] { lines(of: value, head: "", margin: 0) }

    private func lines(of value: Node, head: String, margin: Int) -> [String] {
        let text = head + value.json
        guard margin + text.utf8.count > width else { return [text] }
        switch value.content {
        case .null, .bool, .number, .string: return [text]
        case .array(let elements):
            return [head + "["] + parts(elements.map { ("", $0) }, margin: margin + 2) + ["]"]
        case .object(let members):
            return [head + "{"] + parts(members.map { ("\($0.key.jsonLiteral): ", $0.value) }, margin: margin + 2)
                + ["}"]
        }
    }

    private func parts(_ parts: [(head: String, value: Node)], margin: Int) -> [String] {
        var lines: [String] = []
        var canContinue = false
        for (index, part) in parts.enumerated() {
            var inner = self.lines(of: part.value, head: part.head, margin: margin)
            if index < parts.count - 1 { inner[inner.count - 1] += "," }
            let isScalar = !part.value.isObject && !part.value.isArray
            if canContinue, isScalar, let last = lines.last, margin + last.utf8.count + inner[0].utf8.count <= width {
                lines[lines.count - 1] = "\(last) \(inner[0])"
            } else {
                lines += inner
            }
            canContinue = isScalar
        }
        return lines.map { "  \($0)" }
    }
}
