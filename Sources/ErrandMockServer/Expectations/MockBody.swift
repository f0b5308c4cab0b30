public import Errand
import ErrandTesting

/// The expected body of a request.
public enum MockBody: Sendable {
    /// No body, or an empty one.
    case empty
    /// Exactly these bytes.
    case data(Data)
    /// Exactly this text, in UTF-8.
    case text(String)
    /// This document, compared by its value: whitespace, the order of keys and the notation of numbers are ignored.
    case json(Data)

    /// A value as JSON.
    ///
    /// - Throws: The errors of the encoder.
    public static func json(encodable value: some Encodable, encoder: some DataEncoder = FastJSONEncoder()) throws
        -> MockBody
    {
        .json(try encoder.encode(value))
    }
}

extension MockBody {
    /// Returns the facts of this body and of another. Each list contains the compared value, shown as an empty line,
    /// and then the shown lines.
    func facts(comparedWith actual: Data) -> (expected: [Fact], actual: [Fact]) {
        switch self {
        case .empty: return Self.facts(of: Data(), and: actual)
        case .data(let data): return Self.facts(of: data, and: actual)
        case .text(let text): return Self.facts(of: Data(text.utf8), and: actual)
        case .json(let document):
            guard let expected = JSONValue(document: document) else { return Self.facts(of: document, and: actual) }
            let text = expected.comparableText
            // A body that is not JSON is shown unchanged.
            guard let found = JSONValue(document: actual) else { return Self.facts(of: Data(text.utf8), and: actual) }
            return (
                Self.facts(expected, text.linesOfText), Self.facts(found, found.comparableText.linesOfText)
            )
        }
    }

    private static func facts(of expected: Data, and actual: Data) -> (expected: [Fact], actual: [Fact]) {
        let values = [expected, actual].map { JSONValue.string($0.base64EncodedString()) }
        if let one = String(bytes: expected, encoding: .utf8), let other = String(bytes: actual, encoding: .utf8),
            expected == actual || one.linesOfText != other.linesOfText
        {
            return (facts(values[0], one.linesOfText), facts(values[1], other.linesOfText))
        }
        // Binary data, or texts that differ only in their line ends.
        return (facts(values[0], HexLines.lines(of: expected)), facts(values[1], HexLines.lines(of: actual)))
    }

    /// Returns a fact for the value, which is compared and shown as an empty line, and facts for the lines, which are
    /// only shown.
    private static func facts(_ value: JSONValue, _ lines: [String]) -> [Fact] {
        [Fact("body", value: value, shownAs: "")] + lines.map { Fact("body", value: .null, shownAs: $0) }
    }
}
