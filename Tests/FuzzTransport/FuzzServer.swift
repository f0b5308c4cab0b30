import Glibc

/// A server on the loopback that sends given bytes in response to each request.
///
/// It serves all connections on the thread that calls ``serve(_:until:)``. If a client waits for more than a response
/// has, the server closes the connection.
final class FuzzServer: Sendable {
    static let lastPath = "/last"
    static let lastBody = "last"

    private struct Connection {
        var received: [UInt8] = []
        /// Whether a response was sent over it.
        var hasResponse = false
    }

    private let listener: Int32
    private let port: UInt16

    init() {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        var isListening = false
        let listener = listener
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                isListening = bind(listener, $0, size) == 0 && listen(listener, 64) == 0
                getsockname(listener, $0, &size)
            }
        }
        guard isListening else { fatalError("the server cannot listen on the loopback") }
        port = UInt16(bigEndian: address.sin_port)
    }

    func url(_ path: String) -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else { fatalError("not a URL: \(path)") }
        return url
    }

    /// Sends the responses, one for each request, until `isOver` returns `true`. Requests for ``lastPath``, and those
    /// after the last response, get a correct response.
    func serve(_ responses: [[UInt8]], until isOver: () -> Bool) {
        var rest = responses[...]
        var connections: [Int32: Connection] = [:]
        while !isOver() {
            var polled = ([listener] + connections.keys).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            // A client that waits for more bytes of a response for 2 ms gets the end of the connection.
            guard poll(&polled, nfds_t(polled.count), 2) > 0 else {
                for (descriptor, connection) in connections where connection.hasResponse {
                    close(descriptor)
                    connections[descriptor] = nil
                }
                continue
            }
            for entry in polled where entry.revents != 0 {
                if entry.fd == listener {
                    connections[accept(listener, nil, nil)] = Connection()
                } else if !respond(to: entry.fd, &connections[entry.fd, default: Connection()], &rest) {
                    close(entry.fd)
                    connections[entry.fd] = nil
                }
            }
        }
        for descriptor in connections.keys { close(descriptor) }
    }

    /// Reads from a connection, and responds if the head of a request is complete.
    ///
    /// - Returns: Whether the connection stays open.
    private func respond(
        to descriptor: Int32, _ connection: inout Connection, _ rest: inout ArraySlice<[UInt8]>
    ) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        connection.received += buffer[..<count]
        let text = String(decoding: connection.received, as: UTF8.self)
        guard text.contains("\r\n\r\n") else { return true }
        let isLast = text.contains(" \(Self.lastPath) ")
        connection = Connection(hasResponse: true)
        let correct = "HTTP/1.1 200 OK\r\nContent-Length: \(Self.lastBody.utf8.count)\r\n\r\n\(Self.lastBody)"
        let response = isLast ? nil : rest.popFirst()
        return write(response ?? Array(correct.utf8), to: descriptor)
    }

    private func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
