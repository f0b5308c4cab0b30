import Errand

/// The difference between a recorded request and a sent one.
struct RequestDifference {
    /// The facts of the recorded request alone.
    let recorded: [Fact]
    /// The facts of the sent request alone.
    let sent: [Fact]
    private let common: [Fact]

    init(recorded: [Fact], sent: [Fact]) {
        self.recorded = Self.facts(of: recorded, without: sent)
        self.sent = Self.facts(of: sent, without: recorded)
        common = Self.facts(of: sent, without: self.sent)
    }

    /// A measure of the difference: another host weighs more than another path, a path more than a method, and a method
    /// more than a query item.
    var distance: Int {
        let counts = Dictionary(grouping: recorded + sent, by: \.part).mapValues(\.count)
        return counts.reduce(0) { sum, count in
            switch count.key {
            case "origin": sum + 100
            case "path": sum + 30 + 10 * segmentsApart
            case "method": sum + 25
            default: sum + min(count.value, 10)
            }
        }
    }

    private var segmentsApart: Int {
        guard let one = recorded.first(where: { $0.part == "path" })?.text,
            let other = sent.first(where: { $0.part == "path" })?.text
        else { return 0 }
        let (left, right) = (one.split(separator: "/"), other.split(separator: "/"))
        return abs(left.count - right.count) + zip(left, right).count { $0 != $1 }
    }

    /// One line for each fact of one request alone, grouped by part, after the method:
    ///
    /// ```text
    ///     method   GET
    ///   - query    page=1
    ///   + query    page=2
    /// ```
    var text: String {
        var lines = common.filter { $0.part == "method" }.map { Self.line("   ", $0) }
        var parts: [String] = []
        for fact in recorded + sent where !parts.contains(fact.part) { parts.append(fact.part) }
        var changed: [String] = []
        for part in parts {
            changed += recorded.filter { $0.part == part }.map { Self.line("  -", $0) }
            changed += sent.filter { $0.part == part }.map { Self.line("  +", $0) }
        }
        lines += changed.prefix(Self.maximumCount)
        if changed.count > Self.maximumCount { lines.append("    … \(changed.count - Self.maximumCount) more") }
        return lines.joined(separator: "\n")
    }

    /// The maximum number of lines, and of characters in each line.
    private static let maximumCount = 40
    private static let maximumWidth = 200

    private static func line(_ mark: String, _ fact: Fact) -> String {
        let part = fact.part.padding(toLength: max(8, fact.part.count), withPad: " ", startingAt: 0)
        let text = fact.text.onOneLogLine
        return "\(mark) \(part) " + (text.count > maximumWidth ? text.prefix(maximumWidth) + "…" : text)
    }

    /// Returns the facts of `one` that `other` has less often.
    private static func facts(of one: [Fact], without other: [Fact]) -> [Fact] {
        var counts = other.reduce(into: [Fact: Int]()) { $0[$1, default: 0] += 1 }
        return one.filter { fact in
            guard let count = counts[fact], count > 0 else { return true }
            counts[fact] = count - 1
            return false
        }
    }
}
