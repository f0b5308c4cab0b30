extension CodeWriter {
    /// Writes a call with a JSON document in a raw literal, over several lines if it is too long for one.
    mutating func json(_ head: String, _ value: Node, _ tail: String) {
        let literal = value.json.rawLiteral
        guard margin.count + head.count + literal.count + tail.count > Self.width else {
            return line(head + literal + tail)
        }
        let signs = literal.prefix { $0 == "#" }
        line(String(head.reversed().drop { $0 == " " }.reversed()))
        indented { writer in
            writer.line("\(signs)\"\"\"")
            for part in Samples.lines(of: value) { writer.line(part) }
            writer.line("\"\"\"\(signs)\(tail)")
        }
    }
}
