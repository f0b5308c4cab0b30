public import Errand

/// A place on the loopback where nobody answers: connecting to ``url`` is refused for as long as this lives.
///
/// The port is bound but not listened on, so nobody else can take it meanwhile. ``MockServer/refusing()`` makes one.
public final class RefusingServer: Sendable {
    /// Where connecting is refused: `http://127.0.0.1:PORT`, without a path.
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
    /// A place that refuses connections, to test what happens when there is no server.
    ///
    /// - Throws: ``MockServerError/system(operation:errno:)`` when no port could be had.
    public static func refusing() throws(MockServerError) -> RefusingServer {
        try RefusingServer()
    }
}
