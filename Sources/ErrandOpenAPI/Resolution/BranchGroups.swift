/// Groups of branches that have a text in common. Branches without texts are in no group.
struct BranchGroups {
    typealias Group = (texts: [String], branches: [Int])

    /// The groups, in the order in which they got their last branches.
    let all: [Group]

    init(_ branches: [Int], _ texts: (Int) -> [String]) {
        var groups: [Group] = []
        var indices: [String: Int] = [:]
        var lastTurns: [Int] = []
        for (turn, branch) in branches.enumerated() {
            let texts = texts(branch)
            guard !texts.isEmpty else { continue }
            // The largest group takes in the others.
            let found = Set(texts.compactMap { indices[$0] }).sorted {
                (groups[$1].texts.count, $0) < (groups[$0].texts.count, $1)
            }
            let group = found.first ?? groups.count
            if found.isEmpty {
                groups.append(([], []))
                lastTurns.append(turn)
            }
            for other in found.dropFirst() {
                for text in groups[other].texts { indices[text] = group }
                groups[group].texts += groups[other].texts
                groups[group].branches += groups[other].branches
                groups[other] = ([], [])
            }
            for text in texts where indices.updateValue(group, forKey: text) == nil {
                groups[group].texts.append(text)
            }
            groups[group].branches.append(branch)
            lastTurns[group] = turn
        }
        let found = groups.indices.filter { !groups[$0].branches.isEmpty }
        all = found.sorted { lastTurns[$0] < lastTurns[$1] }.map { groups[$0] }
    }
}
