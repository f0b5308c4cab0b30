/// The identifier and attempt count that all ``LoggingInterceptor``s of a request share.
final class LogContext: Sendable {
    let id: String
    private let attempts = Locked(0)

    init(id: String) {
        self.id = id
    }

    /// Returns the number of the next attempt.
    func nextAttempt() -> Int {
        attempts.withLock { attempts in
            attempts += 1
            return attempts
        }
    }
}
