// Comparison does not recurse, and hashing recurses four levels at most, so that deep values do not use more of the
// stack.
extension JSONValue: Hashable {
    /// Whether two values are equal: objects without regard to order, and numbers by their value.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        var pairs = [(left, right)]
        while let pair = pairs.popLast() {
            switch pair {
            case (.null, .null): continue
            case (.bool(let left), .bool(let right)): guard left == right else { return false }
            case (.number(let left), .number(let right)): guard left == right else { return false }
            case (.string(let left), .string(let right)): guard left == right else { return false }
            case (.array(let left), .array(let right)):
                guard left.count == right.count else { return false }
                pairs += zip(left, right)
            case (.object(let left), .object(let right)):
                guard left.count == right.count else { return false }
                for (key, value) in left {
                    guard let other = right[key] else { return false }
                    pairs.append((value, other))
                }
            default: return false
            }
        }
        return true
    }

    /// Hashes the value. Of arrays and objects that are nested more than four deep, it hashes the counts alone.
    public func hash(into hasher: inout Hasher) { hash(into: &hasher, depth: 4) }

    private func hash(into hasher: inout Hasher, depth: Int) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let bool): hasher.combine(bool)
        case .number(let number): hasher.combine(number)
        case .string(let string): hasher.combine(string)
        case .array(let elements):
            hasher.combine(elements.count)
            guard depth > 0 else { return }
            for element in elements { element.hash(into: &hasher, depth: depth - 1) }
        case .object(let members):
            hasher.combine(members.count)
            guard depth > 0 else { return }
            // The members have no order, so their hashes are combined without regard to order.
            var all = 0
            for (key, value) in members {
                var member = Hasher()
                member.combine(key)
                value.hash(into: &member, depth: depth - 1)
                all ^= member.finalize()
            }
            hasher.combine(all)
        }
    }
}
