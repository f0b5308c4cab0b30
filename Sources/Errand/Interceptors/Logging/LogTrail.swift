/// What ties the entries of one request together, from the first ``LoggingInterceptor`` that it passes to the last.
final class LogTrail: Sendable {
    let id: String
    private let attempts = Locked(0)

    init(id: String) {
        self.id = id
    }

    /// Counts one more sending.
    func nextAttempt() -> Int {
        attempts.withLock { attempts in
            attempts += 1
            return attempts
        }
    }
}
