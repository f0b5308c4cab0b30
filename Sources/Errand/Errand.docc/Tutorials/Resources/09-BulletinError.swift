import Errand

/// What a failure is to those who read bulletins.
enum BulletinError: Error, Equatable {
    /// There is no such thing.
    case notFound
    /// Another time it may be there.
    case unreachable
    /// Nobody waits any more.
    case cancelled
    /// Something that nobody can do anything about, and that belongs into a log.
    case unexpected(String)
}

extension BulletinError {
    init(_ error: any Error) {
        guard let error = error as? ErrandError else {
            self = .unexpected(String(describing: type(of: error)))
            return
        }
        switch error.code {
        case .unacceptableStatusCode where error.statusCode == 404: self = .notFound
        case .unacceptableStatusCode where (error.statusCode ?? 0) >= 500: self = .unreachable
        case .timedOut, .transportFailed: self = .unreachable
        case .cancelled: self = .cancelled
        default: self = .unexpected("\(error)")
        }
    }
}
