extension Pipeline {
    /// Returns a pipeline that runs again after a failure.
    ///
    /// ```swift
    /// sendRequest().decode([Book].self).retry(2, delay: .milliseconds(200))
    /// ```
    ///
    /// By default, a run is repeated if all its requests are safe to repeat (``ErrandError/isSafeToRepeat``) and the
    /// failure is transient (``ErrandError/isTransient``). For a failure of another type, for example from `mapError`,
    /// the last request decides whether it is transient: by its failure, the status code of its response, or the
    /// failure to decode it. If the last request was successful, or if nothing was sent, the failure counts as
    /// transient. Requests that interceptors send do not count.
    ///
    /// A transient failure that is not safe to repeat says so in its reason. A cancelled run is not retried. A body
    /// that can be read only once is not sent again, and the failure of the previous run is the result, unless
    /// `mapError` has hidden the ``ErrandError`` of the retry. Cancelling during a delay fails with
    /// ``ErrandError/Code-swift.struct/cancelled``, or with the last failure if `Failure` cannot express that.
    ///
    /// - Parameters:
    ///   - times: The maximum number of runs after the first; 0 or less for none.
    ///   - shouldRetry: Returns `true` to run again after a failure; `nil` for the default.
    ///   - delay: The wait before each retry; by default none.
    ///   - clock: The clock that measures the delay.
    public func retry(
        _ times: Int, where shouldRetry: (@Sendable (Failure) -> Bool)? = nil, delay: Duration = .zero,
        clock: any Clock<Duration> = ContinuousClock()
    ) -> Pipeline {
        guard delay > .zero else { return retryingAtOnce(times, shouldRetry) }
        return retry(times, where: shouldRetry, delay: { _ in delay }, clock: clock)
    }

    /// Returns a pipeline that runs again after a failure, with delays from a closure.
    ///
    /// - Parameters:
    ///   - times: The maximum number of runs after the first; 0 or less for none.
    ///   - shouldRetry: As in ``retry(_:where:delay:clock:)-(_,_,Duration,_)``.
    ///   - delay: Returns the wait before a retry from the number of the retry, which starts at 1. Zero or less for no
    ///     wait.
    ///   - clock: The clock that measures the delay.
    public func retry(
        _ times: Int, where shouldRetry: (@Sendable (Failure) -> Bool)? = nil,
        delay: @escaping @Sendable (Int) -> Duration, clock: any Clock<Duration> = ContinuousClock()
    ) -> Pipeline {
        retry(times, where: shouldRetry, clock: clock) { delay }
    }

    /// Retries with delays that may depend on earlier ones.
    ///
    /// - Parameter makeDelay: Called once for each run of the returned pipeline. The closure that it returns may
    ///   remember earlier delays.
    func retry(
        _ times: Int, where shouldRetry: (@Sendable (Failure) -> Bool)?, clock: any Clock<Duration>,
        makeDelay: @escaping @Sendable () -> @Sendable (Int) -> Duration
    ) -> Pipeline {
        Pipeline { () async throws(Failure) in
            var tries = Tries(left: times, shouldRetry: shouldRetry)
            let delay = makeDelay()
            while true {
                // Each try has its own facts, so that a late request of an earlier one does not change them.
                let facts = RetryFacts()
                let result = await RetryFacts.$current.withValue(facts) { await self.result }
                if let outcome = tries.outcome(of: result, facts.sent) { return try outcome.get() }
                let wait = delay(tries.retries)
                guard wait > .zero else { continue }
                do { try await clock.sleep(for: wait.bounded) } catch {
                    if let failure = ErrandError(.cancelled) as? Failure { throw failure }
                    return try result.get()
                }
            }
        }
    }

