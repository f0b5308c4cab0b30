import Errand

/// The address on which a server listens.
enum SocketAddress: Hashable, Sendable {
    /// 127.0.0.1; port 0 stands for any free port.
    case ipv4(port: UInt16)
    /// ::1.
    case ipv6(port: UInt16)
    /// A Unix-domain socket.
    case unix(path: String)

    var family: Int32 {
        switch self {
        case .ipv4: AF_INET
        case .ipv6: AF_INET6
        case .unix: AF_UNIX
        }
    }

    /// Whether the address has a fixed port.
    var hasPort: Bool {
        switch self {
        case .ipv4(let port), .ipv6(let port): port != 0
        case .unix: false
        }
    }

    /// Returns the URL for clients, with the port that the socket has.
    func url(scheme: String, port: UInt16) -> URL {
        let authority =
            switch self {
            case .ipv4: "127.0.0.1:\(port)"
            case .ipv6: "[::1]:\(port)"
            case .unix: "localhost"
            }
        guard let url = URL(string: "\(scheme)://\(authority)") else { preconditionFailure("a port makes a URL") }
        return url
    }

    /// Binds a descriptor to this address; returns the result of `bind`.
    func bind(_ descriptor: Int32) throws(MockServerError) -> Int32 {
        switch self {
        case .ipv4(let port):
            var address = Self.ipv4Address(port: port)
            return Self.bind(descriptor, &address)
        case .ipv6(let port):
            var address = SocketPlatform.emptyIPv6Address()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = in6addr_loopback
            return Self.bind(descriptor, &address)
        case .unix(let path):
            var address = SocketPlatform.emptyUnixAddress()
            address.sun_family = sa_family_t(AF_UNIX)
            let bytes = Array(path.utf8)
            let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
                guard !bytes.isEmpty, bytes.count < room.count, !bytes.contains(0) else { return false }
                room.copyBytes(from: bytes)
                return true
            }
            guard fits else { throw .unixSocketPath(path) }
            return Self.bind(descriptor, &address)
        }
    }

    /// Connects a descriptor to an IPv4 address; returns the result of `connect`, or -1 for other addresses.
    func connect(_ descriptor: Int32) -> Int32 {
        guard case .ipv4(let port) = self else { return -1 }
        var address = Self.ipv4Address(port: port)
        return withUnsafeBytes(of: &address) { bytes in
            guard let start = bytes.baseAddress else { return -1 }
            return Foundation.connect(
                descriptor, start.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
        }
    }

    /// Returns `true` if a text is an IPv4 or IPv6 address.
    static func isAddress(_ text: String) -> Bool {
        var room = in6_addr()
        return withUnsafeMutableBytes(of: &room) { room in
            inet_pton(AF_INET, text, room.baseAddress) == 1 || inet_pton(AF_INET6, text, room.baseAddress) == 1
        }
    }

    private static func ipv4Address(port: UInt16) -> sockaddr_in {
        var address = SocketPlatform.emptyAddress()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func bind<Address>(_ descriptor: Int32, _ address: inout Address) -> Int32 {
        withUnsafeBytes(of: &address) { bytes in
            guard let start = bytes.baseAddress else { return -1 }
            return Foundation.bind(
                descriptor, start.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
        }
    }
}
