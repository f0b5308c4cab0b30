import Errand

/// Why a ``MockServer`` could not do what was asked.
public enum MockServerError: Error, Hashable, Sendable {
    /// A system call failed while the server was set up, for example `bind` with `EADDRINUSE`.
    case system(operation: String, errno: Int32)
    /// What was waited for can no longer happen, because the server has been stopped.
    case stopped
    /// There is no TLS here, and why: OpenSSL's libraries are not there, or too old, or this is an Apple platform.
    case tlsUnavailable(String)
    /// A certificate or a key cannot be made or read, and why.
    case tls(String)
    /// The path of a Unix-domain socket is too long, or empty.
    case unixSocketPath(String)

    /// The failure of a system call that has just set `errno`.
    static func system(_ operation: String) -> MockServerError {
        .system(operation: operation, errno: errno)
    }
}

extension MockServerError: CustomStringConvertible {
    /// A sentence; for a system call its name and the system's text for the error.
    public var description: String {
        switch self {
        case .system(let operation, let code): "\(operation) failed: \(String(cString: strerror(code))) (\(code))"
        case .stopped: "the server has been stopped"
        case .tlsUnavailable(let reason): "there is no TLS here: \(reason)"
        case .tls(let reason): "TLS cannot be set up: \(reason)"
        case .unixSocketPath(let path): "this cannot be the path of a Unix-domain socket: \(path)"
        }
    }
}