    /// Retries without a delay. An immediate pipeline stays immediate.
    private func retryingAtOnce(_ times: Int, _ shouldRetry: (@Sendable (Failure) -> Bool)?) -> Pipeline {
        guard case .immediate(let run) = source else {
            return retry(times, where: shouldRetry, clock: ContinuousClock()) { { _ in .zero } }
        }
        return Pipeline(
            immediate: { () throws(Failure) in
                var tries = Tries(left: times, shouldRetry: shouldRetry)
                while true {
                    let result = Result { () throws(Failure) in try run() }
                    // An immediate pipeline sends no request.
                    if let outcome = tries.outcome(of: result, RetryFacts.Sent()) { return try outcome.get() }
                }
            })
    }

    /// The state that decides after each try, which is a run of the source, whether another try follows.
    private struct Tries {
        /// The number of retries that are still allowed.
        private var left: Int
        private let shouldRetry: (@Sendable (Failure) -> Bool)?
        /// The number of retries so far.
        private(set) var retries = 0
        /// The failure of the previous try, which is returned if the next one cannot begin.
        private var previousFailure: Failure?

        init(left: Int, shouldRetry: (@Sendable (Failure) -> Bool)?) {
            self.left = left
            self.shouldRetry = shouldRetry
        }

        /// Returns the outcome of the whole; `nil` if another run follows.
        mutating func outcome(
            of result: Result<Output, Failure>, _ sent: RetryFacts.Sent
        ) -> Result<Output, Failure>? {
            guard case .failure(let failure) = result else { return result }
            // The body could be sent only once, so the previous try shows why the request failed.
            if let previousFailure, failure.isUnrepeatable {
                return .failure(previousFailure.noting("not sent again, since its body can be read only once"))
            }
            guard left > 0, !failure.isCancellation, !Task.isCancelled else { return result }
            if let shouldRetry {
                guard shouldRetry(failure) else { return result }
            } else {
                guard failure.isTransient(after: sent) else { return result }
                guard failure.isSafeToRepeat(after: sent) else {
                    return .failure(
                        failure.noting(
                            "not sent again, since it sent what is not safe to repeat: see `where:` of `retry(_:)`"))
                }
            }
            left -= 1
            retries += 1
            previousFailure = failure
            return nil
        }
    }
}

extension Error {
    /// Whether the run failed because a body that can be read only once was to be sent again.
    fileprivate var isUnrepeatable: Bool { (self as? any RetriedFailure)?.isUnrepeatable ?? false }

    /// Whether another run may succeed.
    fileprivate func isTransient(after sent: RetryFacts.Sent) -> Bool {
        (self as? any RetriedFailure)?.isTransient ?? sent.isTransient
    }

    /// Whether the run can be repeated without performing its effects twice.
    fileprivate func isSafeToRepeat(after sent: RetryFacts.Sent) -> Bool {
        sent.isSafeToRepeat && (self as? any RetriedFailure)?.isSafeToRepeat != false
    }

    /// Returns this failure with a sentence about the retry, if its type has a place for one.
    fileprivate func noting(_ sentence: String) -> Self {
        (self as? any RetriedFailure)?.adding(sentence) as? Self ?? self
    }
}

/// The facts about the requests of one try, which reach a pipeline's `retry(_:)` past the user's operators.
final class RetryFacts: Sendable {
    /// The facts of the current try of the innermost retry.
    @TaskLocal static var current: RetryFacts?

    /// The requests of one try.
    struct Sent: Sendable {
        /// Whether all requests can be sent again without performing their effects twice.
        var isSafeToRepeat = true
        /// Whether the last request was successful, or failed in a way that another attempt may change; `true` if
        /// nothing was sent.
        var isTransient = true
    }

    private let state = Locked(Sent())
    /// The facts of the retry around this one, if there is one.
    private let enclosing = RetryFacts.current

    /// The requests so far.
    var sent: Sent { state.withLock { $0 } }

    /// Records a request, or the outcome of one, for this retry and those around it.
    func note(_ change: @Sendable (inout Sent) -> Void) {
        state.withLock { change(&$0) }
        enclosing?.note(change)
    }
}
