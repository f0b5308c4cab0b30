#if canImport(Darwin)
import Errand

/// The names and options of sockets that differ on Apple platforms. This code has not been run there yet.
enum SocketPlatform {
    static let streamType = SOCK_STREAM
    static let sendFlags: Int32 = 0
    /// `poll` reports a close by the peer without a request for it.
    static let hangup: Int32 = 0
    /// No TLS library is used here.
    static let tlsLibraries: [(ssl: String, crypto: String)] = []

    /// Makes a write to a closed connection fail instead of raising SIGPIPE.
    static func prepare(_ descriptor: Int32) {
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    static func emptyAddress() -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
        return address
    }

    static func emptyIPv6Address() -> sockaddr_in6 {
        var address = sockaddr_in6()
        address.sin6_len = UInt8(MemoryLayout<sockaddr_in6>.size)
        return address
    }

    static func emptyUnixAddress() -> sockaddr_un {
        var address = sockaddr_un()
        address.sun_len = UInt8(MemoryLayout<sockaddr_un>.size)
        return address
    }
}
#else
import Errand

/// The names and options of sockets that differ on Linux.
enum SocketPlatform {
    static let streamType = Int32(SOCK_STREAM.rawValue)
    /// Makes a write to a closed connection fail instead of raising SIGPIPE.
    static let sendFlags = Int32(MSG_NOSIGNAL)
    /// `POLLRDHUP`: reports a close by the peer even if no bytes are read.
    static let hangup: Int32 = 0x2000
    /// OpenSSL's libraries, by version. They are installed together with libcurl.
    static let tlsLibraries = [
        (ssl: "libssl.so.3", crypto: "libcrypto.so.3"), (ssl: "libssl.so.1.1", crypto: "libcrypto.so.1.1"),
    ]

    /// Nothing to set: ``sendFlags`` is used for each write.
    static func prepare(_ descriptor: Int32) {}

    static func emptyAddress() -> sockaddr_in {
        sockaddr_in()
    }

    static func emptyIPv6Address() -> sockaddr_in6 {
        sockaddr_in6()
    }

    static func emptyUnixAddress() -> sockaddr_un {
        sockaddr_un()
    }
}
#endif
