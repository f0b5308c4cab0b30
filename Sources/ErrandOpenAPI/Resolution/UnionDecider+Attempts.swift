/// Branches of the same kind of values, which only decoding distinguishes.
extension UnionDecider {
    /// Tries the types of branches without other facts: those that decode only some values come first. A type that
    /// decodes all of them ends the list.
    func attempts(_ branches: [Int]) -> UnionDecision {
        let breadths = branches.map(breadth)
        var ordered: [Int] = []
        for breadth in Breadth.allCases {
            let found = zip(branches, breadths).filter { $1 == breadth }.map(\.0)
            ordered += breadth == .all ? Array(found.prefix(1)) : found
        }
        return ordered.count == 1 ? .branch(ordered[0]) : .attempts(ordered)
    }

    /// How many of the values of its kind a branch's type decodes, as far as that is known.
    private func breadth(of branch: Int) -> Breadth {
        guard let schema = schemas[branch] else { return .all }
        if resolver.customType(of: schema) != nil { return .custom }
        switch resolver.resolveReferences(schema) {
        case .scalar(.uuid), .scalar(.dateTime), .scalar(.date): return .few
        case .scalar(.base64), .scalar(.binary): return .many
        case .scalar(.url): return .most
        default: return .all
        }
    }

    private enum Breadth: CaseIterable {
        case few
        case custom
        /// Base64.
        case many
        /// URLs.
        case most
        case all
    }
}
