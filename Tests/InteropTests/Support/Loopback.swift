import Errand

/// Sockets on 127.0.0.1.
enum Loopback {
    /// A system call that failed.
    struct Failure: Error {
        let operation: String
        let code = errno
    }

    /// A socket that listens on any free port.
    static func listen() throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(operation: "socket") }
        var address = address(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutableBytes(of: &address) { bytes in
            let pointer = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
            return bind(descriptor, pointer, size) == 0 && Foundation.listen(descriptor, SOMAXCONN) == 0
                && getsockname(descriptor, pointer, &size) == 0
        }
        guard isListening else {
            defer { close(descriptor) }
            throw Failure(operation: "listen")
        }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    /// A port on which no process listens at this moment.
    static func freePort() throws -> UInt16 {
        let (descriptor, port) = try listen()
        close(descriptor)
        return port
    }

    /// A connection to a port.
    static func connect(to port: UInt16) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = address(port: port)
        let isConnected = withUnsafeBytes(of: &address) { bytes in
            Foundation.connect(
                descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count)) == 0
        }
        guard isConnected else {
            defer { close(descriptor) }
            throw Failure(operation: "connect")
        }
        return descriptor
    }

    private static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
