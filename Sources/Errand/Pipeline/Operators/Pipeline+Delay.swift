extension Pipeline {
    /// Returns a pipeline that delays the value by `duration`. A failure is not delayed.
    ///
    /// Cancelling ends the delay. If `Failure` is `any Error` or ``ErrandError``, the run then fails with
    /// ``ErrandError/Code-swift.struct/cancelled``. Otherwise, it returns the value.
    ///
    /// - Parameters:
    ///   - duration: The length of the delay; zero or less for none.
    ///   - clock: The clock that measures the delay.
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
