extension Pipeline {
    /// Holds the value back for `duration`; a failure passes at once.
    ///
    /// Cancelling ends the wait: where `Failure` can express it (it is `any Error` or ``ErrandError``) with
    /// ``ErrandError/Code-swift.struct/cancelled``, and otherwise with the value.
    ///
    /// - Parameters:
    ///   - duration: How long the value is held back; zero or less does not hold it.
    ///   - clock: Who tells the time.
    public func delay(_ duration: Duration, clock: any Clock<Duration> = ContinuousClock()) -> Pipeline {
        Pipeline { () async throws(Failure) in
            let value = try await value
            do {
                if duration > .zero { try await clock.sleep(for: duration.bounded) }
            } catch {
                if let failure = ErrandError(.cancelled) as? Failure { throw failure }
            }
            return value
        }
    }
}
