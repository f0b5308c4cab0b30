import Errand

/// The entries of a replayed cassette, and which of them have been used.
struct Tape: Sendable {
    /// The result of looking up a request.
    enum Outcome: Sendable {
        /// The entry with this index.
        case entry(HAR.Entry, index: Int)
        /// No entry, with the reason.
        case missing(String)
    }

    private let name: String
    private let entries: [HAR.Entry]
    private let order: Cassette.Matching.Order
    private let repeatsLast: Bool
    private var used: Set<Int> = []
    private var isOver = false

    /// - Parameter name: The name of the file.
    init(_ entries: [HAR.Entry], name: String, matching: Cassette.Matching) {
        self.entries = entries
        self.name = name
        order = matching.order
        repeatsLast = matching.repeatsLast
    }

    /// The entries that were not used.
    var unused: [(number: Int, entry: HAR.Entry)] {
        entries.indices.filter { !used.contains($0) }.map { ($0 + 1, entries[$0]) }
    }

    /// Ends the replay; later requests get no entry.
    mutating func end() {
        isOver = true
    }

    /// Finds the entry for a request, and marks it as used.
    ///
    /// - Parameters:
    ///   - facts: The compared facts of the request.
    ///   - recorded: The compared facts of each entry.
    mutating func take(_ facts: [Fact], of request: HAR.Request, among recorded: [[Fact]]) -> Outcome {
        let line = "\(request.method) \(request.url)".onOneLogLine
        guard !isOver else { return .missing("\(line) was sent after the run of \(name) had ended") }
        guard let index = index(of: facts, in: recorded) else {
            return .missing("\(line) \(reason(for: facts, among: recorded))")
        }
        used.insert(index)
        return .entry(entries[index], index: index)
    }

    private func index(of facts: [Fact], in recorded: [[Fact]]) -> Int? {
        switch order {
        case .strict:
            next.flatMap { recorded[$0] == facts ? $0 : nil }
        case .byContent:
            entries.indices.first { !used.contains($0) && recorded[$0] == facts }
                ?? (repeatsLast ? entries.indices.last { recorded[$0] == facts } : nil)
        }
    }

    private var next: Int? { entries.indices.first { !used.contains($0) } }

    private func reason(for facts: [Fact], among recorded: [[Fact]]) -> String {
        let count = entries.count == 1 ? "1 entry" : "\(entries.count) entries"
        if entries.isEmpty { return "is not in \(name), which has no entries" }
        if order == .strict {
            guard let next else { return "is not in \(name): its \(count) were all used" }
            let difference = RequestDifference(recorded: recorded[next], sent: facts)
            return "is not what \(name) has next, which is entry \(next + 1) of \(entries.count):\n\(difference.text)"
        }
        let unused = entries.count - used.count
        if let same = entries.indices.last(where: { recorded[$0] == facts }) {
            return "is in \(name) (\(count), \(unused) unused), but was requested more often than recorded: "
                + "the last matching entry, \(same + 1), was already used"
        }
        let missing = "is not in \(name) (\(count), \(unused) unused). The nearest"
        let candidates = unused > 0 ? entries.indices.filter { !used.contains($0) } : Array(entries.indices)
        let differences = candidates.map { ($0, RequestDifference(recorded: recorded[$0], sent: facts)) }
        guard let (index, difference) = differences.min(by: { $0.1.distance < $1.1.distance }) else { return missing }
        return "\(missing), entry \(index + 1)\(unused > 0 ? "" : ", which was used"):\n\(difference.text)"
    }
}
