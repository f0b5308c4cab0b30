import Errand

/// A non-blocking stream socket, with the calls that the server uses.
///
/// This value does not own the descriptor: its creator must call ``end()`` once.
struct Socket: Sendable {
    /// The result of reading.
    enum Received {
        case bytes([UInt8])
        case nothingYet
        case closed
    }

    /// The result of an attempt to accept a connection.
    enum Accepted {
        case connection(Socket)
        /// No connection is waiting.
        case nothingYet
        /// Accepting failed, for example because the process has no free descriptor. A connection may be waiting.
        case failed
    }

    let descriptor: Int32
    /// The file of a listening Unix-domain socket.
    private var path: String?

    /// Takes over a descriptor, and makes it close-on-exec, non-blocking and free of SIGPIPE.
    init(adopting descriptor: Int32) {
        self.descriptor = descriptor
        SocketPlatform.prepare(descriptor)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL, 0) | O_NONBLOCK)
    }

    /// Creates a socket that is bound to an address but does not listen, so that connections are refused.
    ///
    /// - Throws: ``MockServerError/system(operation:errno:)``; ``MockServerError/unixSocketPath(_:)``.
    init(boundTo address: SocketAddress) throws(MockServerError) {
        let descriptor = socket(address.family, SocketPlatform.streamType, 0)
        guard descriptor >= 0 else { throw .system("socket") }
        self.init(adopting: descriptor)
        // A given port may have connections left from an earlier server, so its reuse is allowed. An automatic port
        // must not be reused: two sockets that both allow reuse may share a port while neither listens.
        if address.hasPort { set(SOL_SOCKET, SO_REUSEADDR) }
        let bound: Int32
        do throws(MockServerError) {
            bound = try address.bind(descriptor)
        } catch {
            end()
            throw error
        }
        guard bound == 0 else { throw failure("bind") }
        if case .unix(let path) = address { self.path = path }
    }

    /// The port of the socket; meaningless for a Unix-domain socket.
    var port: UInt16 {
        // The port has the same position in IPv4 and IPv6 addresses.
        var address = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        _ = withUnsafeMutableBytes(of: &address) { bytes in
            getsockname(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, &size)
        }
        return UInt16(bigEndian: address.sin6_port)
    }

    func startListening() throws(MockServerError) {
        // Accepted connections inherit this, so that a later server can use their port immediately.
        set(SOL_SOCKET, SO_REUSEADDR)
        guard listen(descriptor, SOMAXCONN) == 0 else { throw failure("listen") }
    }

    /// Accepts the next waiting connection.
    func nextConnection() -> Accepted {
        while true {
            let accepted = accept(descriptor, nil, nil)
            guard accepted < 0 else {
                let socket = Socket(adopting: accepted)
                socket.set(Int32(IPPROTO_TCP), TCP_NODELAY)
                return .connection(socket)
            }
            switch errno {
            case EAGAIN: return .nothingYet
            // The client of the first waiting connection has closed it; others may follow.
            case EINTR, ECONNABORTED: continue
            default: return .failed
            }
        }
    }

    /// Reads the available bytes, at most 64 KiB.
    func receive() -> Received {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, initialized in
            count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            initialized = max(count, 0)
        }
        if count > 0 { return .bytes(bytes) }
        return count < 0 && Self.isTransient(errno) ? .nothingYet : .closed
    }

    /// Sends as many bytes as fit. Returns their number, 0 if none fit now, or `nil` if the connection is lost.
    func transmit(_ data: Data) -> Int? {
        let count = data.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, SocketPlatform.sendFlags) }
        if count >= 0 { return count }
        return Self.isTransient(errno) ? 0 : nil
    }

    /// Closes the sending direction; reading is still possible.
    func endSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Makes ``end()`` reset the connection (RST) instead of closing it in an orderly way.
    func resetAtEnd() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Closes the descriptor, whose number may then be reused.
    func end() {
        close(descriptor)
        if let path { unlink(path) }
    }

    /// Returns `true` if an `errno` means that the call can be repeated later.
    private static func isTransient(_ code: Int32) -> Bool {
        code == EAGAIN || code == EINTR
    }

    private func set(_ level: Int32, _ option: Int32) {
        var on: Int32 = 1
        setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Creates an error from `errno`, and closes the descriptor.
    private func failure(_ operation: String) -> MockServerError {
        let error = MockServerError.system(operation)
        end()
        return error
    }
}
