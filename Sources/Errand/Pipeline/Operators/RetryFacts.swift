/// What a pipeline's `retry(_:)` knows of the requests of one try, past the user's operators.
final class RetryFacts: Sendable {
    /// The facts of the innermost retry that is running.
    @TaskLocal static var current: RetryFacts?

    /// The requests of one try.
    struct Sent: Sendable {
        /// Whether all requests can be sent again without performing their effects twice.
        var isSafeToRepeat = true
        /// The outcome of the last request: the status of its response, or a failure.
        var latest: Result<Int, any Error>?
    }

    private let sent = Locked(Sent())
    private let enclosing = RetryFacts.current

    /// Returns the requests since the last call.
    func takeSent() -> Sent {
        sent.withLock { sent in
            defer { sent = Sent() }
            return sent
        }
    }

    /// Notes a request, for this retry and those around it.
    func note(_ change: @Sendable (inout Sent) -> Void) {
        sent.withLock { change(&$0) }
        enclosing?.note(change)
    }
}
