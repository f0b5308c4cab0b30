extension MockServer {
    /// The address on which a server listens.
    public enum Host: Hashable, Sendable {
        /// 127.0.0.1.
        case ipv4
        /// ::1.
        case ipv6
        /// A Unix-domain socket. Its file must not exist yet, and is removed when the server stops.
        ///
        /// The path has at most 107 bytes, on Apple platforms 103. Only the scheme of ``MockServer/url`` is meaningful
        /// in this case.
        case unixSocket(path: String)

        func address(port: UInt16) -> SocketAddress {
            switch self {
            case .ipv4: .ipv4(port: port)
            case .ipv6: .ipv6(port: port)
            case .unixSocket(let path): .unix(path: path)
            }
        }
    }
}
