extension MockServer {
    /// Where a server listens.
    public enum Host: Hashable, Sendable {
        /// On 127.0.0.1.
        case ipv4
        /// On ::1.
        case ipv6
        /// On a Unix-domain socket, which is a file that must not be there yet, and is removed when the server stops.
        ///
        /// Its path may have 107 bytes, on Apple platforms 103; of ``MockServer/url`` only the scheme then means
        /// anything.
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
