import Errand
import ErrandMockServer

/// The exit codes of the program; those that `sysexits.h` has are equal to it.
enum ExitCode: Int32 {
    case success = 0
    case failure = 1
    case usage = 64
    case badData = 65
    case unavailable = 69
}

/// The embedded server could not start at its address.
struct PortTaken: Error {
    let port: UInt16
}

/// An error as the program reports it: a line for the user, and an exit code for scripts.
struct Failure {
    let message: String
    let exitCode: ExitCode

    init(_ error: any Error) {
        switch error {
        case let error as UsageError: self.init(error.message, .usage)
        case let error as ErrandError: self.init(error)
        case let error as PortTaken: self.init("port \(error.port) is taken; --port takes another", .unavailable)
        case let error as MockServerError: self.init("the embedded server does not start: \(error)", .unavailable)
        default: self.init(error.localizedDescription, .failure)
        }
    }

    private init(_ error: ErrandError) {
        let request = [error.method?.rawValue, error.url?.absoluteString].compactMap(\.self).joined(separator: " ")
        switch error.code {
        case .transportFailed, .timedOut:
            self.init("\(request): \(error.reason ?? "\(error.code)")", .unavailable)
        case .authenticationFailed, .tokenUnavailable:
            let cause = error.underlyingError.map { Failure($0) }
            self.init(cause?.message ?? "\(request): \(error.code)", cause?.exitCode ?? .failure)
        case .unacceptableStatusCode:
            let problem = error.payload(as: ProblemDetails.self)
            let details = [error.statusCode.map(String.init), problem?.detail ?? problem?.title].compactMap(\.self)
            self.init("\(request): \(details.joined(separator: ": "))", .failure)
        case .decodingFailed, .unacceptableContentType:
            self.init("\(request): cannot read the response: \(error.reason ?? "\(error.code)")", .badData)
        default:
            self.init("\(request): \(error.reason ?? "\(error.code)")", .failure)
        }
    }

    private init(_ message: String, _ exitCode: ExitCode) {
        self.message = message
        self.exitCode = exitCode
    }
}
