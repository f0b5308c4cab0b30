#if canImport(Darwin)
import Errand

/// What sockets call by other names on Apple platforms; this part has not been run there yet.
enum SocketPlatform {
    static let streamType = SOCK_STREAM
    static let sendFlags: Int32 = 0

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
}
#else
import Errand

/// What sockets call by other names on Linux.
enum SocketPlatform {
    static let streamType = Int32(SOCK_STREAM.rawValue)
    /// A write to a connection that is gone must fail, not raise SIGPIPE.
    static let sendFlags = Int32(MSG_NOSIGNAL)

    /// Nothing to set: ``sendFlags`` says it on each write.
    static func prepare(_ descriptor: Int32) {}

    static func emptyAddress() -> sockaddr_in {
        sockaddr_in()
    }
}
#endif
