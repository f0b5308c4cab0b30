public import Errand

/// The body that a request is expected to have.
public enum MockBody: Sendable {
    /// None, or one of no bytes.
    case empty
    /// Exactly these bytes.
    case data(Data)
    /// Exactly this text, in UTF-8.
    case text(String)
    /// This document, as a value: white space, the order of keys and the way a number is written do not count.
    case json(Data)

    /// A value as JSON.
    ///
    /// - Throws: What the encoder throws.
    public static func json(encodable value: some Encodable, encoder: some DataEncoder = FastJSONEncoder()) throws
        -> MockBody
    {
        .json(try encoder.encode(value))
    }
}

extension MockBody {
    /// Whether a body is what is expected, and both as lines to be compared.
    func comparison(with actual: Data) -> (matches: Bool, expected: [String], actual: [String]) {
        switch self {
        case .empty: Self.comparison(of: Data(), with: actual)
        case .data(let data): Self.comparison(of: data, with: actual)
        case .text(let text): Self.comparison(of: Data(text.utf8), with: actual)
        case .json(let document):
            if let expected = JSONLines.text(of: document), let found = JSONLines.text(of: actual) {
                (expected == found, expected.linesOfText, found.linesOfText)
            } else {
                // What came is no JSON: it is shown as it is, next to what it should have been.
                Self.comparison(
                    of: JSONLines.text(of: document).map { Data($0.utf8) } ?? document, with: actual)
            }
        }
    }

    private static func comparison(
        of expected: Data, with actual: Data
    ) -> (matches: Bool, expected: [String], actual: [String]) {
        if let one = String(bytes: expected, encoding: .utf8), let other = String(bytes: actual, encoding: .utf8),
            expected == actual || one.linesOfText != other.linesOfText
        {
            return (expected == actual, one.linesOfText, other.linesOfText)
        }
        // No texts, or texts that differ where lines end.
        return (expected == actual, HexLines.lines(of: expected), HexLines.lines(of: actual))
    }
}
