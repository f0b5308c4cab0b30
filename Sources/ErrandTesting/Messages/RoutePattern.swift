import Errand

/// A pattern for paths, for the routes of a `MockServer` and of ``RouteStubs``.
package struct RoutePattern: Sendable {
    private enum Segment: Equatable {
        case literal(String)
        case parameter(String)
        case rest
    }

    /// The pattern, with a leading slash.
    let text: String
    private let segments: [Segment]

    /// Parses a pattern. `:name` matches any single segment that is not empty, `*` at the end matches one or more
    /// segments, and anything else matches itself.
    package init(_ pattern: String) {
        text = pattern.hasPrefix("/") ? pattern : "/\(pattern)"
        segments = Self.split(pattern[...]).map { text in
            if text == "*" { return .rest }
            return text.hasPrefix(":") ? .parameter(String(text.dropFirst())) : .literal(text)
        }
        precondition(!segments.dropLast().contains(.rest), "* can only end a pattern: \(pattern)")
    }

    /// Returns the values of the pattern's parameters for a percent-encoded path; `nil` if it does not match.
    package func parameters(of encodedPath: Substring) -> [String: String]? {
        // Split before decoding, because an encoded slash is part of a segment.
        var path = Self.split(encodedPath).map { $0.removingPercentEncoding ?? $0 }[...]
        var parameters: [String: String] = [:]
        for segment in segments {
            guard let text = path.first else { return nil }
            switch segment {
            case .literal(let literal):
                guard text == literal else { return nil }
            case .parameter(let name):
                guard !text.isEmpty else { return nil }
                parameters[name] = text
            case .rest:
                parameters["*"] = path.joined(separator: "/")
                return parameters
            }
            path.removeFirst()
        }
        return path.isEmpty ? parameters : nil
    }

    /// Returns the distance of a percent-encoded path from the pattern: the number of characters that must change for a
    /// match.
    ///
    /// Only the first 200 characters of both are compared.
    func distance(to encodedPath: Substring) -> Int {
        let path = Self.split(encodedPath).map { $0.removingPercentEncoding ?? $0 }
        var nearest = segments.indices.map { index in
            switch segments[index] {
            case .literal(let literal): literal
            // A parameter matches any segment; its name stands for a missing one.
            case .parameter(let name): path.indices.contains(index) && !path[index].isEmpty ? path[index] : ":\(name)"
            case .rest: path.count > index ? path[index...].joined(separator: "/") : "*"
            }
        }.joined(separator: "/")
        nearest = String(nearest.prefix(Self.longestComparison))
        return path.joined(separator: "/").prefix(Self.longestComparison).editDistance(to: nearest)
    }

    private static let longestComparison = 200

    private static func split(_ path: Substring) -> [String] {
        let relative = path.hasPrefix("/") ? path.dropFirst() : path
        return relative.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }
}

extension Substring {
    /// The number of characters to add, remove or replace (Levenshtein distance).
    fileprivate func editDistance(to other: String) -> Int {
        let other = Array(other)
        var row = Array(0...other.count)
        for (index, character) in enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in other.indices {
                let replaced = diagonal + (other[column] == character ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = Swift.min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[other.count]
    }
}
