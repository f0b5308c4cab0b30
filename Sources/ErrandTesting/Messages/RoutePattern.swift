import Errand

/// A pattern of paths, as the routes of a ``MockServer`` and of ``RouteStubs`` have them.
struct RoutePattern: Sendable {
    private enum Segment: Equatable {
        case literal(String)
        case parameter(String)
        case rest
    }

    /// The pattern as it was written, with a slash in front.
    let text: String
    private let segments: [Segment]

    /// Reads the pattern: `:name` matches any one segment that is not empty, `*` at the end one or more, anything else
    /// itself.
    init(_ pattern: String) {
        text = pattern.hasPrefix("/") ? pattern : "/\(pattern)"
        segments = Self.split(pattern[...]).map { text in
            if text == "*" { return .rest }
            return text.hasPrefix(":") ? .parameter(String(text.dropFirst())) : .literal(text)
        }
        precondition(!segments.dropLast().contains(.rest), "* can only end a pattern: \(pattern)")
    }

    /// What the pattern's parameters are for a percent-encoded path; nil when it does not match.
    func parameters(of encodedPath: Substring) -> [String: String]? {
        // Split before decoding: an encoded slash is part of a segment.
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

    /// How far a percent-encoded path is from matching: how many characters of it would have to be others.
    ///
    /// Of what is longer than any sensible path, only the beginning counts.
    func distance(to encodedPath: Substring) -> Int {
        let path = Self.split(encodedPath).map { $0.removingPercentEncoding ?? $0 }
        var nearest = segments.indices.map { index in
            switch segments[index] {
            case .literal(let literal): literal
            // Whatever stands there is right; where nothing does, the name is what is missing.
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
    /// How many characters have to be added, removed or replaced to come from one to the other (Levenshtein).
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
