/// Marks the unions and properties that are stored indirectly, because a value would contain itself.
struct Cycles {
    private let declarations: [Declaration]

    init(_ declarations: [Declaration]) {
        self.declarations = declarations
    }

    func mark(_ reader: DocumentReader) {
        breakAliases(reader)
        // A union in a cycle is indirect, which ends the cycle without a change for its users.
        for id in cycles(of: { edges($0) }).joined() {
            guard case .union(var union) = declarations[id].content else { continue }
            union.isIndirect = true
            if union.isCombined {
                // A struct of its branches would contain itself.
                union.isCombined = false
                reader.report(.note, .union, Declaration.UnionModel.lossMessage, declarations[id].node)
            }
            declarations[id].content = .union(union)
        }
        // What is left are cycles of structs. The properties that lead back are indirect.
        var state: [Int: Bool] = [:]
        var back: [Int: Set<Int>] = [:]
        for start in declarations.indices where state[start] == nil { breakCycles(from: start, &state, &back) }
        for (id, targets) in back { makeIndirect(id, targets) }
    }

    /// Ends the cycles of aliases.
    private func breakAliases(_ reader: DocumentReader) {
        func aliases(_ id: Int) -> [Int] {
            guard case .alias(let type) = declarations[id].content else { return [] }
            return type.declarations
        }
        // An alias leads to at most one other, so that each is in one cycle.
        for cycle in cycles(of: aliases) {
            let dictionary = cycle.first { id in
                if case .alias(.dictionary) = declarations[id].content { true } else { false }
            }
            // A struct of a dictionary can contain itself, an alias cannot.
            if let dictionary, case .alias(.dictionary(let value)) = declarations[dictionary].content {
                declarations[dictionary].content = .structure(Declaration.Structure(properties: [], additional: value))
            } else if let first = cycle.first {
                let message = "the type \(declarations[first].wantedName) only contains itself; it is any JSON value"
                reader.report(.warning, .schema, message, declarations[first].node)
                declarations[first].content = .alias(.json)
            }
        }
    }

    /// The declarations that a value stores in itself.
    private func edges(_ id: Int) -> [Int] {
        if case .union(let union) = declarations[id].content, union.isIndirect { return [] }
        return declarations[id].parts.compactMap(\.storedDeclaration)
    }

    /// Visits declarations in depth, without recursion. `state` is `true` for those on the way, and `false` for those
    /// that are done. `back` gets the structs with a property that leads back, and what such properties contain.
    private func breakCycles(from start: Int, _ state: inout [Int: Bool], _ back: inout [Int: Set<Int>]) {
        var stack = [(id: start, next: 0, edges: edges(start))]
        state[start] = true
        while let top = stack.last {
            guard top.next < top.edges.count else {
                state[top.id] = false
                stack.removeLast()
                continue
            }
            stack[stack.count - 1].next += 1
            let target = top.edges[top.next]
            switch state[target] {
            case nil:
                state[target] = true
                stack.append((target, 0, edges(target)))
            case true?:
                // An alias has no property, so one before it leads back.
                var next = target
                for id in stack.lazy.map(\.id).reversed() {
                    if case .structure = declarations[id].content {
                        back[id, default: []].insert(next)
                        break
                    }
                    next = id
                    if id == target { break }
                }
            case false?: break
            }
        }
    }

    /// Makes the properties of a struct that contain one of some declarations indirect.
    private func makeIndirect(_ id: Int, _ targets: Set<Int>) {
        guard case .structure(var structure) = declarations[id].content else { return }
        for index in structure.properties.indices
        where structure.properties[index].type.storedDeclaration.map(targets.contains) == true {
            structure.properties[index].isIndirect = true
        }
        declarations[id].content = .structure(structure)
    }

    /// All strongly connected components with more than one node or with an edge to itself (Tarjan), sorted.
    private func cycles(of edges: (Int) -> [Int]) -> [[Int]] {
        let edges = declarations.indices.map(edges)
        var result: [[Int]] = []
        var index: [Int?] = Array(repeating: nil, count: declarations.count)
        var low = Array(repeating: 0, count: declarations.count)
        var onStack = Array(repeating: false, count: declarations.count)
        var component: [Int] = []
        var count = 0
        for start in declarations.indices where index[start] == nil {
            var stack = [(id: start, next: 0)]
            while let top = stack.last {
                if top.next == 0, index[top.id] == nil {
                    index[top.id] = count
                    low[top.id] = count
                    count += 1
                    component.append(top.id)
                    onStack[top.id] = true
                }
                let targets = edges[top.id]
                if top.next < targets.count {
                    stack[stack.count - 1].next += 1
                    let target = targets[top.next]
                    if index[target] == nil {
                        stack.append((target, 0))
                    } else if onStack[target] {
                        low[top.id] = min(low[top.id], index[target] ?? 0)
                    }
                    continue
                }
                stack.removeLast()
                if let parent = stack.last { low[parent.id] = min(low[parent.id], low[top.id]) }
                guard low[top.id] == index[top.id] else { continue }
                var found: [Int] = []
                while let last = component.popLast() {
                    onStack[last] = false
                    found.append(last)
                    if last == top.id { break }
                }
                if found.count > 1 || targets.contains(top.id) { result.append(found.sorted()) }
            }
        }
        return result.sorted { $0[0] < $1[0] }
    }
}
