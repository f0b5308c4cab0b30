import Errand

/// The path template of an operation: segments with places for parameters, and the query that some documents use to
/// tell operations apart.
struct OperationPath: Sendable {
    private enum Piece: Sendable {
        case text(String)
        case name(String)
    }

    private let segments: [[Piece]]
    /// The items of the query that a request must have. Items with a place for a parameter are not among them, because
    /// a request without a value does not have the item.
    let items: [URLQueryItem]

    /// - Parameter template: `/books/{id}`.
    init(_ template: String) {
        let parts = template.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        segments = Self.segments(of: parts[0]).map { Self.pieces(of: $0) }
        let all = parts.count > 1 ? URLComponents(string: "?\(parts[1])")?.queryItems ?? [] : []
        items = all.filter { !$0.name.contains("{") && $0.value?.contains("{") != true }
    }

    /// The template as a pattern of ``RouteStubs``. A segment that has more than a parameter, or that a pattern cannot
    /// express, matches any segment.
    var pattern: String {
        "/"
            + segments.map { pieces in
                let names = pieces.compactMap { if case .name(let name) = $0 { name } else { nil } }
                if let name = names.first { return ":\(name)" }
                guard case .text(let text)? = pieces.first else { return "" }
                return text == "*" || text.hasPrefix(":") || text.contains("/") ? ":_" : text
            }.joined(separator: "/")
    }

    /// Splits an encoded path into its encoded segments.
    static func segments(of path: Substring) -> [Substring] {
        (path.hasPrefix("/") ? path.dropFirst() : path).split(separator: "/", omittingEmptySubsequences: false)
    }

    private static func pieces(of segment: Substring) -> [Piece] {
        var pieces: [Piece] = []
        var rest = segment
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            if open > rest.startIndex { pieces.append(.text(decoded(rest[..<open]))) }
            pieces.append(.name(String(rest[rest.index(after: open)..<close])))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { pieces.append(.text(decoded(rest))) }
        return pieces
    }

    private static func decoded(_ text: Substring) -> String { text.removingPercentEncoding ?? String(text) }

    /// Returns the encoded texts of the parameters; `nil` if the path does not match.
    ///
    /// - Parameter path: The encoded segments of a path.
    func parameters(of path: [Substring]) -> [String: Substring]? {
        guard path.count == segments.count else { return nil }
        var parameters: [String: Substring] = [:]
        for (pieces, text) in zip(segments, path) {
            guard Self.match(pieces[...], text, &parameters) else { return nil }
        }
        return parameters
    }

    private static func match(
        _ pieces: ArraySlice<Piece>, _ text: Substring, _ parameters: inout [String: Substring]
    ) -> Bool {
        switch pieces.first {
        case nil: return text.isEmpty
        case .text(let literal):
            if text.hasPrefix(literal) {
                return match(pieces.dropFirst(), text.dropFirst(literal.count), &parameters)
            }
            guard text.contains("%") else { return false }
            // An escape has three characters for a byte.
            for length in stride(from: literal.count, through: min(text.count, 3 * literal.utf8.count), by: 1)
            where decoded(text.prefix(length)) == literal {
                return match(pieces.dropFirst(), text.dropFirst(length), &parameters)
            }
            return false
        case .name(let name):
            guard !text.isEmpty else { return false }
            guard pieces.count > 1 else {
                parameters[name] = text
                return true
            }
            var end = text.index(after: text.startIndex)
            while end < text.endIndex {
                let isInEscape = text[..<end].suffix(2).contains("%")
                if !isInEscape, match(pieces.dropFirst(), text[end...], &parameters) {
                    parameters[name] = text[..<end]
                    return true
                }
                end = text.index(after: end)
            }
            return false
        }
    }

    /// Whether a path that matches both templates is for this one: it has text where the other has a parameter.
    func ranks(before other: OperationPath) -> Bool {
        let (own, others) = (segments.map(Self.rank), other.segments.map(Self.rank))
        return own == others ? items.count > other.items.count : own.lexicographicallyPrecedes(others)
    }

    private static func rank(_ pieces: [Piece]) -> Int {
        let hasName = pieces.contains { if case .name = $0 { true } else { false } }
        return hasName ? (pieces.count > 1 ? 1 : 2) : 0
    }
}
