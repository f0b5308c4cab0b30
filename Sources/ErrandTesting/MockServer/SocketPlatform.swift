#if canImport(Darwin)
import Errand

/// What sockets call by other names on Apple platforms; this part has not been run there yet.
enum SocketPlatform {
    static let streamType = SOCK_STREAM
    static let sendFlags: Int32 = 0
    /// That the other side has closed is told without being asked for.
    static let hangup: Int32 = 0
    /// None is looked for here.
    static let tlsLibraries: [(ssl: String, crypto: String)] = []

    /// Sets what every socket needs: a write to a connection that is gone must fail, not raise SIGPIPE.
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

/// What sockets call by other names on Linux.
enum SocketPlatform {
    static let streamType = Int32(SOCK_STREAM.rawValue)
    /// A write to a connection that is gone must fail, not raise SIGPIPE.
    static let sendFlags = Int32(MSG_NOSIGNAL)
    /// `POLLRDHUP`: that the other side has closed is told even when nothing is to be read.
    static let hangup: Int32 = 0x2000
    /// OpenSSL's, by version; libcurl has brought one along.
    static let tlsLibraries = [
        (ssl: "libssl.so.3", crypto: "libcrypto.so.3"), (ssl: "libssl.so.1.1", crypto: "libcrypto.so.1.1"),
    ]

    /// Nothing to set: ``sendFlags`` says it on each write.
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

extension SocketPlatform {
    /// Whether there is TLS here at all.
    static var hasTLS: Bool { !tlsLibraries.isEmpty }
}
