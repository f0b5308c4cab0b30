#if canImport(CCurl)
extension CurlTransport: WebSocketTransport {
    /// Connects with all that the configuration says of proxies, names and TLS, and shakes hands over the connection.
    ///
    /// It does not count among the connections that the caps are for.
    func openWebSocket(_ request: TransportRequest, _ options: WebSocketOptions) async throws -> WebSocketAnswer {
        try await WebSocketOpener(options: options).open(request) { url in try await self.connect(to: url) }
    }

    /// A connection of bytes to where a URL points.
    private func connect(to url: URL) async throws -> CurlConnection {
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { throw URLError(.badURL) }
        components.user = nil
        components.password = nil
        components.query = nil
        components.fragment = nil
        components.path = "/"
        guard let text = components.string else { throw URLError(.badURL) }
        let line = CurlLine(text, of: engines.here, keeping: self)
        let connection = CurlConnection(line)
        try await line.open()
        return connection
    }
}
#endif
