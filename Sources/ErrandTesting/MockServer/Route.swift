import Errand

/// A method, a pattern of paths and what answers them.
struct Route: Sendable {
    private enum Segment: Equatable {
        case literal(String)
        case parameter(String)
        case rest
    }

    let handler: MockServer.Handler
    private let method: HTTPMethod
    private let segments: [Segment]

    /// Reads the pattern: `:name` matches any one segment that is not empty, `*` at the end one or more, anything else
    /// itself.
    init(_ method: HTTPMethod, _ pattern: String, handler: @escaping MockServer.Handler) {
        self.method = method
        self.handler = handler
        self.segments = Self.split(pattern[...]).map { text in
            if text == "*" { return .rest }
            return text.hasPrefix(":") ? .parameter(String(text.dropFirst())) : .literal(text)
        }
        precondition(!segments.dropLast().contains(.rest), "* can only end a pattern: \(pattern)")
    }

    /// What the pattern's parameters are for this request; nil when the route is not for it.
    func parameters(of request: MockRequest) -> [String: String]? {
        guard request.method == method else { return nil }
        // Split before decoding: an encoded slash is part of a segment.
        var path = Self.split(request.encodedPath).map { $0.removingPercentEncoding ?? $0 }[...]
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

    private static func split(_ path: Substring) -> [String] {
        let relative = path.hasPrefix("/") ? path.dropFirst() : path
        return relative.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }
}
