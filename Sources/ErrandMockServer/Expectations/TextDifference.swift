import Errand

/// The difference between two texts, line by line.
///
/// ```text
///   {
/// -   "title" : "Malafrena"
/// +   "title" : "Tehanu"
///   }
/// ```
///
/// Lines of one text alone begin with `- ` (expected) or `+ ` (actual); lines of both begin with two spaces.
struct TextDifference: Hashable, Sendable {
    /// A line, and the text or texts that contain it.
    enum Line: Hashable, Sendable {
        case both(String)
        case expected(String)
        case actual(String)
    }

    /// The lines of both texts; at each difference, the expected lines come before the actual ones.
    let lines: [Line]

    /// Compares two texts. Lines end with LF or CR LF.
    init(expected: String, actual: String) {
        self.init(expected: expected.linesOfText, actual: actual.linesOfText)
    }

    init(expected: [String], actual: [String]) {
        let start = zip(expected, actual).prefix { $0 == $1 }.count
        let end = zip(expected.dropFirst(start).reversed(), actual.dropFirst(start).reversed())
            .prefix { $0 == $1 }.count
        lines =
            expected.prefix(start).map(Line.both)
            + Self.lines(
                between: Array(expected.dropFirst(start).dropLast(end)),
                and: Array(actual.dropFirst(start).dropLast(end)))
            + expected.suffix(end).map(Line.both)
    }

    /// Whether the texts are equal.
    var isEmpty: Bool {
        lines.allSatisfy { if case .both = $0 { true } else { false } }
    }

    /// The number of lines that only one text contains.
    var changeCount: Int {
        lines.count { if case .both = $0 { false } else { true } }
    }

    /// The maximum number of differing lines in each text that are compared one by one, without common lines at the
    /// beginning and end. The time for this grows with the square of their number.
    private static let maximumCount = 2_000

    private static func lines(between expected: [String], and actual: [String]) -> [Line] {
        guard max(expected.count, actual.count) <= maximumCount else {
            return expected.map(Line.expected) + actual.map(Line.actual)
        }
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        for change in actual.difference(from: expected) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var lines: [Line] = []
        var (left, right) = (0, 0)
        while left < expected.count || right < actual.count {
            if removed.contains(left) {
                lines.append(.expected(expected[left]))
                left += 1
            } else if inserted.contains(right) {
                lines.append(.actual(actual[right]))
                right += 1
            } else {
                lines.append(.both(expected[left]))
                left += 1
                right += 1
            }
        }
        return lines
    }
}

extension TextDifference: CustomStringConvertible {
    /// The number of equal lines that are shown before and after a difference.
    private static let context = 3
    /// The minimum number of equal lines that are replaced by their count, minus one.
    private static let leastHidden = 5
    /// The maximum number of lines, and of characters in each line.
    private static let maximumLines = 200
    private static let maximumWidth = 400

    /// The lines with their signs. Equal lines are shown only near a difference, and long output is cut.
    var description: String {
        var texts: [String] = []
        var index = 0
        while index < lines.count {
            let equal = lines[index...].prefix { if case .both = $0 { true } else { false } }
            guard !equal.isEmpty else {
                texts.append(Self.text(of: lines[index]))
                index += 1
                continue
            }
            let before = index == 0 ? 0 : Self.context
            let after = equal.endIndex == lines.count ? 0 : Self.context
            if equal.count > before + after + Self.leastHidden {
                texts += equal.prefix(before).map(Self.text)
                texts.append("  … \(equal.count - before - after) lines that are the same")
                texts += equal.suffix(after).map(Self.text)
            } else {
                texts += equal.map(Self.text)
            }
            index = equal.endIndex
        }
        if texts.count > Self.maximumLines {
            texts = texts.prefix(Self.maximumLines) + ["  … \(texts.count - Self.maximumLines) lines more"]
        }
        return texts.joined(separator: "\n")
    }

    private static func text(of line: Line) -> String {
        let (sign, text) =
            switch line {
            case .both(let text): ("  ", text)
            case .expected(let text): ("- ", text)
            case .actual(let text): ("+ ", text)
            }
        guard text.count > maximumWidth else { return sign + text }
        return "\(sign)\(text.prefix(maximumWidth))… (\(text.count) characters)"
    }
}

extension String {
    /// The lines of this text; empty for an empty text.
    var linesOfText: [String] {
        if isEmpty { return [] }
        var lines = split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map(String.init)
    }
}
