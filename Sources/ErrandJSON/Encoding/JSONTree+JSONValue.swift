// Values without a schema.
extension JSONTree {
    /// Encodes a value without a schema. A stack holds the remaining content of each open array and object.
    func encode(_ value: JSONValue, in node: Int) throws {
        enum Rest {
            case elements(ArraySlice<JSONValue>)
            case members(JSONValue.Object.Iterator)
        }
        var open: [(node: Int, rest: Rest, count: Int, mayHaveDuplicates: Bool)] = []
        func enter(_ value: JSONValue, _ node: Int) throws {
            guard nodes[node].depth < encoder.maximumDepth else { throw tooDeep(value, at: node) }
            switch value {
            case .array(let elements):
                self.open(.array, at: node)
                open.append((node, .elements(elements[...]), 0, false))
            case .object(let members):
                self.open(.object, at: node)
                nodes[node].isDictionary = true
                open.append((node, .members(members.makeIterator()), 0, nodes[node].mayHaveDuplicates))
            default:
                break
            }
        }
        guard value.isContainer else {
            beginValue(of: node)
            write(value)
            return endValue(of: node)
        }
        try enter(value, node)
        while let (node, rest, count, mayHaveDuplicates) = open.last {
            try checkLimit()
            let next: JSONValue
            var key: JSONCodingKey?
            switch rest {
            case .elements(var elements):
                guard let element = elements.popFirst() else {
                    // The caller closes the outermost array or object.
                    open.removeLast()
                    if !open.isEmpty { try close(node, of: value) }
                    continue
                }
                open[open.count - 1].rest = .elements(elements)
                next = element
            case .members(var members):
                guard let member = members.next() else {
                    // The keys of a dictionary occur once, unless the object had others before.
                    nodes[node].mayHaveDuplicates = mayHaveDuplicates
                    open.removeLast()
                    if !open.isEmpty { try close(node, of: value) }
                    continue
                }
                open[open.count - 1].rest = .members(members)
                (key, next) = (JSONCodingKey(member.key), member.value)
            }
            open[open.count - 1].count = count + 1
            if case .string(let string) = next, isLongText(string) { try exceedLimit() }
            if next.isContainer {
                try enter(next, key.map { addMember($0, of: node) } ?? addElement(count, of: node))
            } else {
                let text = key.map { openMember($0, of: node) } ?? openText(in: node)
                write(next)
                closeText(text)
            }
        }
    }

    private func write(_ value: JSONValue) {
        switch value {
        case .null: text.pointee.append(literal: "null")
        case .bool(let bool): text.pointee.append(literal: bool ? "true" : "false")
        case .number(let number): text.pointee.appendText(number.description)
        case .string(let string): text.pointee.append(string)
        case .array, .object: break
        }
    }
}

extension JSONValue {
    fileprivate var isContainer: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }
}
