/// Finds the decision of a union.
struct UnionDecider {
    /// The maximum number of branches that one member after the other distinguishes.
    private static let maximumChain = 100
    /// How often, on average, each member of a union is looked at. A decision looks at the members of its branches.
    private static let maximumTurns = 8
    /// The maximum number of decisions in each other.
    private static let maximumDecisions = 100
    /// The maximum number of arrays within arrays whose elements are looked at: a schema can be an array of itself.
    private static let maximumDepth = 3

    /// The schemas of the branches, or of the elements of those that are arrays.
    let schemas: [Schema?]
    private let facts: [SchemaFacts]
    /// The discriminator, and its values for each branch; `nil` for the elements of arrays.
    private let discriminator: Discriminator?
    let resolver: SchemaResolver
    /// The number of arrays that are around the values.
    private let depth: Int
    /// The number of members that can still be compared.
    private var steps: Int
    /// The branches that only the best match distinguishes.
    private var guesses: [[Int]] = []

    private typealias Discriminator = (name: String, texts: [[String]])

    private init(
        _ schemas: [Schema?], _ facts: [SchemaFacts], _ discriminator: Discriminator?, _ resolver: SchemaResolver,
        depth: Int = 0
    ) {
        (self.schemas, self.facts, self.discriminator) = (schemas, facts, discriminator)
        (self.resolver, self.depth) = (resolver, depth)
        steps = 300_000 + Self.maximumTurns * facts.reduce(0) { $0 + $1.size }
    }

    /// Returns the decision, and whether it is a guess for some branches.
    static func decided(_ union: Union, _ resolver: SchemaResolver) -> (decision: UnionDecision, isGuess: Bool) {
        let facts = union.branches.map { resolver.facts(of: $0.schema) }
        let discriminator = union.discriminator.map { (name: $0, texts: union.texts(of: $0, facts)) }
        var decider = UnionDecider(union.branches.map(\.schema), facts, discriminator, resolver)
        let decision = decider.decide()
        return (decision, !decider.guesses.isEmpty)
    }

    private mutating func decide() -> UnionDecision {
        let all = Array(facts.indices)
        var groups: [(kinds: [JSONKind], branches: [Int])] = []
        for kind in JSONKind.allCases where kind != .null {
            let branches = branches(of: kind, all)
            guard !branches.isEmpty else { continue }
            if let known = groups.firstIndex(where: { $0.branches == branches && kind.isNumber && $0.kinds[0].isNumber }
            ) {
                groups[known].kinds.append(kind)
            } else {
                groups.append(([kind], branches))
            }
        }
        if groups.count == 1, groups[0].kinds == [.object] {
            let decision = decideObjects(groups[0].branches, orOther: true)
            return decision.isOtherWithoutMembers ? decision : .kinds([([.object], decision)])
        }
        var decisions: [(kinds: [JSONKind], decision: UnionDecision)] = []
        for group in groups {
            let decision: UnionDecision =
                switch group.kinds[0] {
                case .object: decideObjects(group.branches, orOther: true)
                case .string: decideTexts(group.branches)
                case .array: decideArrays(group.branches)
                case .integer, .number, .boolean, .null: attempts(group.branches)
                }
            decisions.append((group.kinds, decision))
        }
        return .kinds(decisions)
    }

    /// The branches that accept values of a kind. One that accepts only integers comes before one for all numbers.
    private func branches(of kind: JSONKind, _ all: [Int]) -> [Int] {
        let accepting = all.filter { facts[$0].kinds.contains(kind) }
        guard kind == .integer else { return accepting }
        let exact = accepting.filter { !facts[$0].kinds.contains(.number) }
        return exact.isEmpty ? accepting : exact
    }

    private func decideTexts(_ branches: [Int]) -> UnionDecision {
        guard branches.count > 1 else { return .branch(branches[0]) }
        let listed = branches.filter { facts[$0].texts != nil }
        let open = branches.filter { facts[$0].texts == nil }
        let otherwise = open.isEmpty ? .branch(branches[0]) : attempts(open)
        let texts = listed.filter { !open.isEmpty || $0 != branches[0] }.map { branch in
            (texts: facts[branch].texts ?? [], decision: UnionDecision.branch(branch))
        }
        return texts.isEmpty ? otherwise : .texts(texts, otherwise: otherwise)
    }

    private mutating func decideArrays(_ branches: [Int]) -> UnionDecision {
        guard branches.count > 1 else { return .branch(branches[0]) }
        guard depth < Self.maximumDepth, branches.allSatisfy({ facts[$0].element != nil }) else {
            guesses.append(branches)
            return .branch(branches[0])
        }
        // Only these branches have facts.
        var elements = Array(repeating: SchemaFacts(), count: facts.count)
        for branch in branches { elements[branch] = facts[branch].element.map(resolver.facts) ?? SchemaFacts() }
        var decider = UnionDecider(facts.map(\.element), elements, nil, resolver, depth: depth + 1)
        let decision = decider.decide()
        let found = decision.branches
        guesses += decider.guesses
        if found.count < branches.count { guesses.append(branches) }
        return found.count < 2 ? .branch(branches[0]) : .element(decision, empty: branches[0])
    }

