import Errand
public import ErrandTesting

extension MockResponse {
    /// Accepts a CONNECT request (RFC 9110, section 9.3.6), and connects the client with a port on the loopback
    /// interface.
    ///
    /// ```swift
    /// proxy.on("CONNECT", "*") { request in
    ///     guard request.headers["Proxy-Authorization"] != nil else { return .status(407) }
    ///     return .tunnel(toPort: 8443)
    /// }
    /// ```
    ///
    /// The tunnel ends when either side closes its connection, even if only for sending, and when the server stops. If
    /// nothing listens on the port, the client receives the status 200, and its connection is closed. Only a
    /// ``MockServer`` can send this response.
    ///
    /// - Parameter port: The port on 127.0.0.1.
    public static func tunnel(toPort port: UInt16) -> MockResponse {
        // A response that accepts CONNECT must not have a Content-Length.
        var response = raw("HTTP/1.1 200 Connection established\r\n\r\n")
        response.upgrade = { client in await LoopbackConnection.tunnel(client, toPort: port) }
        return response
    }
}
