extension Pipeline {
    /// Runs the pipeline again when it fails, at once and at most so many more times; the last failure passes.
    ///
    /// Nothing is asked about the failure or about the request: use it where every failure is worth another try. A
    /// cancelled run is not tried again. A body that can be read only once is not sent again: the failure that came
    /// before passes then.
    ///
    /// - Parameter times: How many runs may follow the first; 0 or less adds none.
    public func retry(_ times: Int) -> Pipeline {
        switch source {
        case .immediate(let run):
            Pipeline(
                immediate: { () throws(Failure) in
                    try RetryScope.$current.withValue(RetryScope.current ?? RetryScope()) {
                        var tries = Tries(left: times)
                        while true {
                            let result = Result { () throws(Failure) in try run() }
                            if let outcome = tries.outcome(of: result) { return outcome }
                        }
                    }.get()
                })
        case .suspending:
            Pipeline { () async throws(Failure) in
                try await RetryScope.$current.withValue(RetryScope.current ?? RetryScope()) {
                    var tries = Tries(left: times)
                    while true {
                        if let outcome = tries.outcome(of: await result) { return outcome }
                    }
                }.get()
            }
        }
    }

    /// How many tries are left, and what to fail with when the next one cannot even begin.
    private struct Tries {
        var left: Int
        var failure: Failure?

        /// What the whole of it comes to; nil when it is to be tried again.
        mutating func outcome(of result: Result<Output, Failure>) -> Result<Output, Failure>? {
            guard case .failure(let failure) = result else { return result }
            if let previous = self.failure, failure.isUnrepeatable { return .failure(previous) }
            guard left > 0, !failure.isCancellation, !Task.isCancelled else { return result }
            left -= 1
            self.failure = failure
            return nil
        }
    }
}

extension Error {
    fileprivate var isUnrepeatable: Bool { (self as? ErrandError)?.code == .bodyStreamAlreadyOpened }
}
