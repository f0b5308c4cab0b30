import Errand
import Testing

/// The outcomes that the contract tests expect, in the file `Outcomes.md`.
enum Outcomes {
    /// The table under a heading: the rows by their first cell, and the other cells of each row by their column.
    static func table(under heading: String) throws -> [String: [String: String]] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Outcomes.md")
        let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
        let start = try #require(lines.firstIndex { $0.hasPrefix("#") && $0.hasSuffix(" \(heading)") }, "\(heading)")
        let section = lines[(start + 1)...].prefix { !$0.hasPrefix("#") }.filter { $0.hasPrefix("|") }
        let columns = try #require(section.first).cells.dropFirst()
        var table: [String: [String: String]] = [:]
        for row in section.dropFirst(2).map(\.cells) {
            let name = try #require(row.first).replacingOccurrences(of: "`", with: "")
            try #require(table[name] == nil && row.count == columns.count + 1, "\(name)")
            table[name] = Dictionary(uniqueKeysWithValues: zip(columns, row.dropFirst()))
        }
        return table
    }
}

extension String {
    /// The cells of a line of a table.
    fileprivate var cells: [String] {
        dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
    }
}

extension URLError.Code {
    /// The name of the code in Swift.
    var name: String {
        Self.names[self] ?? "\(rawValue)"
    }

    private static let names: [URLError.Code: String] = [
        .badServerResponse: "badServerResponse", .badURL: "badURL",
        .cannotConnectToHost: "cannotConnectToHost", .cannotDecodeContentData: "cannotDecodeContentData",
        .cannotFindHost: "cannotFindHost", .cannotParseResponse: "cannotParseResponse",
        .dataLengthExceedsMaximum: "dataLengthExceedsMaximum", .networkConnectionLost: "networkConnectionLost",
        .httpTooManyRedirects: "httpTooManyRedirects",
        .redirectToNonExistentLocation: "redirectToNonExistentLocation",
        .secureConnectionFailed: "secureConnectionFailed", .unknown: "unknown", .unsupportedURL: "unsupportedURL",
    ]
}
