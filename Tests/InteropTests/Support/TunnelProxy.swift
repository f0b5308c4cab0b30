import Errand

/// A proxy that supports only CONNECT, and whose tunnels all lead to the loopback.
final class TunnelProxy: Sendable {
    let url: URL
    private let listener: Int32
    private let log: Log

    /// The heads that were received, each with the empty line that ends it.
    private final class Log: Sendable {
        let heads = Locked<[String]>([])
    }

    /// - Parameter credentials: The required `user:password`; `nil` if none is required.
    init(credentials: String? = nil) throws {
        let (listener, port) = try Loopback.listen()
        let log = Log()
        self.listener = listener
        self.log = log
        url = try URL.of("http://127.0.0.1:\(port)")
        let authorization = credentials.map { "Basic " + Data($0.utf8).base64EncodedString() }
        Thread.detachNewThread {
            while case let client = accept(listener, nil, nil), client >= 0 {
                Thread.detachNewThread { Self.serve(client, authorization, log) }
            }
            close(listener)
        }
    }

    deinit {
        // Wakes the accepting thread, which closes the socket.
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// The heads of the requests that were received so far.
    var heads: [String] { log.heads.withLock { $0 } }

    private static func serve(_ client: Int32, _ authorization: String?, _ log: Log) {
        guard let head = readHead(client) else {
            close(client)
            return
        }
        log.heads.withLock { $0.append(head) }
        let words = head.split(separator: " ")
        let isAuthorized = authorization.map { head.contains("Proxy-Authorization: \($0)\r\n") } ?? true
        guard words.first == "CONNECT", isAuthorized,
            let port = words[1].split(separator: ":").last.flatMap({ UInt16($0) }),
            let server = try? Loopback.connect(to: port)
        else {
            let status = isAuthorized ? "502 Bad Gateway" : "407 Proxy Authentication Required"
            write("HTTP/1.1 \(status)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", to: client)
            close(client)
            return
        }
        write("HTTP/1.1 200 Connected\r\n\r\n", to: client)
        let tunnel = Tunnel(client: client, server: server)
        Thread.detachNewThread { tunnel.carry(from: server, to: client) }
        tunnel.carry(from: client, to: server)
    }

    private static func readHead(_ client: Int32) -> String? {
        var head: [UInt8] = []
        var byte: UInt8 = 0
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard recv(client, &byte, 1, 0) == 1 else { return nil }
            head.append(byte)
        }
        return String(decoding: head, as: UTF8.self)
    }

    private static func write(_ text: String, to descriptor: Int32) {
        _ = send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL))
    }
}

/// Two connections, closed when both directions are done.
private final class Tunnel: Sendable {
    private let client: Int32
    private let server: Int32

    init(client: Int32, server: Int32) {
        self.client = client
        self.server = server
    }

    deinit {
        close(client)
        close(server)
    }

    func carry(from source: Int32, to target: Int32) {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while case let count = recv(source, &buffer, buffer.count, 0), count > 0 {
            guard send(target, buffer, count, Int32(MSG_NOSIGNAL)) == count else { break }
        }
        shutdown(target, Int32(SHUT_WR))
    }
}
