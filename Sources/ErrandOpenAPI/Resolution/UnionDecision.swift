/// How the branch of a value is found, from facts that can be seen before decoding.
indirect enum UnionDecision {
    /// The branch with this index.
    case branch(Int)
    /// No branch describes the value.
    case other
    /// By the kind of JSON value; other kinds are no branch's.
    case kinds([(kinds: [JSONKind], decision: UnionDecision)])
    /// By the text of a member, such as that of a discriminator, or of a member of the first one's value.
    case member([String], [(texts: [String], decision: UnionDecision)], otherwise: UnionDecision)
    /// By the value itself, which is a text.
    case texts([(texts: [String], decision: UnionDecision)], otherwise: UnionDecision)
    /// By decoding: the first of these branches whose type decodes the value.
    case attempts([Int])
    /// By the kind of a member's value. If it is absent, the first decision holds.
    case memberKind(String, [(kinds: [JSONKind], decision: UnionDecision)])
    /// By the presence of a member.
    case presence(of: String, present: UnionDecision, absent: UnionDecision)
    /// By the first element of an array. An empty array is that of the branch with this index.
    case element(UnionDecision, empty: Int)
    /// The branch that knows most of the value's members; of equal ones, the first.
    case bestMatch([(members: [String], branch: Int)])

    /// Whether the value has one branch, without another look at it.
    var isBranch: Bool { if case .branch = self { true } else { false } }

    /// Whether no branch gets a value without members, such as one that is not an object.
    var isOtherWithoutMembers: Bool {
        switch self {
        case .other: true
        case .member(_, _, let otherwise): otherwise.isOtherWithoutMembers
        case .presence(_, _, let absent): absent.isOtherWithoutMembers
        case .branch, .kinds, .texts, .attempts, .memberKind, .element, .bestMatch: false
        }
    }

    /// The branch that an object gets because it knows most of its members; `nil` if a fact decides.
    func guess(for node: Node) -> Int? {
        guard node.isObject else { return nil }
        switch self {
        case .bestMatch(let list):
            let names = Set(node.members.map(\.key))
            let counts = list.map { names.intersection($0.members).count }
            return zip(list, counts).first { $1 == counts.max() }?.0.branch
        case .kinds(let cases): return cases.first { $0.kinds.contains(.object) }?.decision.guess(for: node)
        default: return nil
        }
    }

    /// The branches that the decision can lead to.
    var branches: Set<Int> {
        switch self {
        case .branch(let index): [index]
        case .other: []
        case .kinds(let cases), .memberKind(_, let cases): Set(cases.flatMap(\.decision.branches))
        case .member(_, let cases, let otherwise), .texts(let cases, let otherwise):
            Set(cases.flatMap(\.decision.branches)).union(otherwise.branches)
        case .presence(_, let present, let absent): present.branches.union(absent.branches)
        case .attempts(let list): Set(list)
        case .element(let decision, let empty): decision.branches.union([empty])
        case .bestMatch(let list): Set(list.map(\.branch))
        }
    }
}
