public import Foundation

/// A TCP server on the loopback for behavior that an HTTP server does not have or does not report. A closure serves
/// each connection on a separate thread: it reads and writes bytes, and may block.
///
/// Releasing the server ends its listener and every connection.
public final class RawServer: Sendable {
    /// The server's URL: `http://127.0.0.1:PORT`, or `http://[::1]:PORT`.
    public let url: URL
    private let listener: Listener

    /// Starts to listen and to serve connections.
    ///
    /// - Parameters:
    ///   - port: The port to listen on; 0 for any free port.
    ///   - serve: Called for each connection, which is closed when it returns or throws.
    public init(
        _ address: Address = .v4, port: UInt16 = 0, serve: @escaping @Sendable (RawConnection) throws -> Void
    ) throws {
        let listener = try Listener(address, port: port, backlog: 1024)
        self.listener = listener
        url = listener.url
        Thread.detachNewThread { listener.acceptAll(serve) }
    }

    deinit {
        listener.end()
    }

    /// An address of the loopback.
    public enum Address: Sendable {
        case v4
        /// Another one of the same family, 127.0.0.2.
        case otherV4
        case v6
    }
}

/// One connection of a ``RawServer``; its calls block.
public final class RawConnection: Sendable {
    private let descriptor: Int32

    fileprivate init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// The address of the client, without its port.
    public var peer: String {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) }
        }
        return String(cString: inet_ntoa(address.sin_addr))
    }

    /// Reads at most this many bytes; returns no bytes if the client has closed.
    public func read(atMost limit: Int = 65_536) -> Data {
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = recv(descriptor, &bytes, limit, 0)
        return Data(bytes.prefix(max(count, 0)))
    }

    /// Reads a head up to its empty line; everything that was sent if the client closes before.
    public func readHead() -> String {
        var head = Data()
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8), case let byte = read(atMost: 1), !byte.isEmpty {
            head += byte
        }
        return String(decoding: head, as: UTF8.self)
    }

    /// Waits until the client closes, and discards what it sends.
    public func readToEnd() {
        while !read().isEmpty {}
    }

    /// Sends all of these bytes.
    ///
    /// - Throws: If the client has closed the connection.
    public func write(_ data: Data) throws {
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw RawClient.Failure(operation: "send", code: errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Sends all of this text.
    public func write(_ text: String) throws {
        try write(Data(text.utf8))
    }

    fileprivate func end() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }
}

/// A port of the loopback whose backlog of connections is full and is never accepted.
///
/// Linux drops a SYN to such a port, so that a client that connects must wait.
public final class FullBacklog: Sendable {
    /// The URL of the port, to which no connection succeeds.
    public let url: URL
    private let listener: Listener
    private let clients: [Int32]

    /// Listens with the smallest backlog, and fills it.
    ///
    /// - Parameter port: The port to listen on; 0 for any free port.
    public init(_ address: RawServer.Address = .v4, port: UInt16 = 0) throws {
        listener = try Listener(address, port: port, backlog: 0)
        url = listener.url
        // The backlog has room for one connection. Some of the others wait for their handshake. Further ones have no
        // effect.
        clients = listener.connectWithoutWaiting(times: 8)
    }

    deinit {
        for client in clients { close(client) }
    }
}

private final class Listener: Sendable {
    let descriptor: Int32
    let url: URL
    private let address: RawServer.Address
    private let port: UInt16
    private let lock = NSLock()
    private nonisolated(unsafe) var connections: [ObjectIdentifier: Weak] = [:]

    private struct Weak {
        weak var connection: RawConnection?
    }

    init(_ address: RawServer.Address, port: UInt16, backlog: Int32) throws {
        self.address = address
        let descriptor = socket(address.family, Self.stream, 0)
        let bound = address.withSocketAddress(port: port) { bind(descriptor, $0, $1) }
        guard descriptor >= 0, bound == 0, listen(descriptor, backlog) == 0 else {
            throw RawClient.Failure(operation: "listen", code: errno)
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        self.descriptor = descriptor
        self.port = Self.port(of: descriptor)
        guard let url = URL(string: "http://\(address.host):\(self.port)") else {
            throw RawClient.Failure(operation: "URL", code: 0)
        }
        self.url = url
    }

    func acceptAll(_ serve: @escaping @Sendable (RawConnection) throws -> Void) {
        while case let accepted = accept(descriptor, nil, nil), accepted >= 0 {
            let connection = RawConnection(descriptor: accepted)
            let id = ObjectIdentifier(connection)
            lock.withLock { connections[id] = Weak(connection: connection) }
            Thread.detachNewThread { [self] in
                try? serve(connection)
                lock.withLock { _ = connections.removeValue(forKey: id) }
            }
        }
    }

    // Not earlier: after that, ``end()`` could shut down another connection with the same number.
    deinit {
        close(descriptor)
    }

    /// Makes `accept` return, and ends all open connections.
    func end() {
        shutdown(descriptor, Int32(SHUT_RDWR))
        let open = lock.withLock { connections.values.compactMap(\.connection) }
        for connection in open { connection.end() }
    }

    func connectWithoutWaiting(times: Int) -> [Int32] {
        (0..<times).map { _ in
            let client = socket(address.family, Self.stream, 0)
            _ = fcntl(client, F_SETFL, fcntl(client, F_GETFL, 0) | O_NONBLOCK)
            _ = address.withSocketAddress(port: port) { connect(client, $0, $1) }
            return client
        }
    }

    private static let stream: Int32 = 1  // SOCK_STREAM, whose type differs between platforms

    private static func port(of descriptor: Int32) -> UInt16 {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &storage) { bytes in
            getsockname(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, &size)
            // The port is at the same place in the addresses of both families.
            return UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
        }
    }
}

extension RawServer.Address {
    fileprivate var family: Int32 { self == .v6 ? AF_INET6 : AF_INET }

    fileprivate var host: String {
        switch self {
        case .v4: "127.0.0.1"
        case .otherV4: "127.0.0.2"
        case .v6: "[::1]"
        }
    }

    fileprivate func withSocketAddress(
        port: UInt16, _ body: (UnsafePointer<sockaddr>?, socklen_t) -> Int32
    ) -> Int32 {
        switch self {
        case .v4, .otherV4:
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(self == .v4 ? 0x7F00_0001 : 0x7F00_0002).bigEndian
            return withUnsafeBytes(of: &address) {
                body($0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
            }
        case .v6:
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = in6addr_loopback
            return withUnsafeBytes(of: &address) {
                body($0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
            }
        }
    }
}
