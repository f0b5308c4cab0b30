/// Writes how a union finds the branch of a value.
struct DecisionWriter {
    private let names: [Int: String]
    /// The texts of the branches' types.
    private let types: [Int: String]

    /// - Parameter type: The text of a type where the union is declared.
    init(_ union: Declaration.UnionModel, type: (SwiftType) -> String) {
        names = Dictionary(union.cases.map { ($0.branch, $0.name) }) { first, _ in first }
        types = Dictionary(union.cases.map { ($0.branch, type($0.type)) }) { first, _ in first }
    }

    /// Writes a decision about the value that `content` names.
    func write(_ decision: UnionDecision, of content: String, _ writer: inout CodeWriter) {
        switch decision {
        case .branch, .other: writer.line(statement(decision))
        case .kinds(let cases) where cases.count == 1 && cases[0].kinds == [.object] && !cases[0].decision.isBranch:
            writer.block("guard \(content).kind == .object else") { writer in
                writer.line(statement(.other))
                writer.line("return")
            }
            write(cases[0].decision, of: content, &writer)
        case .kinds(let cases):
            choice("\(content).kind", labelled(cases), otherwise: .other, of: content, &writer)
        case .member(let path, let cases, let otherwise):
            let names = path.map(\.swiftLiteral).joined(separator: ", ")
            choice("\(content).text(of: \(names))", labelled(cases), otherwise: otherwise, of: content, &writer)
        case .texts(let cases, let otherwise):
            choice("\(content).text", labelled(cases), otherwise: otherwise, of: content, &writer)
        case .attempts(let branches):
            for (index, branch) in branches.dropLast().enumerated() {
                guard let name = names[branch], let type = types[branch] else { continue }
                let head = "if let value: \(type) = try? content.decode()"
                if index == 0 {
                    writer.block(head) { $0.line("self = .\(name)(value)") }
                } else {
                    writer.continueBlock("else \(head)") { $0.line("self = .\(name)(value)") }
                }
            }
            let last = branches.last.map { UnionDecision.branch($0) } ?? .other
            writer.continueBlock("else") { $0.line(statement(last)) }
        case .memberKind(let name, let cases):
            let first = cases.first?.decision ?? .other
            let subject = "\(content).kind(of: \(name.swiftLiteral))"
            choice(subject, labelled(cases), otherwise: first, of: content, &writer)
        case .presence(let name, let present, let absent):
            writer.block("if \(content).has(\(name.swiftLiteral))") { write(present, of: content, &$0) }
            var absent = absent
            while case .presence(let name, let present, let rest) = absent {
                writer.continueBlock("else if \(content).has(\(name.swiftLiteral))") {
                    write(present, of: content, &$0)
                }
                absent = rest
            }
            writer.continueBlock("else") { write(absent, of: content, &$0) }
        case .element(let decision, let empty):
            let first = UnionDecision.branch(empty)
            if case .kinds(let cases) = decision, cases.allSatisfy(\.decision.isBranch) {
                let cases = labelled(cases) + [(["nil", ".null"], first)]
                choice("\(content).elementKind", cases, otherwise: .other, of: content, &writer)
            } else {
                writer.block("if let element = \(content).element") { write(decision, of: "element", &$0) }
                writer.continueBlock("else") { $0.line(statement(first)) }
            }
        case .bestMatch(let branches):
            writer.line("switch \(content).bestMatch([")
            for (members, _) in branches {
                writer.list("    [", members.map(\.swiftLiteral), "],")
            }
            writer.line("]) {")
            for (index, branch) in branches.dropLast().enumerated() {
                writer.line("case \(index): \(statement(.branch(branch.branch)))")
            }
            writer.line("default: \(branches.last.map { statement(.branch($0.branch)) } ?? statement(.other))")
            writer.line("}")
        }
    }

    private func labelled(
        _ cases: [(kinds: [JSONKind], decision: UnionDecision)]
    ) -> [(labels: [String], decision: UnionDecision)] {
        cases.map { ($0.kinds.map { ".\($0.rawValue)" }, $0.decision) }
    }

    private func labelled(
        _ cases: [(texts: [String], decision: UnionDecision)]
    ) -> [(labels: [String], decision: UnionDecision)] {
        cases.map { ($0.texts.map(\.swiftLiteral), $0.decision) }
    }

    private func choice(
        _ subject: String, _ cases: [(labels: [String], decision: UnionDecision)], otherwise: UnionDecision,
        of content: String, _ writer: inout CodeWriter
    ) {
        // A text that is in several cases belongs to the first.
        var seen: Set<String> = []
        let cases = cases.map { (labels: $0.labels.filter { seen.insert($0).inserted }, decision: $0.decision) }
        writer.line("switch \(subject) {")
        for (labels, decision) in cases.filter({ !$0.labels.isEmpty }) + [([], otherwise)] {
            let head = labels.isEmpty ? "default:" : "case \(labels.joined(separator: ", ")):"
            switch decision {
            case .branch, .other:
                let line = "\(head) \(statement(decision))"
                if line.count + 20 < CodeWriter.width {
                    writer.line(line)
                } else {
                    if labels.isEmpty { writer.line(head) } else { writer.list("case ", labels, ":") }
                    writer.line("    \(statement(decision))")
                }
            case .kinds, .member, .texts, .attempts, .memberKind, .presence, .element, .bestMatch:
                if labels.isEmpty { writer.line(head) } else { writer.list("case ", labels, ":") }
                writer.indented { write(decision, of: content, &$0) }
            }
        }
        writer.line("}")
    }

    private func statement(_ decision: UnionDecision) -> String {
        guard case .branch(let index) = decision, let name = names[index] else {
            return "self = .other(try content.decode())"
        }
        return "self = .\(name)(try content.decode())"
    }
}