    // MARK: Objects

    /// - Parameter orOther: Whether a value without any known constant belongs to no branch.
    private mutating func decideObjects(_ branches: [Int], orOther: Bool, without used: Set<String> = [])
        -> UnionDecision
    {
        guard branches.count > 1 || orOther && isDiscriminated(branches) else {
            return branches.first.map { .branch($0) } ?? .other
        }
        steps -= branches.reduce(0) { $0 + facts[$1].size }
        guard steps > 0, used.count < Self.maximumDecisions else { return bestMatch(branches) }
        if let (name, texts) = discriminator, !used.contains(name),
            let decision = byConstants(of: [name], branches, used, orOther, texts: { texts[$0] })
        {
            return decision
        }
        if let name = bestConstant(branches, used),
            let decision = byConstants(of: [name], branches, used, orOther, texts: constants(of: name))
        {
            return decision
        }
        let isChain = branches.count <= Self.maximumChain
        if isChain, let decision = byPresence(branches, used, \.required) { return decision }
        if let decision = byInnerConstants(branches, used) { return decision }
        if isChain, let decision = byPresence(branches, used, \.members) { return decision }
        return byKinds(branches, used) ?? byRequirement(branches, used) ?? bestMatch(branches)
    }

    private mutating func bestMatch(_ branches: [Int]) -> UnionDecision {
        guard branches.count > 1 else { return .branch(branches[0]) }
        guesses.append(branches)
        // Of branches with the same members, the one that requires more comes first.
        let ordered = branches.sorted { (facts[$1].required.count, $0) < (facts[$0].required.count, $1) }
        return .bestMatch(ordered.map { (facts[$0].members.sorted(), $0) })
    }

    private func isDiscriminated(_ branches: [Int]) -> Bool {
        discriminator.map { known in branches.contains { !known.texts[$0].isEmpty } } ?? false
    }

    /// The constants of a member, by branch.
    private func constants(of member: String) -> (Int) -> [String] {
        let facts = facts
        return { facts[$0].constants[member] ?? [] }
    }

    /// The member whose texts distinguish most branches.
    private func bestConstant(_ branches: [Int], _ used: Set<String>) -> String? {
        var best: (count: Int, isRequired: Bool, name: String)?
        var having: [String: [Int]] = [:]
        for branch in branches {
            for name in facts[branch].constants.keys where !used.contains(name) {
                having[name, default: []].append(branch)
            }
        }
        for (name, known) in having.sorted(by: { $0.key < $1.key }) {
            let count = BranchGroups(known) { facts[$0].constants[name] ?? [] }.all.count
            let isRequired = known.allSatisfy { facts[$0].required.contains(name) }
            let rest = known.count < branches.count
            guard count > 1 || count == 1 && rest && isRequired else { continue }
            if let known = best, (known.count, known.isRequired ? 1 : 0) >= (count, isRequired ? 1 : 0) { continue }
            best = (count, isRequired, name)
        }
        return best?.name
    }

    /// Splits branches by the constants of a member's member, such as those of `type` in the `data` of events.
    private mutating func byInnerConstants(_ branches: [Int], _ used: Set<String>) -> UnionDecision? {
        for name in sharedMembers(branches).subtracting(used).sorted() {
            let inner = branches.compactMap { facts[$0].memberSchemas[name].map(resolver.facts) }
            guard inner.count == branches.count, inner.allSatisfy({ $0.kinds == [.object] }) else { continue }
            let known = Dictionary(uniqueKeysWithValues: zip(branches, inner.map(\.constants)))
            for member in inner[0].constants.keys.sorted() where known.values.allSatisfy({ $0[member] != nil }) {
                let texts = { known[$0]?[member] ?? [] }
                if let decision = byConstants(of: [name, member], branches, used, false, texts: texts) {
                    return decision
                }
            }
        }
        return nil
    }

    /// - Parameter path: The member, or a member and one of its value.
    private mutating func byConstants(
        of path: [String], _ branches: [Int], _ used: Set<String>, _ orOther: Bool, texts: (Int) -> [String]
    ) -> UnionDecision? {
        let name = path[0]
        let groups = BranchGroups(branches, texts).all
        let rest = branches.filter { texts($0).isEmpty }
        guard groups.count > 1 || groups.count == 1 && (!rest.isEmpty || orOther && name == discriminator?.name) else {
            return nil
        }
        let used = used.union([name])
        var cases: [(texts: [String], decision: UnionDecision)] = []
        for group in groups {
            cases.append((group.texts, decideObjects(group.branches, orOther: false, without: used)))
        }
        var otherwise = rest.isEmpty ? UnionDecision.other : decideObjects(rest, orOther: false, without: used)
        // An unknown text can belong to a branch that a later version of the document adds.
        if rest.count == 1 { otherwise = last(rest[0], without: used) }
        let optional = branches.filter { facts[$0].members.contains(name) && !facts[$0].required.contains(name) }
        if rest.isEmpty, optional.count == 1, name != discriminator?.name {
            otherwise = .presence(of: name, present: .other, absent: last(optional[0], without: used))
        }
        return .member(path, cases, otherwise: otherwise)
    }

