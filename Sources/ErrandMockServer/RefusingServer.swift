public import Errand

/// An address on the loopback interface that refuses connections to ``url`` during the lifetime of this object.
///
/// The port is bound without listening, so no other process can use it. ``MockServer/refusing()`` creates one.
public final class RefusingServer: Sendable {
    /// The URL that refuses connections: `http://127.0.0.1:PORT`, without a path.
    public let url: URL
    private let socket: Socket

    init() throws(MockServerError) {
        let address = SocketAddress.ipv4(port: 0)
        socket = try Socket(boundTo: address)
        url = address.url(scheme: "http", port: socket.port)
    }

    deinit {
        socket.end()
    }
}

extension MockServer {
    /// Creates an address that refuses connections, for tests without a server.
    ///
    /// - Throws: ``MockServerError/system(operation:errno:)`` if no port is available.
    public static func refusing() throws(MockServerError) -> RefusingServer {
        try RefusingServer()
    }
}
