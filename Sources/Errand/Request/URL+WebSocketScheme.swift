extension URL {
    /// The URL with `http` in place of `ws`, and `https` in place of `wss` (RFC 6455, section 3).
    var withHTTPScheme: URL { withScheme(["ws": "http", "wss": "https"]) }
    /// The URL with `ws` in place of `http`, and `wss` in place of `https`.
    var withWebSocketScheme: URL { withScheme(["http": "ws", "https": "wss"]) }

    private func withScheme(_ replacements: [String: String]) -> URL {
        guard let scheme, let replacement = replacements[scheme.lowercased()] else { return self }
        return URL(string: replacement + absoluteString.dropFirst(scheme.count)) ?? self
    }
}
