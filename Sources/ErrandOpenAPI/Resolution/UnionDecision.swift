/// How the branch of a value is found, from facts that can be seen before decoding.
indirect enum UnionDecision {
    /// The branch with this index.
    case branch(Int)
    /// No branch describes the value.
    case other
    /// By the kind of JSON value; other kinds are no branch's.
    case kinds([(kinds: [JSONKind], decision: UnionDecision)])
    /// By the text of a member, such as that of a discriminator.
    case member(String, [(texts: [String], decision: UnionDecision)], otherwise: UnionDecision)
    /// By the value itself, which is a text.
    case texts([(texts: [String], decision: UnionDecision)], otherwise: UnionDecision)
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

    /// The branches that the decision can lead to.
    var branches: Set<Int> {
        switch self {
        case .branch(let index): [index]
        case .other: []
        case .kinds(let cases), .memberKind(_, let cases): Set(cases.flatMap(\.decision.branches))
        case .member(_, let cases, let otherwise), .texts(let cases, let otherwise):
            Set(cases.flatMap(\.decision.branches)).union(otherwise.branches)
        case .presence(_, let present, let absent): present.branches.union(absent.branches)
        case .element(let decision, let empty): decision.branches.union([empty])
        case .bestMatch(let list): Set(list.map(\.branch))
        }
    }
}
