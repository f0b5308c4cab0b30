// Platforms without libcurl have no such transport.
#if canImport(CCurl)
extension CurlTransport: WebSocketTransport {
    /// Connects with the configured proxies, names and TLS settings, and performs the handshake.
    ///
    /// The connection does not count toward the connection limits.
    func openWebSocket(_ request: TransportRequest, _ options: WebSocketOptions) async throws -> OpenedWebSocket {
        try await WebSocketOpener(options: options).open(request) { url in try await self.connect(to: url) }
    }

    /// Opens a byte connection to the host of a URL.
    private func connect(to url: URL) async throws -> CurlConnection {
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { throw URLError(.badURL) }
        components.user = nil
        components.password = nil
        components.query = nil
        components.fragment = nil
        components.path = "/"
        guard let text = components.string else { throw URLError(.badURL) }
        let connection = CurlConnection(text, of: engines.here, keeping: self)
        do { try await connection.open() } catch {
            connection.close()
            throw error
        }
        return connection
    }
}
#endif
