import Errand

/// The error of a request, as a reader of bulletins sees it.
enum BulletinError: Error, Equatable {
    /// The post does not exist.
    case notFound
    /// The server cannot be reached now. A later request may succeed.
    case unreachable
    /// The request was cancelled.
    case cancelled
    /// A fault that the reader cannot mend, with a text for the log.
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
