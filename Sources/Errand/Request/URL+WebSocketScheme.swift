extension URL {
    /// The URL with `ws` replaced by `http`, and `wss` by `https` (RFC 6455, section 3).
    var withHTTPScheme: URL { withScheme(["ws": "http", "wss": "https"]) }
    /// The URL with `http` replaced by `ws`, and `https` by `wss`.
    var withWebSocketScheme: URL { withScheme(["http": "ws", "https": "wss"]) }

    private func withScheme(_ replacements: [String: String]) -> URL {
        guard let scheme, let replacement = replacements[scheme.lowercased()] else { return self }
        return URL(string: replacement + absoluteString.dropFirst(scheme.count)) ?? self
    }
}