    /// Decides for the only branch that is left, if a value has a member that it requires; else for `other`.
    private func last(_ branch: Int, without used: Set<String>) -> UnionDecision {
        guard let name = facts[branch].required.subtracting(used).min() else { return .branch(branch) }
        return .presence(of: name, present: .branch(branch), absent: .other)
    }

    /// Splits branches by a member whose values have different kinds in each. Null is a kind if no other one decides.
    private mutating func byKinds(_ branches: [Int], _ used: Set<String>) -> UnionDecision? {
        for name in sharedMembers(branches).subtracting(used).sorted() {
            let all = branches.map { branch -> Set<JSONKind> in
                guard let schema = facts[branch].memberSchemas[name] else { return [] }
                return resolver.facts(of: schema).kinds.union(resolver.isNullable(schema) ? [.null] : [])
            }
            guard let kinds = [all.map { $0.subtracting([.null]) }, all].first(where: areDisjoint) else { continue }
            return .memberKind(
                name,
                zip(branches, kinds).map { branch, kinds in
                    (kinds.sorted { $0.rawValue < $1.rawValue }, .branch(branch))
                })
        }
        return nil
    }

    /// The members that all branches know.
    private func sharedMembers(_ branches: [Int]) -> Set<String> {
        guard let first = branches.first else { return [] }
        return branches.dropFirst().reduce(facts[first].members) { $0.intersection(facts[$1].members) }
    }

    private func areDisjoint(_ kinds: [Set<JSONKind>]) -> Bool {
        kinds.allSatisfy { !$0.isEmpty } && Set(kinds.joined()).count == kinds.joined().count
    }

    /// Splits branches with the same members by one that only some of them require.
    private mutating func byRequirement(_ branches: [Int], _ used: Set<String>) -> UnionDecision? {
        guard let first = branches.first, branches.allSatisfy({ facts[$0].members == facts[first].members }) else {
            return nil
        }
        for name in facts[first].members.subtracting(used).sorted() {
            let present = branches.filter { facts[$0].required.contains(name) }
            guard !present.isEmpty, present.count < branches.count else { continue }
            let absent = branches.filter { !present.contains($0) }
            let used = used.union([name])
            return .presence(
                of: name, present: decideObjects(present, orOther: false, without: used),
                absent: decideObjects(absent, orOther: false, without: used))
        }
        return nil
    }

    /// Splits the branches by a member that some of them have and the others do not know.
    private mutating func byPresence(
        _ branches: [Int], _ used: Set<String>, _ members: KeyPath<SchemaFacts, Set<String>>
    ) -> UnionDecision? {
        var having: [String: Int] = [:]
        var knowing: [String: Int] = [:]
        for branch in branches {
            for name in facts[branch][keyPath: members] { having[name, default: 0] += 1 }
            for name in facts[branch].members { knowing[name, default: 0] += 1 }
        }
        // The branches without the member must not know it.
        let names = having.filter { $0.value < branches.count && $0.value == knowing[$0.key] && !used.contains($0.key) }
        guard let name = names.min(by: { ($0.value, $0.key) < ($1.value, $1.key) })?.key else { return nil }
        let present = branches.filter { facts[$0][keyPath: members].contains(name) }
        let absent = branches.filter { !facts[$0][keyPath: members].contains(name) }
        let used = used.union([name])
        // A value without the member can also belong to a branch that does not require it. The member decides only if
        // the other branches require a member that this branch does not, or if it is the only one that they do not
        // know. Else they would lose the rest of such a value.
        let optional = present.filter { !facts[$0].required.contains(name) }
        let shared = absent.dropFirst().reduce(facts[absent[0]].required) { $0.intersection(facts[$1].required) }
        let needless = optional.reduce(used) { $0.union(facts[$1].required) }
        let needed = shared.subtracting(needless).min()
        let known = absent.reduce(into: Set<String>()) { $0.formUnion(facts[$1].members) }
        let isOnlyOne = optional.allSatisfy { facts[$0].members.subtracting(known) == [name] }
        guard needed != nil || isOnlyOne else { return nil }
        // A value without a member that only one of them knows can belong to each of them.
        let ours = present.reduce(into: Set<String>()) { $0.formUnion(facts[$1].members) }
        if !optional.isEmpty, needed == nil, !known.isSubset(of: ours) { guesses.append(optional + absent) }
        // The last branch must have a member that the others do not know.
        let others = present.reduce(used) { $0.union(facts[$1].members) }
        var decision = decideObjects(absent, orOther: false, without: used)
        if absent.count == 1, optional.isEmpty { decision = last(absent[0], without: others) }
        if !optional.isEmpty, let needed {
            decision = .presence(of: needed, present: decision, absent: bestMatch(optional))
        }
        return .presence(
            of: name, present: decideObjects(present, orOther: false, without: used), absent: decision)
    }
}

extension JSONKind {
    fileprivate var isNumber: Bool { self == .integer || self == .number }
}
