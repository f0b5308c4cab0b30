import Errand

/// An error of a ``MockServer``.
public enum MockServerError: Error, Hashable, Sendable {
    /// A system call failed during the setup of the server, for example `bind` with `EADDRINUSE`.
    case system(operation: String, errno: Int32)
    /// The awaited event cannot happen any more, because the server has stopped.
    case stopped
    /// TLS is not available, with the reason: OpenSSL's libraries are missing or too old, or the platform is an Apple
    /// platform.
    case tlsUnavailable(String)
    /// A certificate or a key cannot be created or read, with the reason.
    case tls(String)
    /// The path of a Unix-domain socket is too long, is empty, or contains a null character.
    case unixSocketPath(String)

    /// Creates an error for a system call that has just set `errno`.
    static func system(_ operation: String) -> MockServerError {
        .system(operation: operation, errno: errno)
    }
}

extension MockServerError: CustomStringConvertible {
    /// A sentence; for a system call, its name and the system's message.
    public var description: String {
        switch self {
        case .system(let operation, let code): "\(operation) failed: \(String(cString: strerror(code))) (\(code))"
        case .stopped: "the server has been stopped"
        case .tlsUnavailable(let reason): "TLS is not available: \(reason)"
        case .tls(let reason): "TLS cannot be set up: \(reason)"
        case .unixSocketPath(let path): "not a valid path for a Unix-domain socket: \"\(path)\""
        }
    }
}
