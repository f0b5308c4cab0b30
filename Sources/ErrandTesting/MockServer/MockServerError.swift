import Errand

/// Why a ``MockServer`` could not do what was asked.
public enum MockServerError: Error, Hashable, Sendable {
    /// A system call failed while the server was set up, for example `bind` with `EADDRINUSE`.
    case system(operation: String, errno: Int32)
    /// What was waited for can no longer happen, because the server has been stopped.
    case stopped

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
        }
    }
}
