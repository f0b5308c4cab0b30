import Errand

/// The descriptor of a stream socket that never blocks, and the few calls the server makes on it.
///
/// It is a name for the descriptor, not its owner: whoever made it calls ``end()``, once.
struct Socket: Sendable {
    /// What came of reading.
    enum Received {
        case bytes([UInt8])
        case nothingYet
        case closed
    }

    /// The result of an attempt to accept a connection.
    enum Accepted {
        case connection(Socket)
        /// No connection waits to be accepted.
        case nothingYet
        /// A connection may wait, but cannot be accepted now, for example because the process has no descriptor left.
        case failed
    }

    let descriptor: Int32
    /// The file of a Unix-domain socket that listens.
    private var path: String?

    /// Takes over a descriptor: closed on exec, never blocking, never raising SIGPIPE.
    init(adopting descriptor: Int32) {
        self.descriptor = descriptor
        SocketPlatform.prepare(descriptor)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL, 0) | O_NONBLOCK)
    }

    /// A socket bound to an address that does not listen, so that connecting to it is refused.
    ///
    /// - Throws: ``MockServerError/system(operation:errno:)``; ``MockServerError/unixSocketPath(_:)``.
    init(boundTo address: SocketAddress) throws(MockServerError) {
        let descriptor = socket(address.family, SocketPlatform.streamType, 0)
        guard descriptor >= 0 else { throw .system("socket") }
        self.init(adopting: descriptor)
        // A port asked for by number may have connections left from a server before. Not for others: two sockets that
        // both allow reuse may share a port while neither listens.
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

    /// The port it is bound to; of no meaning for a Unix-domain socket.
    var port: UInt16 {
        // The port is at the same place in every address that has one.
        var address = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        _ = withUnsafeMutableBytes(of: &address) { bytes in
            getsockname(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, &size)
        }
        return UInt16(bigEndian: address.sin6_port)
    }

    func startListening() throws(MockServerError) {
        // Inherited by the connections, without which a later server could not have their port so soon.
        set(SOL_SOCKET, SO_REUSEADDR)
        guard listen(descriptor, SOMAXCONN) == 0 else { throw failure("listen") }
    }

    /// Accepts the next connection that waits.
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
            // The client of the first in the queue has left; others may wait after it.
            case EINTR, ECONNABORTED: continue
            default: return .failed
            }
        }
    }

    /// Reads what is there, at most 64 KiB.
    func receive() -> Received {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, initialized in
            count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            initialized = max(count, 0)
        }
        if count > 0 { return .bytes(bytes) }
        return count < 0 && Self.isTransient(errno) ? .nothingYet : .closed
    }

    /// Sends as much as fits: the number of bytes, 0 when none fit now, nil when the connection is gone.
    func transmit(_ data: Data) -> Int? {
        let count = data.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, SocketPlatform.sendFlags) }
        if count >= 0 { return count }
        return Self.isTransient(errno) ? 0 : nil
    }

    /// Tells the other side that nothing more comes, while still reading what it sends.
    func endSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Makes ``end()`` a reset (RST) rather than an orderly close.
    func resetAtEnd() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Closes the descriptor, which may be another file's from now on.
    func end() {
        close(descriptor)
        if let path { unlink(path) }
    }

    /// Whether a call failed with this `errno` only for now.
    private static func isTransient(_ code: Int32) -> Bool {
        code == EAGAIN || code == EINTR
    }

    private func set(_ level: Int32, _ option: Int32) {
        var on: Int32 = 1
        setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// The error that `errno` tells of, after closing the descriptor.
    private func failure(_ operation: String) -> MockServerError {
        let error = MockServerError.system(operation)
        end()
        return error
    }
}
